/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What /proc reports of the threads of a process, without touching them. */
#ifndef PROF_TARGET_PROCFS_H
#define PROF_TARGET_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* /proc/PID/task/TID/schedstat */
struct prof_schedstat {
	/* ns on a CPU; while it runs, as old as the last timer interrupt (PROF_SCHEDSTAT_GRAIN). */
	int64_t run;
	int64_t delay;   /* ns it waited for a CPU */
	uint64_t slices; /* how often it was given a CPU */
};

/* ns: the run time of a thread on a CPU is as old as the last timer interrupt, at the most. */
#define PROF_SCHEDSTAT_GRAIN INT64_C(10000000)

/* Sets of signals, signal N being bit N - 1, from /proc/PID/task/TID/status. */
struct prof_signals {
	uint64_t pending; /* to the thread or to the process */
	uint64_t own;     /* pending to the thread alone */
	uint64_t blocked; /* by the thread */
	uint64_t caught;  /* by the process */
};

/* The longest name of a thread, its NUL included. */
enum { PROF_THREAD_NAME = 16 };

/* Room for a whole status file: the groups of a user, in the middle of it, can be many. */
enum { PROF_PROCFS_STATUS = 16384 };

/*
 * Reads FILE of /proc/PROCESS/task/THREAD, or of /proc/PROCESS where THREAD is 0, into BUFFER of
 * SIZE bytes, with a NUL behind it.  False: there is none, or it must not be read.
 */
bool prof_procfs_read(pid_t process, pid_t thread, const char *file, char *buffer, size_t size);

/* Opens the same for the functions below; negative if it cannot. */
int prof_procfs_open(pid_t process, pid_t thread, const char *file);

/* Opens FILE of the thread of which FD is another file, or of its process; negative if it cannot.
 */
int prof_procfs_open_beside(int fd, const char *file);

/* Reads a schedstat opened as FD.  False: the thread is gone, or the kernel has no such figures. */
bool prof_procfs_schedstat(int fd, struct prof_schedstat *ret);

/* Sets of the signals below 32, as in struct prof_signals. */
struct prof_masks {
	uint32_t blocked; /* by the thread */
	uint32_t caught;  /* by the process */
};

/* CPU time as the kernel accounts it, in ns, each rounded down to prof_account_grain(). */
struct prof_account {
	int64_t user, system; /* ns */
};

/* /proc/PID/task/TID/stat */
struct prof_stat {
	char name[PROF_THREAD_NAME];
	struct prof_masks masks;
	struct prof_account account;
	uint16_t cpu; /* the number of the CPU that it was on last, plus 1; 0: not known */
};

/*
 * The state letter from a stat opened as FD: R, S, D, t, T, Z and so on, see proc(5); 0, and *RET
 * stays as it is, if the thread is gone.  RET may be NULL.
 */
char prof_procfs_stat(int fd, struct prof_stat *ret);

/* Has the thread ended, even if nobody has waited for it yet? */
bool prof_procfs_ended(pid_t process, pid_t thread);

/* ns: a jiffy, the unit of the kernel's account, see _SC_CLK_TCK in sysconf(3). */
int64_t prof_account_grain(void);

/* Writes the thread's name into NAME; "" if it is gone. */
void prof_procfs_name(pid_t process, pid_t thread, char name[PROF_THREAD_NAME]);

/* False: the thread is gone. */
bool prof_procfs_signals(pid_t process, pid_t thread, struct prof_signals *ret);

/* How often the thread has left its CPU because it waited, or stopped.  False: it is gone. */
bool prof_procfs_waits(pid_t process, pid_t thread, uint64_t *ret);

/* The process that THREAD belongs to, and the one that traces it; 0: none, or the thread is gone.
 */
pid_t prof_procfs_process(pid_t thread);
pid_t prof_procfs_tracer(pid_t thread);

/* The process that has made the process of THREAD, or has taken it on since; 0: it is gone. */
pid_t prof_procfs_parent(pid_t thread);

/* Calls VISIT for each process that there is. */
void prof_procfs_processes(void (*visit)(void *context, pid_t process), void *context);

/* Calls VISIT for each thread of PROCESS.  False: the process is gone. */
bool prof_procfs_threads(pid_t process, void (*visit)(void *context, pid_t thread), void *context);

#endif
