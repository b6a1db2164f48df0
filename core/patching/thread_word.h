/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The word of each thread that stubs use, in programs that nobody has prepared for it: one of those
 * that glibc for x86-64 keeps behind the thread pointer, and has no use for any more.  They remain
 * because others depend on the size of what they are in.
 *
 * A new thread may get the memory of one that is gone, with what its word held.  So the debugger
 * clears the word of each new thread, before that has executed anything.
 */
#ifndef PROF_PATCHING_THREAD_WORD_H
#define PROF_PATCHING_THREAD_WORD_H

#include <stdbool.h>
#include <sys/types.h>

/* Bytes from the thread pointer: the last of 64 such words. */
enum { PROF_THREAD_WORD = 0x278 };

/*
 * NULL: THREAD of PROCESS, which stands still under a ptrace() of the caller's thread, can use the
 * word, and it is 0.  Else why not, a phrase that completes "because".
 */
const char *prof_thread_word_check(pid_t process, pid_t thread);

/*
 * Clears the word of THREAD, likewise, which has just been made.  False: it has none, or was
 * killed.
 */
bool prof_thread_word_clear(pid_t process, pid_t thread);

#endif
