/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Events that the kernel itself counts. */
#include "sampling/counter_kind.h"

#include <linux/perf_event.h>
#include <string.h>

struct software {
	const char *name;
	const char *title;
	uint64_t config;
	int64_t interval;
	enum prof_counter_unit unit;
	bool kernel; /* it happens in the kernel, whatever the program does */
	bool faults; /* an access to memory that failed, and is repeated at the given address */
};

/* All except the clocks are rare. */
static const struct software table[] = {
	{"page-faults", "Page Faults", PERF_COUNT_SW_PAGE_FAULTS, 1, PROF_COUNTER_EVENTS, false,
		true},
	{"minor-faults", "Minor Page Faults", PERF_COUNT_SW_PAGE_FAULTS_MIN, 1, PROF_COUNTER_EVENTS,
		false, true},
	{"major-faults", "Major Page Faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1, PROF_COUNTER_EVENTS,
		false, true},
	{"context-switches", "Context Switches", PERF_COUNT_SW_CONTEXT_SWITCHES, 1,
		PROF_COUNTER_EVENTS, true, false},
	{"cpu-migrations", "Moves to Another CPU", PERF_COUNT_SW_CPU_MIGRATIONS, 1,
		PROF_COUNTER_EVENTS, true, false},
	{"alignment-faults", "Alignment Faults", PERF_COUNT_SW_ALIGNMENT_FAULTS, 1,
		PROF_COUNTER_EVENTS, false, false},
	{"emulation-faults", "Emulated Instructions", PERF_COUNT_SW_EMULATION_FAULTS, 1,
		PROF_COUNTER_EVENTS, false, false},
	{"task-clock", "CPU Time of the Thread", PERF_COUNT_SW_TASK_CLOCK, PROF_COUNTER_OFTEN,
		PROF_COUNTER_NS, false, false},
	{"cpu-clock", "Time of the CPU", PERF_COUNT_SW_CPU_CLOCK, PROF_COUNTER_OFTEN,
		PROF_COUNTER_NS, false, false},
};

static void set(struct prof_counter_entry *entry, const struct software *row)
{
	entry->kind = PROF_COUNTER_SOFTWARE;
	entry->counter.type = PERF_TYPE_SOFTWARE;
	entry->counter.config = row->config;
	entry->counter.interval = row->interval;
	entry->counter.unit = row->unit;
	entry->counter.kernel = row->kernel;
	entry->counter.access = row->faults ? PROF_ACCESS_LOAD_STORE : PROF_ACCESS_NONE;
	entry->counter.restarts = row->faults;
	entry->counter.reg = -1;
}

struct prof_error *prof_counter_software_find(
	const char *name, struct prof_counter_entry *ret, bool *found)
{
	*found = false;
	for (size_t i = 0; !*found && i < PROF_COUNT(table); i++) {
		*found = !strcmp(table[i].name, name);
		if (*found)
			set(ret, &table[i]);
	}
	return NULL;
}

bool prof_counter_software_set(uint64_t config, struct prof_counter_entry *ret)
{
	for (size_t i = 0; i < PROF_COUNT(table); i++) {
		if (table[i].config == config) {
			set(ret, &table[i]);
			return true;
		}
	}
	return false;
}

struct prof_error *prof_counter_software_list(struct prof_counter_list *list)
{
	for (size_t i = 0; i < PROF_COUNT(table); i++) {
		struct prof_counter_entry *entry = prof_counter_list_add(
			list, PROF_COUNTER_SOFTWARE, table[i].name, NULL, table[i].title);
		if (!entry)
			return prof_error_nomem();
		set(entry, &table[i]);
	}
	return NULL;
}
