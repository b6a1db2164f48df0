/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/perf.h"

#include "base/value.h"
#include "formats/damage.h"
#include "formats/import.h"
#include "formats/lines.h"
#include "formats/part.h"
#include "formats/text_cache.h"
#include "formats/thread_index.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/samples.h"
#include "model/state.h"

#include <stdlib.h>
#include <string.h>

/* The first line of a sample. */
struct header {
	struct prof_part command, event;
	int64_t thread, time, period; /* ns on the kernel's clock; 0: no period */
	uint16_t cpu;                 /* CPU number plus 1; 0: unknown */
	struct prof_part rest;        /* the text behind the event */
};

/* One line of a stack. */
struct frame {
	struct prof_part symbol, object; /* without the offset, without parentheses */
	bool kernel;                     /* its address is in the upper half, in the kernel */
};

/* What a line of a stack stands for, however often it comes. */
struct known {
	uint32_t module;     /* PROF_NONE: that of the frame into which it is inlined */
	size_t name, length; /* of its name, in the names */
	bool kernel;
	uint32_t frame; /* in the module INSIDE; PROF_NONE: it was not needed yet */
	uint32_t inside;
};

struct reader {
	struct prof_lines lines;
	struct prof_experiment *experiment; /* borrowed */
	struct prof_thread_index threads;
	struct prof_text_cache lines_known; /* with their numbers among the known */
	PROF_ARRAY(struct known) known;
	PROF_ARRAY(char) names;
	PROF_ARRAY(uint32_t)
	stack;                     /* of the current sample, numbers of the known, the leaf first */
	struct prof_sample sample; /* the current sample, with an absolute time */
	struct prof_sample_row row; /* the last one, with its values */
	int64_t period;             /* ns on a CPU of the current sample */
	uint32_t event;             /* of the current sample */
	bool begun, whole;          /* there is a current sample; its stack is complete */
	uint64_t number;            /* of the line before: blank lines separate samples */
};

static void reader_deinit(struct reader *reader)
{
	prof_lines_close(&reader->lines);
	prof_thread_index_deinit(&reader->threads);
	prof_text_cache_deinit(&reader->lines_known);
	free(reader->known.items);
	free(reader->names.items);
	free(reader->stack.items);
}

/* The part of LINE from AT on, without leading blanks. */
static struct prof_part rest_of(struct prof_part line, size_t at)
{
	while (at < line.length && prof_part_is_blank(line.text[at]))
		at++;
	return (struct prof_part){line.text + at, line.length - at};
}

/* Reads WORD, `TID` or `PID/TID`. */
static bool read_thread(struct prof_part word, int64_t *ret)
{
	const char *slash = word.length ? memchr(word.text, '/', word.length) : NULL;
	size_t before = slash ? (size_t)(slash - word.text) : 0;
	size_t skipped = slash ? before + 1 : 0;
	int64_t process;

	if (slash && !prof_lines_number(word.text, before, 0, INT32_MAX, &process))
		return false;
	return prof_lines_number(word.text + skipped, word.length - skipped, 0, INT32_MAX, ret);
}

/* Reads WORD, `[CPU]`. */
static bool read_cpu(struct prof_part word, uint16_t *ret)
{
	int64_t cpu;

	if (word.length <= 2 || word.text[0] != '[' || word.text[word.length - 1] != ']' ||
		!prof_lines_number(word.text + 1, word.length - 2, 0, INT32_MAX, &cpu))
		return false;
	*ret = cpu < UINT16_MAX ? (uint16_t)(cpu + 1) : 0;
	return true;
}

/* Reads WORD, `SECONDS:`. */
static bool read_time(struct prof_part word, int64_t *ret)
{
	return word.length > 1 && word.text[word.length - 1] == ':' &&
		memchr(word.text, '.', word.length) &&
		prof_lines_number(
			word.text, word.length - 1, PROF_LINES_SECONDS, PROF_TIME_MOST, ret);
}

/* Reads the fields behind the time. */
static bool read_event(struct prof_part line, size_t at, struct header *ret)
{
	struct prof_part word = prof_part_cut(line, &at);

	ret->period = 0;
	if (prof_lines_number(word.text, word.length, 0, INT64_MAX, &ret->period))
		word = prof_part_cut(line, &at);
	if (word.length < 2 || word.text[word.length - 1] != ':')
		return false;
	ret->event = (struct prof_part){word.text, word.length - 1};
	ret->rest = rest_of(line, at);
	return true;
}

/* Reads LINE as a header.  A command may contain blanks, but an id and a time follow it. */
static bool read_header(struct prof_part line, struct header *ret)
{
	size_t start = (size_t)(rest_of(line, 0).text - line.text), at = start;

	for (prof_part_cut(line, &at); at < line.length;) {
		size_t end = at, next;
		struct prof_part word = prof_part_cut(line, &at);
		if (!read_thread(word, &ret->thread))
			continue;
		next = at;
		word = prof_part_cut(line, &next);
		ret->cpu = 0;
		if (read_cpu(word, &ret->cpu))
			word = prof_part_cut(line, &next);
		if (!read_time(word, &ret->time))
			continue;
		ret->command = (struct prof_part){line.text + start, end - start};
		return read_event(line, next, ret);
	}
	return false;
}

/* Where the parenthesis at the end of LINE opens; 0: there is none. */
static size_t last_parenthesis(struct prof_part line)
{
	size_t open = 0;

	if (!line.length || line.text[line.length - 1] != ')')
		return 0;
	for (size_t i = line.length; i-- > 0;) {
		open += line.text[i] == ')';
		open -= line.text[i] == '(';
		if (!open)
			return i;
	}
	return 0;
}

/* The length of SYMBOL without its offset. */
static size_t without_offset(struct prof_part symbol)
{
	size_t at = symbol.length;

	while (at && strchr("0123456789abcdef", symbol.text[at - 1]))
		at--;
	return at < symbol.length && at > 3 && !memcmp(symbol.text + at - 3, "+0x", 3)
		? at - 3
		: symbol.length;
}

static bool is_hex(struct prof_part word)
{
	size_t digits = 0;

	while (digits < word.length && strchr("0123456789abcdef", word.text[digits]))
		digits++;
	return digits && digits == word.length;
}

/* Reads LINE as a frame. */
static bool read_frame(struct prof_part line, struct frame *ret)
{
	size_t at = 0;
	struct prof_part address = prof_part_cut(line, &at);
	size_t object = last_parenthesis(line);

	if (!is_hex(address))
		return false;
	struct prof_part symbol = rest_of((struct prof_part){line.text, object}, at);
	if (object <= at || !symbol.length)
		return false;
	while (symbol.length && prof_part_is_blank(symbol.text[symbol.length - 1]))
		symbol.length--;
	symbol.length = without_offset(symbol);
	ret->symbol = symbol;
	ret->kernel = address.length == 16 && address.text[0] >= '8';
	ret->object = (struct prof_part){line.text + object + 1, line.length - object - 2};
	return true;
}

bool prof_perf_probe(const char *bytes, size_t length)
{
	struct header header;
	const char *line;
	size_t at = 0;
	size_t size = prof_lines_cut(bytes, length, &at, &line);

	return size && !memchr(line, 0, size) &&
		read_header((struct prof_part){line, size}, &header);
}

/* Is PART the word TEXT, with or without a modifier behind a colon? */
static bool is_event(struct prof_part part, const char *text)
{
	const char *colon = memchr(part.text, ':', part.length);

	return prof_part_is(
		(struct prof_part){part.text, colon ? (size_t)(colon - part.text) : part.length},
		text);
}

/* The module of OBJECT; PROF_NONE for inlined code, whose module the next frame has. */
static struct prof_error *find_module(
	const struct reader *reader, struct prof_part object, uint32_t *ret)
{
	if (prof_part_is(object, "inlined") || prof_part_is(object, "[unknown]") ||
		!object.length) {
		*ret = prof_part_is(object, "inlined") ? PROF_NONE : 0;
		return NULL;
	}
	AUTO_FREE char *path = strndup(object.text, object.length);
	return path ? prof_experiment_module(reader->experiment, path, "", ret)
		    : prof_error_nomem();
}

/* Adds FRAME, which LINE with its KEY describes, to what is known, under the number *RET. */
static struct prof_error *add_known(struct reader *reader, struct prof_part line, uint64_t key,
	const struct frame *frame, uint32_t *ret)
{
	static const char unknown[] = PROF_UNKNOWN;
	struct prof_part name = prof_part_is(frame->symbol, "[unknown]")
		? (struct prof_part){unknown, sizeof unknown - 1}
		: frame->symbol;
	struct known known = {.name = reader->names.count,
		.length = name.length,
		.kernel = frame->kernel,
		.frame = PROF_NONE};
	struct prof_error *error = find_module(reader, frame->object, &known.module);

	if (error)
		return error;
	*ret = (uint32_t)reader->known.count;
	if (!prof_array_reserve(&reader->known, 1) ||
		!prof_array_reserve(&reader->names, name.length) ||
		!prof_text_cache_add(&reader->lines_known, key, line.text, line.length, *ret))
		return prof_error_nomem();
	memcpy(reader->names.items + reader->names.count, name.text, name.length);
	reader->names.count += name.length;
	reader->known.items[reader->known.count++] = known;
	return NULL;
}

/* Adds LINE to the current stack, if it is a frame: *IS_FRAME. */
static struct prof_error *take_frame(struct reader *reader, struct prof_part line, bool *is_frame)
{
	uint64_t key = prof_text_cache_key(line.text, line.length);
	uint32_t number = prof_text_cache_find(&reader->lines_known, key, line.text, line.length);
	struct prof_error *error = NULL;
	struct frame frame;

	*is_frame = number != PROF_NONE || read_frame(line, &frame);
	if (!*is_frame)
		return NULL;
	if (number == PROF_NONE)
		error = add_known(reader, line, key, &frame, &number);
	if (error)
		return error;
	if (!reader->stack.count && reader->known.items[number].kernel)
		reader->sample.state = PROF_STATE_SYSTEM;
	uint32_t *added = prof_array_push(&reader->stack);
	if (!added)
		return prof_error_nomem();
	*added = number;
	return NULL;
}

/* The frame that KNOWN is in MODULE. */
static struct prof_error *find_frame(
	const struct reader *reader, struct known *known, uint32_t module, uint32_t *ret)
{
	uint32_t function;
	struct prof_error *error = NULL;

	if (known->frame == PROF_NONE || known->inside != module) {
		error = prof_experiment_function(reader->experiment,
			reader->names.items + known->name, known->length, module, &function);
		if (!error)
			error = prof_experiment_frame_of(
				reader->experiment, function, &known->frame);
		known->inside = module;
	}
	*ret = known->frame;
	return error;
}

/* Forgets lines where there are too many, between two samples. */
static void forget_lines(struct reader *reader)
{
	if (!prof_text_cache_is_full(&reader->lines_known))
		return;
	prof_text_cache_deinit(&reader->lines_known);
	reader->known.count = reader->names.count = 0;
}

/* Adds the current sample, if there is one. */
static struct prof_error *flush(struct reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	struct prof_sample_row *row = &reader->row;
	struct prof_error *error = NULL;
	uint32_t module = 0, frame;

	if (!reader->begun)
		return NULL;
	for (size_t i = reader->stack.count; !error && i-- > 0;) {
		struct known *known = &reader->known.items[reader->stack.items[i]];
		module = known->module == PROF_NONE ? module : known->module;
		error = find_frame(reader, known, module, &frame);
		if (!error)
			error = prof_experiment_path(
				experiment, reader->sample.path, frame, &reader->sample.path);
	}
	reader->stack.count = 0;
	reader->begun = false;
	forget_lines(reader);
	/* What the sample before had, it has no more. */
	for (prof_quantities left = row->has; left; left &= left - 1)
		row->values[__builtin_ctzll(left)] = 0;
	row->has = 0;
	row->sample = reader->sample;
	prof_sample_row_set(row, PROF_QUANTITY_SAMPLES, prof_value_of(1));
	prof_sample_row_set(row, PROF_QUANTITY_EVENT + (int)reader->event, prof_value_of(1));
	prof_sample_row_set(
		row, PROF_QUANTITY_SPENT + reader->sample.state, prof_value_of(reader->period));
	return error ? error : prof_experiment_sample_row(experiment, row);
}

/* The thread ID while it has the name COMMAND, which exec changes. */
static struct prof_error *find_thread(
	struct reader *reader, int64_t id, struct prof_part command, uint32_t *ret)
{
	AUTO_FREE char *name = strndup(command.text, command.length);

	return name ? prof_thread_index_get(&reader->threads, reader->experiment, id, name, ret)
		    : prof_error_nomem();
}

static struct prof_error *find_event(struct reader *reader, struct prof_part event)
{
	AUTO_FREE char *name = strndup(event.text, event.length);

	return name ? prof_experiment_event(reader->experiment, name, &reader->event)
		    : prof_error_nomem();
}

/*
 * With SEVERAL events, only samples of the first one count as samples.  With one event, its value
 * is removed, because it is the number of samples.
 */
static void settle(struct prof_sample_row *row, void *several)
{
	if (!*(const bool *)several)
		prof_sample_row_set(row, PROF_QUANTITY_EVENT, 0);
	else if (!row->values[PROF_QUANTITY_EVENT])
		prof_sample_row_set(row, PROF_QUANTITY_SAMPLES, 0);
}

/*
 * The end of the file.  If there is one event, `samples` counts it.  If there are several,
 * `samples` counts those of the first, because samples of different events do not add up to
 * anything, and each event has a metric of its own.
 */
static struct prof_error *settle_events(struct prof_experiment *experiment)
{
	bool several = experiment->events.count > 1;

	if (!experiment->events.count)
		return NULL;
	if (!several)
		experiment->events.count = 0;
	return prof_samples_alter(&experiment->samples, settle, &several) ? NULL
									  : prof_error_nomem();
}

/* Begins the sample of HEADER. */
static struct prof_error *begin(struct reader *reader, const struct header *header)
{
	bool timed = is_event(header->event, "cpu-clock") || is_event(header->event, "task-clock");
	struct prof_error *error = flush(reader);

	reader->sample = (struct prof_sample){
		.time = header->time, .state = PROF_STATE_USER, .cpu = header->cpu};
	reader->period = timed ? header->period : 0;
	if (!error)
		error = find_thread(
			reader, header->thread, header->command, &reader->sample.thread);
	if (!error)
		error = find_event(reader, header->event);
	reader->begun = !error;
	return error ? error : take_frame(reader, header->rest, &reader->whole);
}

static struct prof_error *read_line(void *context)
{
	struct reader *reader = context;
	const struct prof_part line = reader->lines.line;
	bool follows =
		reader->begun && !reader->whole && reader->lines.number == reader->number + 1;
	struct header header;
	struct prof_error *error = NULL;
	bool taken = false;

	reader->number = reader->lines.number;
	if (follows)
		error = take_frame(reader, line, &taken);
	if (error || taken)
		return error;
	if (read_header(line, &header))
		return begin(reader, &header);
	return prof_lines_damaged(&reader->lines, "is not %s",
		follows ? "a frame, ADDRESS SYMBOL (OBJECT)"
			: "a sample's first line, COMMAND TID TIME: EVENT:");
}

static struct prof_error *read_lines(struct reader *reader, const struct prof_progress *progress)
{
	struct prof_error *error = prof_lines_read(&reader->lines, progress, read_line, reader);

	if (!error)
		error = flush(reader);
	if (!error)
		error = prof_damage_without_samples(reader->experiment, reader->lines.path);
	return error;
}

struct prof_error *prof_perf_read(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	PROF_AUTO(reader_deinit) struct reader reader = {0};
	struct prof_error *error = prof_import_create(path, &experiment);

	reader.experiment = experiment;
	if (!error)
		error = prof_lines_open(&reader.lines, path);
	if (!error)
		error = read_lines(&reader, progress);
	if (!error)
		error = settle_events(experiment);
	if (!error)
		error = prof_import_begin_at_zero(experiment, 0);
	if (!error)
		*ret = steal(&experiment);
	return error;
}
