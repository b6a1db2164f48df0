/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/firefox_markers.h"

#include "base/memory.h"
#include "base/search.h"
#include "metric/selection.h"
#include "model/experiment.h"
#include "model/mark.h"
#include "model/rank.h"
#include "report/sheet.h"

#include <inttypes.h>
#include <stdlib.h>

/* What the tool calls a marker at a point in time, and one that lasts. */
enum { PHASE_INSTANT = 0, PHASE_INTERVAL = 1 };

struct marker {
	uint32_t name, flow; /* strings of the thread */
	int64_t begin, end;  /* ns */
	bool receives;
	const struct prof_mpi_operation *operation; /* of a message; NULL: it is a mark */
};

/* The table of a thread. */
struct markers {
	PROF_ARRAY(struct marker) items;
};

static void markers_deinit(struct markers *markers)
{
	free(markers->items.items);
}

void prof_firefox_messages_deinit(struct prof_firefox_messages *messages)
{
	prof_mpi_matches_deinit(&messages->matches);
	free(messages->items.items);
	*messages = (struct prof_firefox_messages){0};
}

static int compare_ends(const void *left, const void *right)
{
	const struct prof_firefox_message *a = left;
	const struct prof_firefox_message *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->match != b->match)
		return a->match < b->match ? -1 : 1;
	return (a->receives > b->receives) - (a->receives < b->receives);
}

struct prof_error *prof_firefox_messages_find(
	const struct prof_sheet *sheet, struct prof_firefox_messages *ret)
{
	const struct prof_mpi_operation *rows = sheet->experiment->operations.items;
	struct prof_error *error =
		prof_mpi_matches_init(&ret->matches, rows, sheet->experiment->operations.count);

	for (uint32_t i = 0; !error && i < ret->matches.list.count; i++) {
		const struct prof_mpi_operation *send = &rows[ret->matches.list.items[i].send];
		const struct prof_mpi_operation *receive =
			&rows[ret->matches.list.items[i].receive];
		if (!prof_selection_has(sheet->selection, send->sample) ||
			!prof_selection_has(sheet->selection, receive->sample))
			continue;
		if (!prof_array_reserve(&ret->items, 2))
			return prof_error_nomem();
		ret->items.items[ret->items.count++] =
			(struct prof_firefox_message){send->thread, i, false};
		ret->items.items[ret->items.count++] =
			(struct prof_firefox_message){receive->thread, i, true};
	}
	if (!error && ret->items.count)
		qsort(ret->items.items, ret->items.count, sizeof *ret->items.items, compare_ends);
	return error;
}

/* Adds the kind NAME, whose markers are described by LABEL; FLOW says what its message does. */
static void print_kind(
	const char *name, const char *label, const char *flow, struct prof_text *text)
{
	prof_text_print(text,
		"{\"name\":\"%s\",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
		"\"tooltipLabel\":\"%s {marker.data.peer}\",\"tableLabel\":\"%s {marker.data.peer}\","
		"\"chartLabel\":\"%s {marker.data.peer}\",\"data\":["
		"{\"key\":\"peer\",\"label\":\"Other rank\",\"format\":\"integer\"},"
		"{\"key\":\"bytes\",\"label\":\"Size\",\"format\":\"bytes\"},"
		"{\"key\":\"tag\",\"label\":\"Tag\",\"format\":\"integer\"},"
		"{\"key\":\"flow\",\"label\":\"Message\",\"format\":\"%s\"}]}",
		name, label, label, label, flow);
}

void prof_firefox_print_kinds(const struct prof_firefox_messages *messages, struct prof_text *text)
{
	prof_text_print(text, "[");
	if (messages->items.count) {
		print_kind("MpiSend", "to rank", "flow-id", text);
		prof_text_print(text, ",");
		print_kind("MpiReceive", "from rank", "terminating-flow-id", text);
	}
	prof_text_print(text, "]");
}

/* Gives *NUMBER to the string LABEL of TABLES, which takes it over. */
static struct prof_error *intern(
	struct prof_firefox_tables *tables, const struct prof_text *label, uint32_t *number)
{
	struct prof_error *error = label->failed
		? prof_error_nomem()
		: prof_firefox_add_text(tables, prof_text_get(label));

	if (!error)
		*number = prof_firefox_text(tables, prof_text_get(label));
	return error;
}

static struct prof_error *add_mark(struct markers *markers,
	const struct prof_experiment *experiment, uint32_t number,
	struct prof_firefox_tables *tables)
{
	const struct prof_mark *mark = &experiment->marks.items[number];
	AUTO_TEXT struct prof_text label = {0};
	struct marker *added = prof_array_push(&markers->items);

	if (!added)
		return prof_error_nomem();
	*added = (struct marker){.begin = mark->time};
	prof_rank_print(prof_rank_of_mark(experiment, number), &label);
	prof_text_print(&label, "%s", prof_experiment_text(experiment, mark->label));
	return intern(tables, &label, &added->name);
}

static struct prof_error *add_message(struct markers *markers,
	const struct prof_experiment *experiment, const struct prof_firefox_messages *messages,
	const struct prof_firefox_message *message, struct prof_firefox_tables *tables)
{
	const struct prof_mpi_match *match = &messages->matches.list.items[message->match];
	const struct prof_mpi_operation *operation =
		&experiment->operations.items[message->receives ? match->receive : match->send];
	AUTO_TEXT struct prof_text name = {0}, flow = {0};
	struct marker *added = prof_array_push(&markers->items);

	if (!added)
		return prof_error_nomem();
	*added = (struct marker){.begin = operation->posted,
		.end = operation->end,
		.receives = message->receives,
		.operation = operation};
	prof_text_print(&name, "%s", message->receives ? "receive" : "send");
	prof_text_print(&flow, "%" PRIx32, message->match + 1);
	struct prof_error *error = intern(tables, &name, &added->name);
	return error ? error : intern(tables, &flow, &added->flow);
}

/* Adds the messages of THREAD to MARKERS. */
static struct prof_error *add_messages(struct markers *markers,
	const struct prof_experiment *experiment, const struct prof_firefox_messages *messages,
	uint32_t thread, struct prof_firefox_tables *tables)
{
	const struct prof_firefox_message *items = messages->items.items;
	struct prof_error *error = NULL;
	size_t next;

	PROF_SEARCH(next, messages->items.count, i, items[i].thread < thread);
	for (; !error && next < messages->items.count && items[next].thread == thread; next++)
		error = add_message(markers, experiment, messages, &items[next], tables);
	return error;
}

/* Writes what separates two elements of an array; I is the number of the next one. */
#define COMMA(i) ((i) ? "," : "")

static void print_times(const struct markers *markers, bool ends, struct prof_text *text)
{
	prof_text_print(text, "],\"%s\":[", ends ? "endTime" : "startTime");
	for (size_t i = 0; i < markers->items.count; i++) {
		const struct marker *marker = &markers->items.items[i];
		prof_text_print(text, "%s", COMMA(i));
		if (ends && !marker->operation)
			prof_text_print(text, "null");
		else
			prof_firefox_print_time(ends ? marker->end : marker->begin, text);
	}
}

static void print_data(const struct markers *markers, struct prof_text *text)
{
	prof_text_print(text, "],\"data\":[");
	for (size_t i = 0; i < markers->items.count; i++) {
		const struct marker *marker = &markers->items.items[i];
		const struct prof_mpi_operation *operation = marker->operation;
		if (!operation)
			prof_text_print(text, "%snull", COMMA(i));
		else
			prof_text_print(text,
				"%s{\"type\":\"%s\",\"peer\":%" PRId64 ",\"bytes\":%" PRId64
				",\"tag\":%" PRId64 ",\"flow\":%" PRIu32 "}",
				COMMA(i), marker->receives ? "MpiReceive" : "MpiSend",
				operation->peer, operation->bytes, operation->tag, marker->flow);
	}
}

static void print(const struct markers *markers, struct prof_text *text)
{
	const struct marker *items = markers->items.items;
	size_t count = markers->items.count;

	prof_text_print(text, "\"markers\":{\"name\":[");
	for (size_t i = 0; i < count; i++)
		prof_text_print(text, "%s%" PRIu32, COMMA(i), items[i].name);
	print_times(markers, false, text);
	print_times(markers, true, text);
	prof_text_print(text, "],\"phase\":[");
	for (size_t i = 0; i < count; i++)
		prof_text_print(text, "%s%d", COMMA(i),
			items[i].operation ? PHASE_INTERVAL : PHASE_INSTANT);
	prof_text_print(text, "],\"category\":[");
	for (size_t i = 0; i < count; i++)
		prof_text_print(text, "%s0", COMMA(i));
	print_data(markers, text);
	prof_text_print(text, "],\"length\":%zu},\n", count);
}

struct prof_error *prof_firefox_print_markers(const struct prof_experiment *experiment,
	const struct prof_firefox_messages *messages, uint32_t thread, bool marks,
	struct prof_firefox_tables *tables, struct prof_text *text)
{
	PROF_AUTO(markers_deinit) struct markers markers = {0};
	struct prof_error *error = NULL;

	for (uint32_t i = 0; !error && marks && i < experiment->marks.count; i++)
		error = add_mark(&markers, experiment, i, tables);
	if (!error)
		error = add_messages(&markers, experiment, messages, thread, tables);
	if (!error)
		print(&markers, text);
	return error;
}
