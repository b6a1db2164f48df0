// SPDX-License-Identifier: GPL-3.0-or-later
// A module, a generic function and a trait's method: what Rust mangles.
mod work {
    use std::hint::black_box;

    #[inline(never)]
    pub fn spin<T: Copy + Into<u64>>(turns: T) -> u64 {
        let mut sum = 0u64;
        for i in 0..turns.into() {
            sum = black_box(sum.wrapping_mul(7) + i); // LOOP
        }
        sum
    }

    pub trait Count {
        fn count(&self) -> u64;
    }

    pub struct Counter {
        pub turns: u32,
    }

    impl Count for Counter {
        #[inline(never)]
        fn count(&self) -> u64 {
            (0..self.turns).map(|_| spin(black_box(1_000_000u32))).fold(0, |a, b| a ^ b)
        }
    }
}

use work::Count;

fn main() {
    let counter = work::Counter { turns: 600 };
    std::process::exit((counter.count() & 1) as i32);
}
