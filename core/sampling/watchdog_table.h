/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The memory that gdbprof shares with its watchdog, a memfd of one struct prof_watchdog_table. */
#ifndef PROF_SAMPLING_WATCHDOG_TABLE_H
#define PROF_SAMPLING_WATCHDOG_TABLE_H

#include <stdatomic.h>

/* Processes that can be sampled by SIGSTOP at a time. */
enum { PROF_WATCHDOG_PROCESSES = 64 };

struct prof_watchdog_entry {
	atomic_int process; /* 0: the entry is free */
	atomic_int stops;   /* ticks by SIGSTOP sent to its threads and not met */
};

struct prof_watchdog_table {
	struct prof_watchdog_entry entries[PROF_WATCHDOG_PROCESSES];
};

#endif
