/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample_ticker.h"

/* What makes this test, and so its children, a program of Go: see target/runtime.h. */
__attribute__((section(".go.buildinfo"), used)) static const char build[] = "go1.19";

/* It catches SIGURG later, and must not lose one: until then, too, no tick is one. */
START_TEST(ticks_of_a_go_program_are_not_its_own_signal)
{
	struct host host = start(child_spin, true, usual(500));

	prof_ticker_release(host.ticker);
	for (int i = 0; i < 3; i++) {
		int signal, note;
		pid_t thread = wait_for_stop(&signal);
		ck_assert_int_eq(signal, SIGWINCH);
		ck_assert(meets(host.ticker, thread, signal, &note));
		settle(&host, thread);
	}
	finish(&host);
}
END_TEST

RUN_TESTS("ticker go", ticks_of_a_go_program_are_not_its_own_signal)
