/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Diverted returns: functions of a program that do not return to where they were called, but to
 * code that a tool has put there (core/patching).  The true return address of such a function is in
 * another word of memory, its shadow.
 */
#ifndef PROF_TARGET_DIVERSION_H
#define PROF_TARGET_DIVERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A return that is diverted. */
struct prof_diverted {
	uint64_t function; /* address of the function that was called */
	uint64_t shadow;   /* address of the word with the true return address */
};

/* Who knows of diverted returns.  Both functions may be called from any thread. */
struct prof_diversion {
	/*
	 * Is the return diverted of the function of PROCESS whose return address is VALUE, in the
	 * word at SLOT?  Fills RET, or leaves it.
	 */
	bool (*find)(pid_t process, uint64_t slot, uint64_t value, struct prof_diverted *ret);

	/* Replaces return addresses that are diverted among LENGTH BYTES, which were read just now
	 * at ADDRESS of PROCESS, by the true ones. */
	void (*mask)(pid_t process, uint64_t address, void *bytes, size_t length);
};

#endif
