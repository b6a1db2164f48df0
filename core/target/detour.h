/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A detour: a thread that stands still has to make system calls when it goes on, before it goes on
 * where it stands.
 *
 * A debugger that sets a thread's registers for a system call and puts them back afterwards leaves
 * a broken program behind if it is killed in between.  So the thread puts its registers back
 * itself: the debugger writes them into memory of the program that nobody else uses, and has the
 * thread go on at code there that makes the calls, loads the registers and jumps back.  Nobody has
 * to wait for it.  A system call that the thread stopped in is made again, or fails with EINTR if a
 * handler runs before, just as the kernel has it.
 *
 * For programs of x86-64 only.
 */
#ifndef PROF_TARGET_DETOUR_H
#define PROF_TARGET_DETOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	PROF_DETOUR_CALLS = 3,    /* so many system calls at the most */
	PROF_DETOUR_CODE = 256,   /* bytes of code */
	PROF_DETOUR_LATER = 5,    /* registers of a call that is not the first: 4 arguments */
	PROF_DETOUR_PAYLOAD = 96, /* bytes that the calls' arguments may point to */
};

/* A system call.  Only the first one of a detour has more than 4 arguments. */
struct prof_detour_call {
	uint64_t number; /* as of syscall(2) */
	uint64_t arguments[6];
};

/* A detour's data in the program. */
struct prof_detour_data {
	uint64_t registers[9];
	uint64_t resume;      /* where the thread goes on */
	uint64_t interrupted; /* the same, if a handler has run and its system call fails */
	uint64_t done; /* not 0: the detour is over; where the program cannot write: unused */
	uint64_t later[PROF_DETOUR_CALLS - 1][PROF_DETOUR_LATER];
	unsigned char payload[PROF_DETOUR_PAYLOAD];
};

struct prof_detour {
	pid_t process;
	uint64_t code, data; /* addresses in it */
	bool marks;          /* the program can write the data, and marks a detour that is over */
};

/* Does this machine have detours? */
bool prof_detour_is_possible(void);

/* Fills in the code, to be written to DETOUR->code. */
void prof_detour_build(const struct prof_detour *detour, unsigned char code[PROF_DETOUR_CODE]);

/* The address of the first argument of the call INDEX, from 1 on, of COUNT: a call before it may
 * write there. */
uint64_t prof_detour_argument(const struct prof_detour *detour, size_t index, size_t count);

/* The address of the payload. */
uint64_t prof_detour_payload(const struct prof_detour *detour);

/*
 * Has THREAD, which has stopped for a signal under a ptrace() of the caller's thread, make COUNT
 * CALLS when it goes on.  PAYLOAD has SIZE bytes.  The detour must not be under way.  False:
 * nothing has changed, because the thread must not be sent there now: it is not stopped for a
 * signal, not in 64-bit code, or in the middle of a restartable sequence (rseq).
 */
bool prof_detour_enter(const struct prof_detour *detour, pid_t thread,
	const struct prof_detour_call *calls, size_t count, const void *payload, size_t size);

/*
 * Has THREAD, which stands still, execute the system call CALL right now by a single step, and puts
 * it back as it was; *RESULT is the call's.  DETOUR must not be under way; if the caller is killed,
 * the thread goes on as from any detour.  False: it cannot be done now, for example because the
 * thread blocks SIGTRAP.
 */
bool prof_detour_call_now(const struct prof_detour *detour, pid_t thread,
	const struct prof_detour_call *call, int64_t *result);

/*
 * THREAD has stopped, at PC: if that is in DETOUR, it stands at once where the detour leads to, its
 * registers included.  True: it was so.
 */
bool prof_detour_leave(const struct prof_detour *detour, pid_t thread);

#endif
