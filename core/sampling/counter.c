/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/counter.h"

#include "sampling/counter_kind.h"
#include "sampling/counter_open.h"
#include "target/arch.h"
#include "target/instruction.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One counter as the user wrote it, cut into its parts. */
struct request {
	char *name;
	const char *reg;      /* the text behind the slash; NULL: there is no slash */
	const char *interval; /* the text behind the last colon, if that is an interval; otherwise
				 NULL */
	struct prof_counter_entry entry;
};

static void request_deinit(struct request *request)
{
	prof_counter_entry_deinit(&request->entry);
	free(request->name);
}

void prof_counters_deinit(struct prof_counters *counters)
{
	for (size_t i = 0; i < counters->list.count; i++)
		free(counters->list.items[i].name);
	free(counters->list.items);
	*counters = (struct prof_counters){0};
}

/* The largest prime up to NUMBER; 1 where there is none. */
static int64_t prime_below(int64_t number)
{
	for (; number > 2; number--) {
		int64_t factor = 2;
		while (factor * factor <= number && number % factor)
			factor++;
		if (factor * factor > number)
			return number;
	}
	return number < 1 ? 1 : number;
}

/*
 * Is WORD meant as an interval?  No name of a counter ends in such a word, but a unit mask may be
 * 0x1f.
 */
static bool is_interval(const char *word)
{
	return (isdigit((unsigned char)*word) && word[1] != 'x') || *word == '-' || *word == '+' ||
		*word == '.' || !strcmp(word, "hi") || !strcmp(word, "on") || !strcmp(word, "lo");
}

/* Reads the interval WORD of the counter NAME; OTHERWISE is the default. */
static struct prof_error *read_interval(
	const char *name, const char *word, int64_t otherwise, int64_t *ret)
{
	char *end;

	if (!strcmp(word, "on")) {
		*ret = otherwise;
		return NULL;
	}
	if (!strcmp(word, "hi") || !strcmp(word, "lo")) {
		*ret = prime_below(*word == 'h' ? otherwise / 10 : otherwise * 10);
		return NULL;
	}
	errno = 0;
	long long value = strtoll(word, &end, 10);
	if (!isdigit((unsigned char)*word) || *end || errno || value < 1 ||
		value > PROF_COUNTER_LONGEST)
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not a valid interval for \"%s\": give a number of events from 1 to %" PRId64
			", or hi, on or lo.",
			word, name, PROF_COUNTER_LONGEST);
	*ret = value;
	return NULL;
}

/* Finds the counter of REQUEST's name, without a register and an interval. */
static struct prof_error *find(struct request *request, bool *found)
{
	prof_counter_entry_deinit(&request->entry);
	return prof_counter_find(request->name, &request->entry, found);
}

/*
 * Cuts an interval off REQUEST's name: the text behind the last colon, if that looks like one.  A
 * word that does not is taken for an interval nevertheless if the text before it is a counter that
 * takes nothing else behind a colon: then it is an error.
 */
static void cut_interval(struct request *request)
{
	char *colon = strrchr(request->name, ':');
	bool found = false;

	if (!colon)
		return;
	if (is_interval(colon + 1)) {
		*colon = '\0';
		request->interval = colon + 1;
		return;
	}
	struct prof_error *wrong = find(request, &found);
	prof_error_destroy(wrong);
	if (found)
		return;
	*colon = '\0';
	struct prof_error *error = find(request, &found);
	prof_error_destroy(error);
	if (!error && found && (!wrong || request->entry.kind != PROF_COUNTER_RAW))
		request->interval = colon + 1;
	else
		*colon = ':';
}

/* Cuts a register off. */
static void cut_register(struct request *request)
{
	char *slash = strrchr(request->name, '/');

	if (!slash)
		return;
	*slash = '\0';
	request->reg = slash + 1;
}

/* Reads the register of REQUEST, on a CPU whose counters the kernel permits in SCOPE. */
static struct prof_error *read_register(
	const struct request *request, enum prof_perf_scope scope, int *ret)
{
	char *end;

	if (!request->entry.counter.hardware)
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" takes no register: the kernel counts it.", request->name);
	unsigned count = prof_counter_raw_registers();
	if (!count)
		count = prof_counter_room(scope);
	errno = 0;
	long number = strtol(request->reg, &end, 10);
	if (!isdigit((unsigned char)*request->reg) || *end || errno || number >= (long)count)
		return prof_error_create(PROF_ERROR_MISSING,
			"This CPU has no counter register \"%s\": those for \"%s\" are 0 to %u.",
			request->reg, request->name, count ? count - 1 : 0);
	*ret = (int)number;
	return NULL;
}

/* Checks that COUNTER is not one of COUNTERS, and does not use the register of one. */
static struct prof_error *check_others(
	const struct prof_counters *counters, const struct prof_counter *counter)
{
	for (size_t i = 0; i < counters->list.count; i++) {
		const struct prof_counter *other = &counters->list.items[i];
		if (other->type == counter->type && other->config == counter->config &&
			other->config1 == counter->config1 && other->config2 == counter->config2 &&
			other->exclude_user == counter->exclude_user &&
			other->exclude_kernel == counter->exclude_kernel)
			return strcmp(other->name, counter->name) != 0
				? prof_error_create(PROF_ERROR_USAGE,
					  "\"%s\" and \"%s\" are the same counter: give one of them.",
					  other->name, counter->name)
				: prof_error_create(PROF_ERROR_USAGE,
					  "The counter \"%s\" is given twice: give it once.",
					  counter->name);
		if (counter->reg >= 0 && other->reg == counter->reg)
			return prof_error_create(PROF_ERROR_USAGE,
				"\"%s\" and \"%s\" both name the counter register %d: give each its own.",
				other->name, counter->name, counter->reg);
	}
	return NULL;
}

/* Can the instruction and the data address of COUNTER's events be found? */
static struct prof_error *check_search(const struct prof_counter *counter, const char *name)
{
	if (!counter->access)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"\"+%s\": \"%s\" does not count accesses to memory: + is for counters that prof-counters lists as load, store or load-store.",
			name, name);
	return counter->restarts ? NULL : prof_instruction_available();
}

/* Reads the one counter TEXT, and adds it to COUNTERS. */
static struct prof_error *read_one(
	const char *text, size_t length, enum prof_perf_scope scope, struct prof_counters *counters)
{
	bool search = *text == '+';
	PROF_AUTO(request_deinit)
	struct request request = {.name = strndup(text + search, length - search)};
	struct prof_counter *counter = &request.entry.counter;
	bool found = false;

	if (!request.name)
		return prof_error_nomem();
	cut_interval(&request);
	cut_register(&request);
	struct prof_error *error = find(&request, &found);
	if (!error && !found)
		error = prof_error_create(PROF_ERROR_MISSING,
			"There is no counter \"%s\": prof-counters lists those of this machine.",
			request.name);
	if (!error && counter->kernel && counter->exclude_kernel)
		error = prof_error_create(PROF_ERROR_UNSUPPORTED,
			"\"%s\" has no events: they happen in the kernel, which its modifier leaves out.  Give the name alone.",
			request.name);
	if (!error && search)
		error = check_search(counter, request.name);
	counter->search = search;
	if (!error && request.interval)
		error = read_interval(
			request.name, request.interval, counter->interval, &counter->interval);
	if (error)
		return error;
	counter->name = strdup(request.name);
	if (!counter->name)
		return prof_error_nomem();
	int reason = prof_counter_try(&request.entry, scope);
	if (reason)
		return prof_counter_refused(counter, reason, scope);
	if (request.reg)
		error = read_register(&request, scope, &counter->reg);
	if (!error)
		error = check_others(counters, counter);
	if (error)
		return error;
	struct prof_counter *added = prof_array_push(&counters->list);
	if (!added)
		return prof_error_nomem();
	*added = *counter;
	counter->name = NULL;
	return NULL;
}

/* Reads the list TEXT into COUNTERS. */
static struct prof_error *read_all(
	const char *text, enum prof_perf_scope scope, struct prof_counters *counters)
{
	struct prof_error *error = NULL;

	for (const char *at = text; !error;) {
		size_t length = strcspn(at, ",");
		if (!length || (length == 1 && *at == '+'))
			return prof_error_create(PROF_ERROR_USAGE,
				"There is an empty name in the list of counters \"%s\": "
				"prof-counters lists names.",
				text);
		if (counters->list.count == PROF_COUNTERS)
			return prof_error_create(PROF_ERROR_TOO_LARGE,
				"A recording has at most %d counters: give fewer than \"%s\".",
				PROF_COUNTERS, text);
		error = read_one(at, length, scope, counters);
		if (!at[length])
			break;
		at += length + 1;
	}
	return error ? error : prof_counters_check(counters, scope);
}

struct prof_error *prof_counters_read(const char *text, struct prof_counters *ret)
{
	PROF_AUTO(prof_counters_deinit) struct prof_counters counters = {0};
	const struct prof_arch *arch = prof_arch_native();
	struct prof_error *why = NULL;
	enum prof_perf_scope scope = arch ? prof_perf_scope(arch, &why) : PROF_PERF_NOTHING;

	if (scope == PROF_PERF_NOTHING)
		return why ? why
			   : prof_error_create(PROF_ERROR_UNSUPPORTED,
				     "gdbprof cannot sample counters on this architecture.");
	prof_error_destroy(why);
	struct prof_error *error = read_all(text, scope, &counters);
	if (error)
		return error;
	*ret = counters;
	counters = (struct prof_counters){0};
	return NULL;
}
