/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The wire to a remote target: hears GDB's own interrupts, and interrupts between them.
 *
 * A replacement for poll(), send() and write() in GDB's import slots.  All of it happens on GDB's
 * own thread, and what it hears is exact: GDB interrupts a target (for Ctrl-C, the command
 * `interrupt`, or a front end) by a byte of its own on the wire.
 */
#ifndef PROF_PLUGIN_INTERPOSE_WIRE_H
#define PROF_PLUGIN_INTERPOSE_WIRE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct packet_thread;

struct wire_listener {
	/*
	 * GDB is about to look for events; LONG: it will wait for them, so it has nothing left to
	 * do.  Returns when to be called again at the latest, in ns of CLOCK_MONOTONIC; negative if
	 * GDB was called, and may have something to do now.
	 */
	int64_t (*wait)(bool is_long);

	/* GDB lets the target go on, by the packet DATA. */
	void (*resume)(const char *data, size_t size);

	/*
	 * GDB is about to detach from PROCESS, or 0: all, which stands still.  Is an interrupt that
	 * was sent to it still under way?  Then it is met on the wire before.
	 */
	bool (*detach)(int64_t process);

	/* GDB is about to interrupt the target.  False: it must not; wire_interrupt() will. */
	bool (*interrupt)(void);
};

/* Does this GDB have all slots that it needs? */
struct prof_error *wire_available(void) PROF_MUST_CHECK;

/* Calls LISTENER, which is borrowed, from now on. */
struct prof_error *wire_open(const struct wire_listener *listener) PROF_MUST_CHECK;

/* May be called by the listener, and twice. */
void wire_close(void);

/* The target has gone: what is at the other end next may be another. */
void wire_forget(void);

/* Interrupts the target that was resumed last.  False: there is none. */
bool wire_interrupt(void);

/* The most bytes that are read at once. */
enum { WIRE_READ = 8 };

/*
 * Reads SIZE bytes at ADDRESS, in non-stop mode and while GDB waits: the target may go on
 * meanwhile.  False: it cannot be read.
 */
bool wire_read(uint64_t address, unsigned char *bytes, size_t size);

/* Does the target still owe an answer, so that the wire must stay open and GDB does not read it? */
bool wire_owes(void);

/*
 * Asks the target, in non-stop mode and while GDB waits, to stop THREAD, which will come to GDB as
 * a stop by SIGNAL, a number of GDB's remote protocol.  But a thread that GDB itself asks to stop
 * is GDB's.  False: it cannot be asked.
 */
bool wire_stop(const struct packet_thread *thread, unsigned int signal);

#endif
