// SPDX-License-Identifier: GPL-3.0-or-later
// A method and a closure: what Go mangles.
package main

type counter struct{ total uint64 }

var sum uint64

//go:noinline
func spin(turns uint64) (found uint64) {
	for i := uint64(0); i < turns; i++ {
		found = found*7 + i // LOOP
	}
	return found
}

//go:noinline
func (c *counter) count(turns int) {
	again := func() { c.total += spin(1000000) }
	for i := 0; i < turns; i++ {
		again()
	}
}

func main() {
	c := &counter{}
	c.count(600)
	sum = c.total
}
