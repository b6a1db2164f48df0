/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/callgrind.h"

#include "base/strings.h"
#include "formats/callgrind_outermost.h"
#include "formats/damage.h"
#include "formats/import.h"
#include "formats/lines.h"
#include "formats/part.h"
#include "formats/types.h"
#include "formats/thread_index.h"
#include "model/arcs.h"
#include "model/experiment.h"
#include "model/samples.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS_MOST = 64 };

/* Things that have names; each kind has its own numbers. */
enum kind { KIND_OBJECT, KIND_FILE, KIND_FUNCTION, KINDS };

/* A place in the code: strings. */
struct place {
	uint32_t names[KINDS];
};

struct reader {
	struct prof_lines lines;
	struct prof_experiment *experiment; /* borrowed */
	struct prof_map numbers[KINDS];     /* number in the file -> string */
	struct prof_thread_index threads;
	uint32_t none; /* string: "" */

	/* The format of the lines that begin with numbers. */
	size_t positions,
		line_at; /* the number of positions, and which of them is the line of source */
	size_t events, counted; /* the number of costs, and which of them is the count of samples */
	struct prof_type types[EVENTS_MOST];

	/* The state of the reader. */
	uint32_t thread;
	struct place here;    /* of the lines that follow */
	uint32_t own_file;    /* string: the file of "fn=", which "fi=" and "fe=" do not change */
	struct place callee;  /* of the next call; PROF_NONE: the same as the caller's */
	int64_t position[2];  /* the last line's; see positions */
	uint32_t call_callee; /* frame */
	uint64_t calls;
	/* A call's costs are next; the function is <Total>, which calls the outermost ones. */
	bool called, outside;
};

static void reader_deinit(struct reader *reader)
{
	prof_lines_close(&reader->lines);
	for (int i = 0; i < KINDS; i++)
		prof_map_deinit(&reader->numbers[i]);
	prof_thread_index_deinit(&reader->threads);
}

/* Does TEXT begin with WORD?  If so, advances *TEXT behind it and the blanks that follow. */
static bool skip(struct prof_part *text, const char *word)
{
	if (!prof_part_skip(text, word))
		return false;
	while (text->length && prof_part_is_blank(*text->text)) {
		text->text++;
		text->length--;
	}
	return true;
}

/* The next word of *TEXT, which is advanced behind it; empty if there is none. */
static struct prof_part cut(struct prof_part *text)
{
	struct prof_part word;

	skip(text, "");
	word = *text;
	while (text->length && !prof_part_is_blank(*text->text)) {
		text->text++;
		text->length--;
	}
	word.length -= text->length;
	return word;
}

bool prof_callgrind_probe(const char *bytes, size_t length)
{
	static const char *const heads[] = {
		"version:", "creator:", "cmd:", "pid:", "part:", "desc:", "positions:", "events:"};
	const char *line;
	size_t at = 0, size;
	bool any;

	/* Skips header lines, up to the one that each file must have. */
	do {
		size = prof_lines_cut(bytes, length, &at, &line);
		any = false;
		for (size_t i = 0; i < PROF_COUNT(heads); i++) {
			struct prof_part text = {line, size};
			any |= size && skip(&text, heads[i]);
			if (any && i + 1 == PROF_COUNT(heads))
				return true;
		}
	} while (any);
	return false;
}

/* Reads a number of the file, decimal or hex. */
static bool read_number(struct prof_part word, int64_t *ret)
{
	uint64_t value = 0;

	if (word.length < 3 || word.text[0] != '0' || word.text[1] != 'x')
		return prof_lines_number(word.text, word.length, 0, INT64_MAX, ret);
	for (size_t i = 2; i < word.length; i++) {
		const char *digits = "0123456789abcdef", *digit = strchr(digits, word.text[i]);
		if (!digit || !*digit || value >> 59)
			return false;
		value = value * 16 + (uint64_t)(digit - digits);
	}
	*ret = (int64_t)value;
	return true;
}

static struct prof_error *is_no(
	const struct reader *reader, struct prof_part word, const char *what)
{
	return prof_lines_damaged(&reader->lines, "has \"%.*s\", which is not a %s",
		prof_lines_shown(word.length), word.text, what);
}

/* Reads `(NUMBER) NAME`, which has the name only the first time, or just `NAME`. */
static struct prof_error *read_name(
	struct reader *reader, enum kind kind, struct prof_part text, uint32_t *ret)
{
	const char *end =
		text.length && *text.text == '(' ? memchr(text.text, ')', text.length) : NULL;
	int64_t number = 0;
	bool numbered = end &&
		prof_lines_number(
			text.text + 1, (size_t)(end - text.text) - 1, 0, INT64_MAX, &number);

	if (numbered) {
		text.length -= (size_t)(end + 1 - text.text);
		text.text = end + 1;
		skip(&text, "");
		*ret = prof_map_get(&reader->numbers[kind], (uint64_t)number);
		if (!text.length && *ret == PROF_NONE)
			return prof_lines_damaged(&reader->lines,
				"refers to the name (%lld), which is not defined",
				(long long)number);
		if (!text.length || *ret != PROF_NONE)
			return NULL;
	}
	if (kind == KIND_FILE && prof_part_is(text, "???"))
		text.length = 0;
	struct prof_error *error =
		prof_strings_add(&reader->experiment->strings, text.text, text.length, ret);
	if (!error && numbered && !prof_map_add(&reader->numbers[kind], (uint64_t)number, *ret))
		error = prof_error_nomem();
	return error;
}

/* The frame of PLACE at its LINE. */
static struct prof_error *find_frame(
	struct reader *reader, const struct place *place, int64_t line, uint32_t *ret)
{
	static const char unknown[] = PROF_UNKNOWN;
	const char *object = prof_experiment_text(reader->experiment, place->names[KIND_OBJECT]);
	const char *name = prof_experiment_text(reader->experiment, place->names[KIND_FUNCTION]);
	uint32_t module, function, file = place->names[KIND_FILE];
	struct prof_error *error =
		prof_experiment_module(reader->experiment, *object ? object : unknown, "", &module);

	if (!*name || !strcmp(name, "???"))
		name = unknown;
	if (!error)
		error = prof_experiment_function(
			reader->experiment, name, strlen(name), module, &function);
	return error
		? error
		: prof_experiment_frame_at(reader->experiment, function, file, (uint32_t)line, ret);
}

/* Reads the positions at the beginning of LINE; later lines may be relative to them. */
static struct prof_error *read_positions(struct reader *reader, struct prof_part *line)
{
	for (size_t i = 0; i < reader->positions; i++) {
		struct prof_part word = cut(line), number = word;
		int64_t *position = &reader->position[i], step;
		if (prof_part_is(word, "*"))
			continue;
		bool more = skip(&number, "+"), less = !more && skip(&number, "-");
		if (!read_number(number, &step))
			return is_no(reader, word, "position");
		if (less)
			step = -step;
		if ((more || less) && __builtin_add_overflow(*position, step, &step))
			return is_no(reader, word, "position");
		*position = step;
	}
	if (reader->position[reader->line_at] < 0 || reader->position[reader->line_at] > UINT32_MAX)
		return prof_lines_damaged(&reader->lines, "is for the line %lld",
			(long long)reader->position[reader->line_at]);
	return NULL;
}

/* Reads the costs at the end of LINE; missing ones are 0. */
static struct prof_error *read_costs(
	struct reader *reader, struct prof_part line, struct prof_type_sum *sum)
{
	for (size_t i = 0; skip(&line, "") && line.length; i++) {
		struct prof_part word = cut(&line);
		int64_t cost;
		if (i == reader->events)
			return prof_lines_damaged(
				&reader->lines, "has more than %zu costs", reader->events);
		if (!read_number(word, &cost))
			return is_no(reader, word, "cost");
		if (i == reader->counted)
			sum->values[PROF_QUANTITY_SAMPLES] = prof_value_of(cost);
		prof_type_add(&reader->types[i], prof_value_of(cost), sum);
	}
	if (!prof_type_end(sum))
		return prof_lines_damaged(&reader->lines, "has a cost that is too large");
	return NULL;
}

static bool any_value(const struct prof_type_sum *sum)
{
	for (int i = 0; i < PROF_QUANTITIES; i++) {
		if (sum->values[i])
			return true;
	}
	return false;
}

/* Adds the pending call, made from FRAME. */
static struct prof_error *add_call(
	struct reader *reader, uint32_t frame, const struct prof_type_sum *sum)
{
	reader->called = false;
	return prof_experiment_arc_cost(reader->experiment, reader->outside ? PROF_NONE : frame,
		reader->call_callee, reader->calls, sum->values);
}

/* Reads a line of positions and costs: those of code, or of the pending call. */
static struct prof_error *read_line_of_costs(struct reader *reader, struct prof_part line)
{
	struct prof_type_sum sum = {0};
	struct prof_sample sample = {.thread = reader->thread};
	uint32_t frame = PROF_NONE;
	struct prof_error *error = read_positions(reader, &line);

	if (!error && !reader->events)
		return prof_lines_damaged(
			&reader->lines, "has costs, but no line \"events:\" came before it");
	if (!error)
		error = read_costs(reader, line, &sum);
	if (!error && (reader->called || any_value(&sum)))
		error = find_frame(
			reader, &reader->here, reader->position[reader->line_at], &frame);
	if (!error && reader->called)
		return add_call(reader, frame, &sum);
	if (error || !any_value(&sum))
		return error;
	sample.state = (uint8_t)sum.state;
	error = prof_experiment_path(reader->experiment, 0, frame, &sample.path);
	return error ? error : prof_experiment_sample(reader->experiment, &sample, sum.values);
}

/* Reads the rest of `calls=COUNT POSITION...`. */
static struct prof_error *read_calls(struct reader *reader, struct prof_part text)
{
	struct prof_part word = cut(&text);
	int64_t count, position[2];
	struct place callee = reader->callee;

	if (!read_number(word, &count))
		return is_no(reader, word, "number of calls");
	if (callee.names[KIND_FUNCTION] == PROF_NONE)
		return prof_lines_damaged(
			&reader->lines, "has calls, but no line \"cfn=\" came before it");
	if (callee.names[KIND_OBJECT] == PROF_NONE)
		callee.names[KIND_OBJECT] = reader->here.names[KIND_OBJECT];
	if (callee.names[KIND_FILE] == PROF_NONE)
		callee.names[KIND_FILE] = reader->own_file;
	memcpy(position, reader->position, sizeof position);
	struct prof_error *error = read_positions(reader, &text);
	if (!error)
		error = find_frame(
			reader, &callee, reader->position[reader->line_at], &reader->call_callee);
	/* The next line is relative to the line before the call, not to the call's target. */
	memcpy(reader->position, position, sizeof position);
	for (int i = 0; i < KINDS; i++)
		reader->callee.names[i] = PROF_NONE;
	reader->calls = (uint64_t)count;
	reader->called = !error;
	return error;
}

static struct prof_error *read_events(struct reader *reader, struct prof_part text)
{
	reader->events = reader->counted = 0;
	for (struct prof_part word = cut(&text); word.length; word = cut(&text)) {
		char name[32] = "";
		if (reader->events == EVENTS_MOST)
			return prof_lines_damaged(
				&reader->lines, "has more than %d events", EVENTS_MOST);
		if (word.length < sizeof name)
			memcpy(name, word.text, word.length);
		if (prof_part_is(word, "samples"))
			reader->counted = reader->events;
		reader->types[reader->events++] = prof_type_of(name, "ns");
	}
	prof_type_settle(reader->types, reader->events);
	return NULL;
}

static struct prof_error *read_position_names(struct reader *reader, struct prof_part text)
{
	struct prof_part first = cut(&text), second = cut(&text);
	bool both = prof_part_is(first, "instr") && prof_part_is(second, "line");

	if (!both &&
		(second.length || (!prof_part_is(first, "line") && !prof_part_is(first, "instr"))))
		return prof_lines_damaged(
			&reader->lines, "has positions other than \"line\" and \"instr\"");
	reader->positions = both ? 2 : 1;
	reader->line_at = reader->positions - 1;
	return NULL;
}

/* The lines that follow belong to the thread that TEXT names. */
static struct prof_error *read_thread(struct reader *reader, struct prof_part text)
{
	int64_t id;

	if (!prof_lines_number(text.text, text.length, 0, INT64_MAX, &id))
		return is_no(reader, text, "thread");
	return prof_thread_index_get(&reader->threads, reader->experiment, id, "", &reader->thread);
}

/* Reads `KEY=NAME`, if KEY says where code is. */
static struct prof_error *read_place(struct reader *reader, struct prof_part line, bool *ret)
{
	static const struct {
		const char *key;
		enum kind kind;
		bool callee;
	} keys[] = {{"ob=", KIND_OBJECT, false}, {"fl=", KIND_FILE, false},
		{"fi=", KIND_FILE, false}, {"fe=", KIND_FILE, false}, {"fn=", KIND_FUNCTION, false},
		{"cob=", KIND_OBJECT, true}, {"cfi=", KIND_FILE, true}, {"cfl=", KIND_FILE, true},
		{"cfn=", KIND_FUNCTION, true}};
	struct prof_error *error = NULL;

	*ret = false;
	for (size_t i = 0; !error && !*ret && i < PROF_COUNT(keys); i++) {
		struct place *place = keys[i].callee ? &reader->callee : &reader->here;
		struct prof_part text = line;
		if (!skip(&text, keys[i].key))
			continue;
		*ret = true;
		error = read_name(reader, keys[i].kind, text, &place->names[keys[i].kind]);
		if (!error && keys[i].kind == KIND_FUNCTION && !keys[i].callee) {
			const char *name = prof_experiment_text(
				reader->experiment, place->names[KIND_FUNCTION]);
			reader->own_file = place->names[KIND_FILE];
			reader->outside = !strcmp(name, "<Total>");
		}
	}
	return error;
}

/* Is LINE `KEY: TEXT` or `KEY=TEXT` with a key that is not needed? */
static bool is_other(struct prof_part line)
{
	size_t length = 0;

	while (length < line.length &&
		((line.text[length] >= 'a' && line.text[length] <= 'z') ||
			(line.text[length] >= 'A' && line.text[length] <= 'Z')))
		length++;
	return length && length < line.length &&
		(line.text[length] == ':' || line.text[length] == '=');
}

static struct prof_error *read_line(void *context)
{
	struct reader *reader = context;
	struct prof_part line = reader->lines.line;
	struct prof_part text = line;
	bool place;

	if (strchr("0123456789+-*", *line.text))
		return read_line_of_costs(reader, line);
	if (reader->called)
		return prof_lines_damaged(&reader->lines, "is not the cost of the call before it");
	if (skip(&text, "calls="))
		return read_calls(reader, text);
	if (skip(&text, "events:"))
		return read_events(reader, text);
	if (skip(&text, "positions:"))
		return read_position_names(reader, text);
	if (skip(&text, "thread:"))
		return read_thread(reader, text);
	struct prof_error *error = read_place(reader, line, &place);
	if (!error && !place && !is_other(line))
		error = prof_lines_damaged(&reader->lines, "is not in callgrind's format");
	return error;
}

static struct prof_error *begin(struct reader *reader)
{
	struct prof_error *error = prof_experiment_string(reader->experiment, "", &reader->none);

	if (!error)
		error = read_thread(reader, (struct prof_part){"0", 1});
	reader->positions = 1;
	reader->own_file = reader->none;
	for (int i = 0; i < KINDS; i++) {
		reader->here.names[i] = reader->none;
		reader->callee.names[i] = PROF_NONE;
	}
	return error;
}

static struct prof_error *read_lines(struct reader *reader, const struct prof_progress *progress)
{
	struct prof_error *error = begin(reader);

	if (!error)
		error = prof_lines_read(&reader->lines, progress, read_line, reader);
	if (!error && reader->called)
		error = prof_lines_damaged(
			&reader->lines, "is the end, where the cost of a call is missing");
	if (!error && !reader->experiment->samples.count && !reader->experiment->arcs.count)
		error = prof_damage_without(reader->lines.path, "costs",
			"If callgrind wrote it, check --toggle-collect and --instr-atstart");
	return error;
}

struct prof_error *prof_callgrind_read(
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
		error = prof_callgrind_add_outermost(experiment);
	if (!error)
		*ret = steal(&experiment);
	return error;
}
