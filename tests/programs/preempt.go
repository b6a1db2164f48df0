// SPDX-License-Identifier: GPL-3.0-or-later
// For a runtime that has SIGURG for itself: with a single processor the goroutine that computes
// without end must be interrupted by it, or nobody else makes progress.
package main

import (
	"fmt"
	"runtime"
	"time"
)

var sink uint64

//go:noinline
func endless() {
	for {
		sink++
	}
}

//go:noinline
func sum(numbers []uint64) (total uint64) {
	for round := uint64(0); round < 200; round++ {
		for _, number := range numbers {
			total += number ^ round
		}
	}
	return total
}

func main() {
	runtime.GOMAXPROCS(1)
	go endless()
	numbers := make([]uint64, 50000)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	totals := make(chan uint64)
	for i := 0; i < 4; i++ {
		go func() { totals <- sum(numbers) }()
	}
	var total uint64
	for i := 0; i < 4; i++ {
		total += <-totals
	}
	turns := 0
	for ; turns < 4; turns++ {
		time.Sleep(time.Millisecond)
		runtime.GC() // stops the world, by SIGURG
	}
	fmt.Println(turns, "turns,", total)
}
