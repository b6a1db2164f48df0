// SPDX-License-Identifier: GPL-3.0-or-later
// Writes two profiles of itself, as Go programs do: CPU time to the file that its first argument names,
// and what is allocated to the second.
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
	"syscall"
	"time"
)

var sink uint64
var kept [][]byte

//go:noinline
func unit() {
	for i := uint64(0); i < 1000000; i++ {
		sink += i
	}
}

func twice() {
	unit()
	unit()
}

//go:noinline
func keep() {
	for i := 0; i < 8; i++ {
		kept = append(kept, make([]byte, 1<<20))
	}
}

func write(path string) *os.File {
	file, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	return file
}

// The CPU time that the process has had.
func used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func main() {
	runtime.MemProfileRate = 1
	keep()
	cpu, heap := write(os.Args[1]), write(os.Args[2])
	pprof.StartCPUProfile(cpu)
	// Both: a machine that stood still for a moment may count that as CPU time of whoever was on its CPU.
	begin := used()
	for rounds := 0; rounds < 100 || used()-begin < 300*time.Millisecond; rounds++ {
		twice()
	}
	pprof.StopCPUProfile()
	pprof.WriteHeapProfile(heap)
	cpu.Close()
	heap.Close()
}
