/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/events.h"

#include "base/time_unit.h"
#include "base/value.h"
#include "formats/event_threads.h"
#include "formats/import.h"
#include "formats/lines.h"
#include "formats/part.h"
#include "model/experiment.h"
#include "model/sample_row.h"

#include <stdlib.h>
#include <string.h>

struct events {
	struct prof_lines lines;
	struct prof_event_threads threads;
	bool begun;         /* there was an event */
	int64_t begin, end; /* ns: the first and the last event of all threads */

	/* The current line. */
	size_t at;               /* where reading goes on */
	PROF_ARRAY(char) quoted; /* a name that stood between quotes, without them */
};

static void events_deinit(struct events *events)
{
	prof_event_threads_deinit(&events->threads);
	free(events->quoted.items);
	prof_lines_close(&events->lines);
}

/* The next word of LINE from *AT on, up to the next blank; its text is NULL if there is none. */
static struct prof_part cut_word(const char *line, size_t length, size_t *at)
{
	struct prof_part word = prof_part_cut((struct prof_part){line, length}, at);

	return word.length ? word : (struct prof_part){0};
}

/* Is LINE, whose first word `call` ended at AT, certainly not a folded stack? */
static bool looks_like_call(const char *line, size_t length, size_t at)
{
	struct prof_part name = cut_word(line, length, &at);

	return name.text && (*name.text == '"' || !memchr(line, ';', length));
}

bool prof_events_probe(const char *bytes, size_t length)
{
	const char *line;
	size_t at = 0, size;

	/* `thread 5` could be a folded stack, but not if a call follows it. */
	while ((size = prof_lines_cut(bytes, length, &at, &line)) > 0) {
		size_t end = 0;
		struct prof_part word = cut_word(line, size, &end);
		if (prof_part_is(word, "call"))
			return looks_like_call(line, size, end);
		if (!prof_part_is(word, "thread") && !prof_part_is(word, "ret") &&
			!prof_part_is(word, "left"))
			return false;
	}
	return false;
}

static struct prof_part next_word(struct events *events)
{
	return cut_word(events->lines.line.text, events->lines.line.length, &events->at);
}

/* Reads a text in quotes; the first quote is the next byte of the line. */
static struct prof_error *read_quoted(struct events *events, struct prof_part *ret)
{
	const char *line = events->lines.line.text;
	size_t length = events->lines.line.length;
	size_t at = events->at + 1;

	events->quoted.count = 0;
	for (; at < length && line[at] != '"'; at++) {
		if (line[at] == '\\' && at + 1 < length && strchr("\"\\", line[at + 1]))
			at++;
		char *added = prof_array_push(&events->quoted);
		if (!added)
			return prof_error_nomem();
		*added = line[at];
	}
	if (at == length)
		return prof_lines_damaged(&events->lines, "has no quote at the end of its name");
	events->at = at + 1;
	if (events->at < length && !prof_part_is_blank(line[events->at]))
		return prof_lines_damaged(&events->lines, "has no blank behind its name");
	if (!events->quoted.count)
		return prof_lines_damaged(&events->lines, "has a name with nothing in it");
	*ret = (struct prof_part){events->quoted.items, events->quoted.count};
	return NULL;
}

/* Reads a name, if there is one. */
static struct prof_error *read_name(struct events *events, struct prof_part *ret)
{
	const struct prof_lines *lines = &events->lines;

	while (events->at < lines->line.length && prof_part_is_blank(lines->line.text[events->at]))
		events->at++;
	if (events->at < lines->line.length && lines->line.text[events->at] == '"')
		return read_quoted(events, ret);
	*ret = next_word(events);
	return NULL;
}

static struct prof_error *misplaced(
	const struct events *events, struct prof_part word, const char *what)
{
	return prof_lines_damaged(&events->lines, "has \"%.*s\" where %s",
		prof_lines_shown(word.length), word.text, what);
}

static struct prof_error *expect_end(struct events *events)
{
	struct prof_part word = next_word(events);

	return word.text ? misplaced(events, word, "it should end") : NULL;
}

/* Checks that either all events have times, or none. */
static struct prof_error *check_timed(struct events *events, bool timed)
{
	if (events->begun && events->threads.timed != timed)
		return prof_lines_damaged(&events->lines, "has %s, unlike the events before",
			timed ? "a time" : "no time");
	events->threads.timed = timed;
	return NULL;
}

/* Reads the rest of the line, TICK [TIME]. */
static struct prof_error *read_moment(struct events *events, int64_t *cost, int64_t *time)
{
	struct prof_part word = next_word(events);

	if (!word.text)
		return prof_lines_damaged(&events->lines, "has no tick");
	if (!prof_lines_number(word.text, word.length, 0, INT64_MAX, cost))
		return misplaced(events, word, "its tick should be");
	word = next_word(events);
	*time = 0;
	if (word.text &&
		!prof_lines_number(
			word.text, word.length, PROF_LINES_SECONDS, PROF_TIME_MOST, time))
		return misplaced(events, word, "its time should be");
	struct prof_error *error = expect_end(events);
	return error ? error : check_timed(events, word.text != NULL);
}

/* Makes the thread of ID and NAME, which may be missing, the current one. */
static struct prof_error *enter_thread(struct events *events, int64_t id, struct prof_part name)
{
	return prof_event_threads_enter(
		&events->threads, id, name.text ? name.text : "", name.length);
}

static struct prof_error *read_thread(struct events *events)
{
	struct prof_part name, word = next_word(events);
	int64_t id;

	if (!word.text)
		return prof_lines_damaged(&events->lines, "has no id");
	if (!prof_lines_number(word.text, word.length, 0, INT64_MAX, &id))
		return misplaced(events, word, "its id should be");
	struct prof_error *error = read_name(events, &name);
	if (!error)
		error = expect_end(events);
	return error ? error : enter_thread(events, id, name);
}

/* An event must not be before the previous event of its thread. */
static struct prof_error *check_order(
	const struct events *events, const struct prof_builder *builder, int64_t cost, int64_t time)
{
	char from[PROF_VALUE_TEXT], to[PROF_VALUE_TEXT];

	if (prof_builder_fits(builder, cost, time))
		return NULL;
	if (cost < builder->cost)
		return prof_lines_damaged(&events->lines, "goes back from tick %lld to %lld",
			(long long)builder->cost, (long long)cost);
	return prof_lines_damaged(&events->lines, "goes back from the time %s to %s",
		prof_value_print(prof_value_of(builder->time), PROF_NS_PER_SECOND, from),
		prof_value_print(prof_value_of(time), PROF_NS_PER_SECOND, to));
}

/* Reads the rest of the line: the time of the event, which belongs to *RET's thread. */
static struct prof_error *read_event(
	struct events *events, int64_t *cost, int64_t *time, struct prof_builder **ret)
{
	struct prof_error *error = read_moment(events, cost, time);

	if (!error && events->threads.current == PROF_NONE)
		error = enter_thread(events, 0, (struct prof_part){0});
	if (error)
		return error;
	*ret = prof_event_threads_builder(&events->threads);
	error = check_order(events, *ret, *cost, *time);
	if (error)
		return error;
	if (!events->begun || *time < events->begin)
		events->begin = *time;
	if (!events->begun || *time > events->end)
		events->end = *time;
	events->begun = true;
	return NULL;
}

static struct prof_error *read_call(struct events *events)
{
	struct prof_experiment *experiment = events->threads.experiment;
	struct prof_builder *builder;
	int64_t cost, time;
	uint32_t function, frame;
	struct prof_part name;
	struct prof_error *error = read_name(events, &name);

	if (!error && !name.text)
		return prof_lines_damaged(&events->lines, "has no name");
	if (!error)
		error = read_event(events, &cost, &time, &builder);
	if (!error)
		error = prof_experiment_function(experiment, name.text, name.length, 0, &function);
	if (!error)
		error = prof_experiment_frame_of(experiment, function, &frame);
	return error ? error : prof_builder_call(builder, frame, cost, time);
}

static struct prof_error *read_end(struct events *events)
{
	struct prof_builder *builder;
	int64_t cost, time;
	struct prof_error *error = read_event(events, &cost, &time, &builder);

	return error ? error : prof_builder_end(builder, cost, time);
}

static struct prof_error *read_left(struct events *events)
{
	struct prof_builder *builder;
	int64_t cost, time;
	struct prof_error *error = read_event(events, &cost, &time, &builder);

	return error ? error : prof_builder_leave(builder, cost, time);
}

static struct prof_error *read_line(void *context)
{
	struct events *events = context;
	static const struct {
		const char *word;
		struct prof_error *(*read)(struct events *events);
	} kinds[] = {{"call", read_call}, {"ret", read_end}, {"left", read_left},
		{"thread", read_thread}};

	events->at = 0;
	struct prof_part word = next_word(events);
	for (size_t i = 0; i < PROF_COUNT(kinds); i++) {
		if (prof_part_is(word, kinds[i].word))
			return kinds[i].read(events);
	}
	return misplaced(events, word, "call, ret, left or thread should be");
}

struct prof_error *prof_events_read(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	PROF_AUTO(events_deinit) struct events events = {.threads.current = PROF_NONE};
	struct prof_error *error = prof_import_create(path, &experiment);

	events.threads.experiment = experiment;
	if (!error)
		error = prof_lines_open(&events.lines, path);
	if (!error)
		error = prof_lines_read(&events.lines, progress, read_line, &events);
	if (!error)
		error = prof_event_threads_finish(&events.threads, path, events.begin, progress);
	if (error)
		return error;
	experiment->recording.duration = events.end - events.begin;
	*ret = steal(&experiment);
	return NULL;
}
