/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's own counters: by libpfm4's names, and by numeric codes. */
#include "sampling/counter_kind.h"

#include "base/text.h"

/* Include the kernel's header first: libpfm4 then leaves out its own copy of it. */
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>

#include <stdlib.h>
#include <string.h>

/* Is WORD one of the words of NAME, which are separated by colons, dashes, dots and underscores? */
static bool has_word(const char *name, const char *word)
{
	static const char between[] = ":-._";
	size_t length = strlen(word);

	for (;;) {
		size_t word_length = strcspn(name, between);
		if (word_length == length && !strncmp(name, word, length))
			return true;
		if (!name[word_length])
			return false;
		name += word_length + 1;
	}
}

static bool has_any(const char *name, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (has_word(name, words[i]))
			return true;
	}
	return false;
}

/* The kind of access that the event NAME counts, judging by its name. */
static enum prof_access access_of(const char *name)
{
	static const char *const loads[] = {"LOAD", "LOADS", "LD", "LDS"};
	static const char *const stores[] = {"STORE", "STORES", "ST", "STS"};
	bool load = has_any(name, loads, PROF_COUNT(loads));
	bool store = has_any(name, stores, PROF_COUNT(stores));

	if (load && store)
		return PROF_ACCESS_LOAD_STORE;
	return load ? PROF_ACCESS_LOAD : store ? PROF_ACCESS_STORE : PROF_ACCESS_NONE;
}

/*
 * Does the event NAME count the cycles of a CPU?  MODIFIERS is the list of its modifiers: if e, i
 * or c is not 0, the CPU counts something else.
 */
static bool is_cycles(const char *name, const char *modifiers)
{
	static const char *const cycles[] = {"UNHALTED_CORE_CYCLES", "UNHALTED_REFERENCE_CYCLES",
		"CPU_CLK_UNHALTED", "CPU_CLK_THREAD_UNHALTED", "CYCLES_NOT_IN_HALT",
		"CPU_CLK_NOT_HALTED", "CPU_CYCLES", "PERF_COUNT_HW_CPU_CYCLES",
		"PERF_COUNT_HW_REF_CPU_CYCLES"};
	/* Cycles of the bus, or of one hardware thread of two. */
	static const char *const others[] = {"XCLK", "BUS", "ONE", "DISTRIBUTED"};
	const char *count = strstr(modifiers, ":c=");
	bool is_plain = !strstr(modifiers, ":e=1") && !strstr(modifiers, ":i=1") &&
		(!count || count[3] == '0');

	for (size_t i = 0; is_plain && i < PROF_COUNT(cycles); i++) {
		size_t length = strlen(cycles[i]);
		if (!strncmp(name, cycles[i], length) && (!name[length] || name[length] == ':'))
			return !has_any(name + length, others, PROF_COUNT(others));
	}
	return false;
}

/* Can other programs or devices cause the event NAME, by looking for data in this CPU? */
static bool is_apart(const char *name)
{
	size_t length = strcspn(name, ":");
	const char *snoop = strstr(name, "SNOOP");

	return (snoop && (size_t)(snoop - name) < length) || !strncmp(name, "PROBE_RESPONSE", 14);
}

/* Sets the fields that follow from the full name FULL of libpfm4: PMU::NAME:MODIFIER=VALUE... */
static void describe(struct prof_counter_entry *entry, char *full)
{
	char *name = strstr(full, "::");

	name = name ? name + 2 : full;
	const char *equals = strchr(name, '=');
	char *colon = equals ? memrchr(name, ':', (size_t)(equals - name)) : NULL;
	AUTO_FREE char *modifiers = strdup(colon ? colon : "");
	if (colon)
		*colon = '\0';
	bool cycles = modifiers && is_cycles(name, modifiers);
	entry->counter.unit = cycles ? PROF_COUNTER_CYCLES : PROF_COUNTER_EVENTS;
	entry->counter.apart = is_apart(name);
	entry->counter.access = access_of(name);
}

/* Encodes NAME into ATTR; *FULL becomes its full name, to be freed.  Returns libpfm4's code. */
static int encode(const char *name, struct perf_event_attr *attr, char **full)
{
	pfm_perf_encode_arg_t argument = {.attr = attr, .fstr = full, .size = sizeof argument};

	*attr = (struct perf_event_attr){.size = sizeof *attr};
	*full = NULL;
	int code = pfm_initialize();
	return code == PFM_SUCCESS ? pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3,
					     PFM_OS_PERF_EVENT_EXT, &argument)
				   : code;
}

/* Takes libpfm4's result for a name.  False: it is a counter of another kind. */
static bool set(struct prof_counter_entry *entry, const struct perf_event_attr *attr, char *full)
{
	struct prof_counter *counter = &entry->counter;

	if (attr->type == PERF_TYPE_TRACEPOINT || attr->type == PERF_TYPE_BREAKPOINT)
		return false;
	if (attr->type == PERF_TYPE_SOFTWARE) {
		if (!prof_counter_software_set(attr->config, entry))
			return false;
	} else {
		entry->kind = PROF_COUNTER_RAW;
		counter->type = attr->type;
		counter->config = attr->config;
		counter->config1 = attr->config1;
		counter->config2 = attr->config2;
		counter->hardware = true;
		counter->interval = PROF_COUNTER_RAW_DEFAULT;
		describe(entry, full);
	}
	counter->exclude_user = attr->exclude_user;
	counter->exclude_kernel = attr->exclude_kernel;
	counter->precise = (uint8_t)attr->precise_ip;
	if (attr->sample_period && !attr->freq)
		counter->interval = (int64_t)attr->sample_period;
	return true;
}

struct prof_error *prof_counter_raw_find(
	const char *name, struct prof_counter_entry *ret, bool *found)
{
	struct perf_event_attr attr;
	AUTO_FREE char *full = NULL;

	*found = false;
	int code = encode(name, &attr, &full);
	if (code == PFM_ERR_NOTFOUND || code == PFM_ERR_NOINIT || code == PFM_ERR_NOTSUPP ||
		code == PFM_ERR_INVAL || code == PFM_ERR_TOOSMALL)
		return NULL;
	if (code == PFM_ERR_NOMEM)
		return prof_error_nomem();
	if (code != PFM_SUCCESS)
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is a counter of this CPU, but the rest of the name is not right: %s.  prof-counters lists each counter with its unit masks.",
			name, pfm_strerror(code));
	if (attr.freq || attr.sample_period > PROF_COUNTER_LONGEST)
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" has a frequency or a period: give an interval instead, as in NAME:1000003.",
			name);
	*found = set(ret, &attr, full ? full : (char[]){""});
	ret->fixed = strstr(name, "precise=") != NULL;
	return NULL;
}

/* rUUEE like perf's, or 0xUUEE. */
struct prof_error *prof_counter_code_find(
	const char *name, struct prof_counter_entry *ret, bool *found)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const char *code = name[0] == 'r' ? name + 1 : !strncmp(name, "0x", 2) ? name + 2 : "";
	size_t length = strlen(code);

	*found = length > 0 && length <= 16 && strspn(code, digits) == length;
	if (!*found)
		return NULL;
	ret->kind = PROF_COUNTER_RAW;
	ret->counter.type = PERF_TYPE_RAW;
	ret->counter.config = strtoull(code, NULL, 16);
	ret->counter.hardware = true;
	ret->counter.interval = PROF_COUNTER_RAW_DEFAULT;
	return NULL;
}

/*
 * Adds NAME, described by TITLE, if libpfm4 can encode it and the CPU counts it.  Of the kernel's
 * own events, adds only those of PERF_TYPE_HARDWARE: the others have aliases, or are no names.
 */
static struct prof_error *add(
	struct prof_counter_list *list, const char *name, const char *title, bool generic)
{
	struct perf_event_attr attr;
	AUTO_FREE char *full = NULL;

	if (encode(name, &attr, &full) != PFM_SUCCESS ||
		(generic && attr.type != PERF_TYPE_HARDWARE))
		return NULL;
	struct prof_counter_entry *entry =
		prof_counter_list_add(list, PROF_COUNTER_RAW, name, NULL, title);
	if (!entry)
		return prof_error_nomem();
	set(entry, &attr, full ? full : (char[]){""});
	return NULL;
}

/* Adds the event NUMBER with each of its unit masks, or alone if it has none. */
static struct prof_error *add_event(struct prof_counter_list *list, int number, bool generic)
{
	pfm_event_info_t event = {.size = sizeof event};
	bool masked = false;
	struct prof_error *error = NULL;

	if (pfm_get_event_info(number, PFM_OS_PERF_EVENT_EXT, &event) != PFM_SUCCESS || event.equiv)
		return NULL;
	for (int i = 0; !error && i < event.nattrs; i++) {
		pfm_event_attr_info_t mask = {.size = sizeof mask};
		AUTO_TEXT struct prof_text name = {0};
		if (pfm_get_event_attr_info(number, i, PFM_OS_PERF_EVENT_EXT, &mask) !=
				PFM_SUCCESS ||
			mask.type != PFM_ATTR_UMASK)
			continue;
		masked = true;
		prof_text_print(&name, "%s:%s", event.name, mask.name);
		error = prof_text_error(&name);
		if (!error && !mask.equiv)
			error = add(list, prof_text_get(&name), mask.desc, generic);
	}
	return error || masked ? error : add(list, event.name, event.desc, generic);
}

struct prof_error *prof_counter_raw_list(struct prof_counter_list *list)
{
	struct prof_error *error = NULL;

	if (pfm_initialize() != PFM_SUCCESS)
		return NULL;
	for (int unit = 0; !error && unit < PFM_PMU_MAX; unit++) {
		pfm_pmu_info_t pmu = {.size = sizeof pmu};
		if (pfm_get_pmu_info((pfm_pmu_t)unit, &pmu) != PFM_SUCCESS || !pmu.is_present ||
			pmu.type == PFM_PMU_TYPE_UNCORE)
			continue;
		for (int i = pmu.first_event; !error && i >= 0; i = pfm_get_event_next(i))
			error = add_event(list, i, pmu.type == PFM_PMU_TYPE_OS_GENERIC);
	}
	return error;
}

unsigned prof_counter_raw_registers(void)
{
	int most = 0;

	if (pfm_initialize() != PFM_SUCCESS)
		return 0;
	for (int unit = 0; unit < PFM_PMU_MAX; unit++) {
		pfm_pmu_info_t pmu = {.size = sizeof pmu};
		if (pfm_get_pmu_info((pfm_pmu_t)unit, &pmu) == PFM_SUCCESS && pmu.is_present &&
			pmu.type == PFM_PMU_TYPE_CORE && pmu.num_cntrs > most)
			most = pmu.num_cntrs;
	}
	return (unsigned)most;
}
