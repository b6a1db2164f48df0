/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The well-known counters, by the names that the Collector gives them. */
#include "sampling/counter_kind.h"

#include <linux/perf_event.h>
#include <string.h>

/* A number of PERF_TYPE_HW_CACHE. */
#define CACHE(cache, operation, result)                                          \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##operation << 8 | \
		PERF_COUNT_HW_CACHE_RESULT_##result << 16)

struct alias {
	const char *name;
	const char *title;
	const char *raw; /* libpfm4's name */
	uint32_t type;
	uint64_t config;
	int64_t interval;
	enum prof_counter_unit unit;
	enum prof_access access;
};

#define GENERIC(event) "PERF_COUNT_HW_" #event, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event
#define CACHED(cache, operation, result)                                              \
	"PERF_COUNT_HW_CACHE_" #cache ":" #operation ":" #result, PERF_TYPE_HW_CACHE, \
		CACHE(cache, operation, result)

static const struct alias aliases[] = {
	{"cycles", "CPU Cycles", GENERIC(CPU_CYCLES), PROF_COUNTER_OFTEN, PROF_COUNTER_CYCLES,
		PROF_ACCESS_NONE},
	{"insts", "Instructions Executed", GENERIC(INSTRUCTIONS), PROF_COUNTER_OFTEN,
		PROF_COUNTER_EVENTS, PROF_ACCESS_NONE},
	{"ref-cycles", "Reference Cycles", GENERIC(REF_CPU_CYCLES), PROF_COUNTER_OFTEN,
		PROF_COUNTER_CYCLES, PROF_ACCESS_NONE},
	{"fe_stall", "Front-end Stall Cycles", GENERIC(STALLED_CYCLES_FRONTEND),
		PROF_COUNTER_RAW_DEFAULT, PROF_COUNTER_CYCLES, PROF_ACCESS_NONE},
	{"be_stall", "Back-end Stall Cycles", GENERIC(STALLED_CYCLES_BACKEND),
		PROF_COUNTER_RAW_DEFAULT, PROF_COUNTER_CYCLES, PROF_ACCESS_NONE},
	{"branches", "Branches", GENERIC(BRANCH_INSTRUCTIONS), PROF_COUNTER_RAW_DEFAULT,
		PROF_COUNTER_EVENTS, PROF_ACCESS_NONE},
	{"brm", "Branch Mispredicts", GENERIC(BRANCH_MISSES), PROF_COUNTER_SELDOM,
		PROF_COUNTER_EVENTS, PROF_ACCESS_NONE},
	{"dcr", "D$ Reads", CACHED(L1D, READ, ACCESS), PROF_COUNTER_RAW_DEFAULT,
		PROF_COUNTER_EVENTS, PROF_ACCESS_LOAD},
	{"dcw", "D$ Writes", CACHED(L1D, WRITE, ACCESS), PROF_COUNTER_RAW_DEFAULT,
		PROF_COUNTER_EVENTS, PROF_ACCESS_STORE},
	{"dcm", "D$ Misses", CACHED(L1D, READ, MISS), PROF_COUNTER_SELDOM, PROF_COUNTER_EVENTS,
		PROF_ACCESS_LOAD},
	{"dcrm", "D$ Read Misses", CACHED(L1D, READ, MISS), PROF_COUNTER_SELDOM,
		PROF_COUNTER_EVENTS, PROF_ACCESS_LOAD},
	{"dcwm", "D$ Write Misses", CACHED(L1D, WRITE, MISS), PROF_COUNTER_SELDOM,
		PROF_COUNTER_EVENTS, PROF_ACCESS_STORE},
	{"icr", "I$ Reads", CACHED(L1I, READ, ACCESS), PROF_COUNTER_RAW_DEFAULT,
		PROF_COUNTER_EVENTS, PROF_ACCESS_NONE},
	{"icm", "I$ Misses", CACHED(L1I, READ, MISS), PROF_COUNTER_SELDOM, PROF_COUNTER_EVENTS,
		PROF_ACCESS_NONE},
	{"ecr", "E$ References", GENERIC(CACHE_REFERENCES), PROF_COUNTER_SELDOM,
		PROF_COUNTER_EVENTS, PROF_ACCESS_LOAD_STORE},
	{"ecm", "E$ Misses", GENERIC(CACHE_MISSES), PROF_COUNTER_SELDOM, PROF_COUNTER_EVENTS,
		PROF_ACCESS_LOAD_STORE},
	{"llm", "Last-Level Cache Read Misses", CACHED(LL, READ, MISS), PROF_COUNTER_SELDOM,
		PROF_COUNTER_EVENTS, PROF_ACCESS_LOAD},
	{"dtlbm", "DTLB Misses", CACHED(DTLB, READ, MISS), PROF_COUNTER_SELDOM, PROF_COUNTER_EVENTS,
		PROF_ACCESS_LOAD},
	{"dtlbwm", "DTLB Write Misses", CACHED(DTLB, WRITE, MISS), PROF_COUNTER_SELDOM,
		PROF_COUNTER_EVENTS, PROF_ACCESS_STORE},
	{"itlbm", "ITLB Misses", CACHED(ITLB, READ, MISS), PROF_COUNTER_SELDOM, PROF_COUNTER_EVENTS,
		PROF_ACCESS_NONE},
};

static void set(struct prof_counter_entry *entry, const struct alias *alias)
{
	entry->kind = PROF_COUNTER_ALIAS;
	entry->counter.access = alias->access;
	entry->counter.type = alias->type;
	entry->counter.config = alias->config;
	entry->counter.interval = alias->interval;
	entry->counter.unit = alias->unit;
	entry->counter.hardware = true;
	entry->counter.reg = -1;
}

/*
 * Reads the text behind an alias: nothing, or :u or :k, which count only user code or only the
 * kernel.  libpfm4 knows these, too, but not the aliases.
 */
static bool read_modifier(const char *text, struct prof_counter_entry *entry)
{
	bool user = !strcmp(text, ":u"), kernel = !strcmp(text, ":k");

	entry->counter.exclude_kernel = user;
	entry->counter.exclude_user = kernel;
	return user || kernel || !*text;
}

struct prof_error *prof_counter_alias_find(
	const char *name, struct prof_counter_entry *ret, bool *found)
{
	size_t length = strcspn(name, ":");

	*found = false;
	for (size_t i = 0; !*found && i < PROF_COUNT(aliases); i++) {
		*found = strlen(aliases[i].name) == length &&
			!strncmp(aliases[i].name, name, length) &&
			read_modifier(name + length, ret);
		if (*found)
			set(ret, &aliases[i]);
	}
	return NULL;
}

struct prof_error *prof_counter_alias_list(struct prof_counter_list *list)
{
	for (size_t i = 0; i < PROF_COUNT(aliases); i++) {
		const struct alias *alias = &aliases[i];
		struct prof_counter_entry *entry = prof_counter_list_add(
			list, PROF_COUNTER_ALIAS, alias->name, alias->raw, alias->title);
		if (!entry)
			return prof_error_nomem();
		set(entry, alias);
	}
	return NULL;
}
