/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * CPU timers of a program's threads, which the program's own threads make, and which tick them
 * where the kernel permits no perf events.
 *
 * A timer (timer_create(2), CLOCK_THREAD_CPUTIME_ID, SIGEV_THREAD_ID) sends its own thread the
 * tick's signal when that has run for a period.  Like an alarm it rings once, and is set again when
 * its tick is met.  The thread makes and sets it itself, on a detour (target/detour.h) from a
 * tick's stop.
 *
 * All functions are for the thread that traces the program.  They accept NULL where there are no
 * timers, except prof_cpu_timers_set() and prof_cpu_timers_leave().
 */
#ifndef PROF_SAMPLING_CPU_TIMERS_H
#define PROF_SAMPLING_CPU_TIMERS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_cpu_timers;

/* NULL: this machine has such timers; else why not. */
struct prof_error *prof_cpu_timers_exist(void) PROF_MUST_CHECK;

/* NULL: programs can have such timers here; else why not.  A child process tries it. */
struct prof_error *prof_cpu_timers_check(void) PROF_MUST_CHECK;

/* The timers of PROCESS: none yet.  NULL: out of memory. */
struct prof_cpu_timers *prof_cpu_timers_create(pid_t process);

/* Frees TIMERS; prof_cpu_timers_clear() deletes the timers themselves. */
void prof_cpu_timers_destroy(struct prof_cpu_timers *timers);

/*
 * Has the timer of THREAD send SIGNAL when THREAD has run for NS.  THREAD stands still by a signal,
 * and must go on with PTRACE_CONT.  False: the timer does not, and nothing has changed for the
 * thread, or it is on a detour to get what the timer needs.
 */
bool prof_cpu_timers_set(struct prof_cpu_timers *timers, pid_t thread, int signal, int64_t ns);

/* Has THREAD, likewise, delete its timer when it goes on.  False: it does not. */
bool prof_cpu_timers_drop(struct prof_cpu_timers *timers, pid_t thread);

/* THREAD has stopped: if it is on a detour, it stands at once where that leads to. */
void prof_cpu_timers_leave(struct prof_cpu_timers *timers, pid_t thread);

/* THREAD has ended, or is let go. */
void prof_cpu_timers_forget(struct prof_cpu_timers *timers, pid_t thread);

/* The process has executed another program, and has no timers any more. */
void prof_cpu_timers_exec(struct prof_cpu_timers *timers);

/*
 * Has THREAD, which stands still by a signal, delete its own timer and those of threads that have
 * ended, right now.  True: none are left.  Does nothing while another signal is pending to THREAD:
 * if that were the timer's, the kernel would drop it, and a program that waits for it would wait
 * for ever.
 */
bool prof_cpu_timers_clear(struct prof_cpu_timers *timers, pid_t thread);

/* May there be any timers? */
bool prof_cpu_timers_any(struct prof_cpu_timers *timers);

/* Why the program's threads have none, a phrase; or NULL. */
const char *prof_cpu_timers_lack(const struct prof_cpu_timers *timers);

#endif
