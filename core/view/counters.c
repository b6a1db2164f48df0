/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/counters.h"

#include "model/access.h"
#include "model/unit.h"
#include "report/json.h"
#include "report/table.h"
#include "sampling/counter.h"
#include "sampling/counter_kind.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KIND, NAME, REGISTERS, INTERVAL, ACCESS, UNIT, ALIAS, TITLE, PRECISE, WIDTH };

static const char *const columns[WIDTH] = {
	[KIND] = "kind",
	[NAME] = "name",
	[REGISTERS] = "registers",
	[INTERVAL] = "interval",
	[ACCESS] = "access",
	[UNIT] = "unit",
	[ALIAS] = "alias_for",
	[TITLE] = "title",
	[PRECISE] = "precise",
};

static const char *const kinds[PROF_COUNTER_KINDS] = {
	[PROF_COUNTER_ALIAS] = "alias",
	[PROF_COUNTER_RAW] = "raw",
	[PROF_COUNTER_SOFTWARE] = "software",
	[PROF_COUNTER_TRACEPOINT] = "tracepoint",
};

static const char *const headings[PROF_COUNTER_KINDS] = {
	[PROF_COUNTER_ALIAS] = "Aliased HW counters available for profiling:",
	[PROF_COUNTER_RAW] = "Raw HW counters available for profiling:",
	[PROF_COUNTER_SOFTWARE] = "Software events:",
	[PROF_COUNTER_TRACEPOINT] = "Tracepoints:",
};

static const char *const units[PROF_COUNTER_UNITS] = {
	[PROF_COUNTER_EVENTS] = "events",
	[PROF_COUNTER_CYCLES] = "CPU-cycles",
	[PROF_COUNTER_NS] = "ns",
};

/* The first word of a counter's type, if it has two. */
static const char *first_word(const struct prof_counter_entry *entry)
{
	return entry->counter.apart ? "not-program-related"
				    : prof_access_names[entry->counter.access];
}

/* Is a sample of ENTRY at the very instruction that caused the event? */
static bool is_precise(const struct prof_counter_entry *entry)
{
	return entry->counter.precise || entry->counter.restarts;
}

/* Prints NAME[/{0|1}],INTERVAL, as the user may ask for it, without the comma. */
static void print_name(const struct prof_counter_list *list, const struct prof_counter_entry *entry,
	struct prof_text *text)
{
	prof_text_name(text, entry->counter.name);
	if (entry->counter.hardware && list->registers) {
		prof_text_print(text, list->registers > 1 ? "[/{" : "[/");
		for (unsigned i = 0; i < list->registers; i++)
			prof_text_print(text, "%s%u", i ? "|" : "", i);
		prof_text_print(text, list->registers > 1 ? "}]" : "]");
	}
	prof_text_print(text, ",%" PRId64, entry->counter.interval);
}

static void print_entry(const struct prof_counter_list *list,
	const struct prof_counter_entry *entry, struct prof_text *text)
{
	const char *word = first_word(entry);
	bool titled = entry->kind != PROF_COUNTER_RAW && entry->title;

	print_name(list, entry, text);
	prof_text_print(text, " (");
	if (titled) {
		prof_text_print(text, "'");
		prof_text_name(text, entry->title);
		prof_text_print(text, "'");
	}
	if (entry->raw) {
		prof_text_print(text, ", alias for ");
		prof_text_name(text, entry->raw);
	}
	prof_text_print(text, "%s%s%s%s%s)\n", titled ? "; " : "", word, *word ? " " : "",
		units[entry->counter.unit], is_precise(entry) ? "; precise" : "");
}

static bool matches(const struct prof_counter_entry *entry, const char *pattern)
{
	return !pattern || strcasestr(entry->counter.name, pattern);
}

/* The entries of KIND whose names contain PATTERN. */
static size_t count_of(
	const struct prof_counter_list *list, enum prof_counter_kind kind, const char *pattern)
{
	size_t count = 0;

	for (size_t i = 0; i < list->entries.count; i++) {
		const struct prof_counter_entry *entry = &list->entries.items[i];
		count += entry->kind == kind && matches(entry, pattern);
	}
	return count;
}

/* The length of a tracepoint's name before the colon. */
static size_t group_length(const struct prof_counter_entry *entry)
{
	return strcspn(entry->counter.name, ":");
}

/* Prints the number of tracepoints in each group, in lines as wide as a terminal. */
static void print_groups(const struct prof_counter_list *list, struct prof_text *text)
{
	enum { LINE = 78, LONGEST = 80 };
	const struct prof_counter_entry *end = list->entries.items + list->entries.count;
	size_t column = 0;

	for (const struct prof_counter_entry *at = list->entries.items; at < end;) {
		const struct prof_counter_entry *first = at++;
		size_t length = group_length(first);
		char word[LONGEST];
		if (first->kind != PROF_COUNTER_TRACEPOINT)
			continue;
		while (at < end && group_length(at) == length &&
			!strncmp(at->counter.name, first->counter.name, length))
			at++;
		snprintf(word, sizeof word, "%.*s (%td)", (int)(length < 60 ? length : 60),
			first->counter.name, at - first);
		size_t width = strlen(word) + 2;
		prof_text_print(text, "%s", column ? column + width > LINE ? ",\n" : ", " : "");
		column = column + width > LINE ? width : column + width;
		prof_text_name(text, word);
	}
	prof_text_print(text, "\nprof-counters sched: lists those of the group sched.\n");
}

static void print_kind(const struct prof_counter_list *list, enum prof_counter_kind kind,
	const char *pattern, struct prof_text *text)
{
	size_t count = count_of(list, kind, pattern);
	const char *gap = text->length ? "\n" : "";

	if (!count && (pattern || !list->missing[kind]))
		return;
	prof_text_print(text, "%s%s", gap, headings[kind]);
	if (kind == PROF_COUNTER_TRACEPOINT && !pattern && count) {
		prof_text_print(text, " %zu, in these groups\n", count);
		print_groups(list, text);
		return;
	}
	prof_text_print(text, "\n");
	if (!count)
		prof_text_print(text, "%s\n", prof_error_message(list->missing[kind]));
	for (size_t i = 0; i < list->entries.count; i++) {
		const struct prof_counter_entry *entry = &list->entries.items[i];
		if (entry->kind == kind && matches(entry, pattern))
			print_entry(list, entry, text);
	}
}

/* Are all of the CPU's counters missing for the same reason? */
static bool has_no_hardware(const struct prof_counter_list *list)
{
	return list->missing[PROF_COUNTER_ALIAS] && list->missing[PROF_COUNTER_RAW];
}

/* Is nothing available at all, for one reason? */
static bool has_nothing(const struct prof_counter_list *list)
{
	return !list->entries.count && list->missing[PROF_COUNTER_SOFTWARE];
}

/* No name contains PATTERN: it may be a counter that is missing here. */
static void print_nothing(
	const struct prof_counter_list *list, const char *pattern, struct prof_text *text)
{
	prof_text_print(text, "No counter of this machine has \"");
	prof_text_name(text, pattern ? pattern : "");
	prof_text_print(text, "\" in its name.\n");
	for (size_t i = 0; i < PROF_COUNTER_KINDS; i++) {
		bool repeated = i == PROF_COUNTER_RAW && has_no_hardware(list);
		if (list->missing[i] && !repeated)
			prof_text_print(text, "%s\n", prof_error_message(list->missing[i]));
	}
}

/* Prints how exactly the instructions are known that cause the events of listed counters. */
static void print_notes(const struct prof_counter_list *list, bool hardware, struct prof_text *text)
{
	bool precise = false;

	for (size_t i = 0; i < list->entries.count; i++) {
		const struct prof_counter_entry *entry = &list->entries.items[i];
		precise |= entry->counter.hardware && entry->counter.access && is_precise(entry);
	}
	prof_text_print(text, "\n");
	if (hardware)
		prof_text_print(text,
			"Samples of counters that are not precise may be some instructions late (skid).\n");
	prof_text_print(text,
		"With + before the name of a load or store counter, gdbprof looks for the instruction and the\ndata address of each event.\n");
	if (hardware && !precise)
		prof_text_print(text,
			"No such counter of this CPU is precise: gdbprof searches for the instruction.\n");
}

static void print_text(
	const struct prof_counter_list *list, const char *pattern, struct prof_text *text)
{
	enum prof_counter_kind kind = PROF_COUNTER_ALIAS;

	if (has_nothing(list)) {
		prof_text_print(
			text, "%s\n", prof_error_message(list->missing[PROF_COUNTER_SOFTWARE]));
		return;
	}
	if (has_no_hardware(list)) {
		if (!pattern)
			prof_text_print(text, "%s\n",
				prof_error_message(list->missing[PROF_COUNTER_ALIAS]));
		kind = PROF_COUNTER_SOFTWARE;
	}
	for (; kind < PROF_COUNTER_KINDS; kind++)
		print_kind(list, kind, pattern, text);
	if (!text->length) {
		print_nothing(list, pattern, text);
		return;
	}
	bool hardware = count_of(list, PROF_COUNTER_ALIAS, pattern) ||
		count_of(list, PROF_COUNTER_RAW, pattern);
	if (hardware || !pattern)
		print_notes(list, hardware, text);
}

static const char *or_nothing(const char *text)
{
	return text ? text : "";
}

/* Adds the row of ENTRY. */
static bool add_row(const struct prof_counter_list *list, const struct prof_counter_entry *entry,
	struct prof_table *table)
{
	struct prof_cell *row = prof_table_row(table);

	if (!row)
		return false;
	row[KIND] = prof_cell_name(kinds[entry->kind]);
	row[NAME] = prof_cell_name(entry->counter.name);
	row[REGISTERS] = prof_cell_integer(entry->counter.hardware ? list->registers : 0);
	row[INTERVAL] = prof_cell_integer(entry->counter.interval);
	row[ACCESS] = prof_cell_name(first_word(entry));
	row[UNIT] = prof_cell_name(units[entry->counter.unit]);
	row[ALIAS] = prof_cell_name(or_nothing(entry->raw));
	row[TITLE] = prof_cell_name(or_nothing(entry->title));
	row[PRECISE] = prof_cell_integer(is_precise(entry));
	return true;
}

struct prof_error *prof_counters_print(const struct prof_counter_list *list, const char *pattern,
	enum prof_format format, struct prof_text *text)
{
	AUTO_TABLE struct prof_table table = {.key = "rows", .columns = columns, .width = WIDTH};
	const struct prof_table *tables[] = {&table};
	const struct prof_json_head head = {.view = "counters"};

	if (format == PROF_FORMAT_TEXT) {
		print_text(list, pattern, text);
		return prof_text_error(text);
	}
	for (size_t i = 0; i < list->entries.count; i++) {
		const struct prof_counter_entry *entry = &list->entries.items[i];
		if (matches(entry, pattern) && !add_row(list, entry, &table))
			return prof_error_nomem();
	}
	if (format == PROF_FORMAT_JSON)
		return prof_json_print(&head, tables, PROF_COUNT(tables), text);
	prof_table_csv(&table, text);
	return prof_text_error(text);
}
