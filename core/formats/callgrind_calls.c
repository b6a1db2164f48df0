/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/callgrind_calls.h"

#include "formats/damage.h"
#include "formats/event_threads.h"
#include "formats/import.h"
#include "formats/lines.h"
#include "formats/part.h"
#include "model/experiment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* An open call. */
struct open_call {
	int64_t depth; /* as callgrind counts; 0: the function that ran before the first call */
	int64_t begin; /* cost of the thread at the beginning of the call */
};

/* The open calls of a thread, the outermost first. */
struct stack {
	PROF_ARRAY(struct open_call) calls;
};

struct reader {
	struct prof_lines lines;
	struct prof_event_threads threads;
	PROF_ARRAY(struct stack) stacks; /* by thread */
	struct prof_map costs;           /* address of a pair of functions -> index of its cost */
	PROF_ARRAY(int64_t) costs_until; /* the cost of all calls of the pair so far */
	bool begun;                      /* a call was read */
	bool calling, ending;            /* a call or an end was read; its block or cost follows */
	int64_t depth;                   /* after the call or end */
};

static void reader_deinit(struct reader *reader)
{
	for (size_t i = 0; i < reader->stacks.count; i++)
		free(reader->stacks.items[i].calls.items);
	free(reader->stacks.items);
	free(reader->costs_until.items);
	prof_map_deinit(&reader->costs);
	prof_event_threads_deinit(&reader->threads);
	prof_lines_close(&reader->lines);
}

/* Skips the first bytes of *TEXT that are in SET; returns how many. */
static size_t skip_all(struct prof_part *text, const char *set)
{
	size_t count = 0;

	while (count < text->length && text->text[count] && strchr(set, text->text[count]))
		count++;
	*text = (struct prof_part){text->text + count, text->length - count};
	return count;
}

static const char digits[] = "0123456789";
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/* Reads the number at the beginning of *TEXT, and advances behind it.  False: there is none. */
static bool skip_number(struct prof_part *text, int64_t *ret)
{
	const char *number = text->text;
	size_t length = skip_all(text, digits);

	return length && prof_lines_number(number, length, 0, INT64_MAX / 2, ret);
}

/* The same for a hexadecimal number, which is cut to its last 64 bits. */
static bool skip_hex(struct prof_part *text, uint64_t *ret)
{
	size_t count = 0;

	for (*ret = 0; count < text->length && isxdigit((unsigned char)text->text[count]);
		count++) {
		char c = text->text[count];
		*ret = *ret << 4 | (uint64_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	*text = (struct prof_part){text->text + count, text->length - count};
	return count > 0;
}

bool prof_callgrind_calls_probe(const char *bytes, size_t length)
{
	struct prof_part text = {bytes, length};

	return prof_part_skip(&text, "==") && skip_all(&text, digits) &&
		prof_part_skip(&text, "== Callgrind, ");
}

/* Makes ID the current thread, with a stack of its own. */
static struct prof_error *enter(struct reader *reader, int64_t id)
{
	struct prof_error *error = prof_event_threads_enter(&reader->threads, id, "", 0);

	if (error || reader->threads.current < reader->stacks.count)
		return error;
	struct stack *stack = prof_array_push(&reader->stacks);
	if (!stack)
		return prof_error_nomem();
	*stack = (struct stack){0};
	return NULL;
}

static struct prof_error *enter_first(struct reader *reader)
{
	return reader->threads.current == PROF_NONE ? enter(reader, 1) : NULL;
}

/* Ends the calls that are deeper than DEPTH; the outermost of them has cost COST in total. */
static struct prof_error *end_calls(struct reader *reader, int64_t depth, int64_t cost)
{
	struct prof_error *error = enter_first(reader);

	if (error)
		return error;
	struct prof_builder *builder = prof_event_threads_builder(&reader->threads);
	struct stack *stack = &reader->stacks.items[reader->threads.current];
	while (!error && stack->calls.count) {
		const struct open_call *call = &stack->calls.items[stack->calls.count - 1];
		bool last = stack->calls.count == 1 || call[-1].depth <= depth;
		int64_t until = builder->cost;
		if (call->depth <= depth)
			break;
		if (last && cost > INT64_MAX - call->begin)
			return prof_lines_damaged(
				&reader->lines, "makes the sum of costs too large");
		if (last && call->begin + cost > until)
			until = call->begin + cost;
		stack->calls.count--;
		error = prof_builder_end(builder, until, 0);
	}
	return error;
}

/* Cuts the last word off *TEXT, with the blank before it, and returns it. */
static struct prof_part cut_last(struct prof_part *text)
{
	size_t at = text->length;

	while (at && text->text[at - 1] != ' ')
		at--;
	struct prof_part word = {text->text + at, text->length - at};
	text->length = at ? at - 1 : 0;
	return word;
}

/* The frame of the function in TEXT, "NAME OBJECT [FILE[:LINE]]". */
static struct prof_error *find_frame(struct reader *reader, struct prof_part text, uint32_t *ret)
{
	struct prof_experiment *experiment = reader->threads.experiment;
	struct prof_part object = cut_last(&text);
	uint32_t module, function;

	if (memchr(object.text, '/', object.length))
		object = cut_last(&text);
	/* In recursion callgrind puts a number behind the name. */
	struct prof_part name = text;
	while (name.length && strchr(digits, name.text[name.length - 1]))
		name.length--;
	if (name.length > 1 && name.length < text.length && name.text[name.length - 1] == '\'')
		text.length = name.length - 1;
	if (!text.length || !object.length)
		return prof_lines_damaged(&reader->lines, "has no name of a function");
	AUTO_FREE char *path = strndup(object.text, object.length);
	if (!path)
		return prof_error_nomem();
	struct prof_error *error = prof_experiment_module(experiment, path, "", &module);
	if (!error)
		error = prof_experiment_function(
			experiment, text.text, text.length, module, &function);
	return error ? error : prof_experiment_frame_of(experiment, function, ret);
}

/* Begins a call of the function in TEXT, at DEPTH. */
static struct prof_error *begin_call(struct reader *reader, struct prof_part text, int64_t depth)
{
	uint32_t frame;
	struct prof_error *error = end_calls(reader, depth ? depth - 1 : 0, 0);

	if (!error)
		error = find_frame(reader, text, &frame);
	if (error)
		return error;
	struct prof_builder *builder = prof_event_threads_builder(&reader->threads);
	struct open_call *call =
		prof_array_push(&reader->stacks.items[reader->threads.current].calls);
	if (!call)
		return prof_error_nomem();
	*call = (struct open_call){depth, builder->cost};
	reader->begun = true;
	return prof_builder_call(builder, frame, builder->cost, 0);
}

/* Reads a block; TEXT is the rest of its first line, behind the address. */
static struct prof_error *read_block(struct reader *reader, struct prof_part text)
{
	int64_t number;
	struct prof_error *error = enter_first(reader);

	if (error)
		return error;
	bool first = !reader->stacks.items[reader->threads.current].calls.count;
	if (!reader->calling && !first)
		return NULL;
	skip_all(&text, letters);
	skip_all(&text, " ");
	if (!skip_number(&text, &number) || !prof_part_skip(&text, ":"))
		return prof_lines_damaged(&reader->lines, "has no function for its block");
	int64_t depth = reader->calling ? reader->depth : 0;
	reader->calling = false;
	return begin_call(reader, text, depth);
}

/* The cost of the last call of the pair of functions at ADDRESS, if all its calls have cost SUM. */
static struct prof_error *find_cost(
	struct reader *reader, uint64_t address, int64_t sum, int64_t *ret)
{
	uint32_t index = prof_map_get(&reader->costs, address);

	*ret = sum;
	if (index == PROF_NONE) {
		index = (uint32_t)reader->costs_until.count;
		const int64_t *added = prof_map_push(&reader->costs, address, &reader->costs_until);
		if (!added)
			return prof_error_nomem();
	} else if (reader->costs_until.items[index] <= sum) {
		*ret = sum - reader->costs_until.items[index];
	}
	reader->costs_until.items[index] = sum;
	return NULL;
}

/* Reads the rest of a cost, "0xADDRESS]: EVENT NUMBER, ...", of the current end. */
static struct prof_error *read_cost(struct reader *reader, struct prof_part text)
{
	uint64_t address;
	int64_t sum, cost;

	if (!prof_part_skip(&text, "0x") || !skip_hex(&text, &address) ||
		!prof_part_skip(&text, "]: ") || !skip_all(&text, letters) ||
		!prof_part_skip(&text, " ") || !skip_number(&text, &sum))
		return prof_lines_damaged(&reader->lines, "has no cost");
	struct prof_error *error = find_cost(reader, address, sum, &cost);
	return error ? error : end_calls(reader, reader->depth, cost);
}

/* Is it a call or an end: SIGN and the depth? */
static bool is_change(struct prof_part text, const char *sign, int64_t *depth)
{
	return prof_part_skip(&text, sign) && skip_all(&text, " ") && skip_number(&text, depth);
}

static struct prof_error *read_line(void *context)
{
	struct reader *reader = context;
	struct prof_part text = reader->lines.line;
	bool ending = reader->ending;
	uint64_t address;
	int64_t number;

	reader->ending = false;
	if (ending && prof_part_skip(&text, "Cost ["))
		return read_cost(reader, text);
	struct prof_error *error = ending ? end_calls(reader, reader->depth, 0) : NULL;
	if (error)
		return error;
	if (is_change(text, "+", &reader->depth)) {
		reader->calling = true;
	} else if (is_change(text, "-", &reader->depth)) {
		reader->calling = false;
		reader->ending = true;
	} else if (prof_part_skip(&text, ">> thread ")) {
		return skip_number(&text, &number)
			? enter(reader, number)
			: prof_lines_damaged(&reader->lines, "has no number of a thread");
	} else if (skip_all(&text, " ") && skip_hex(&text, &address) &&
		prof_part_skip(&text, "/")) {
		return read_block(reader, text);
	}
	return NULL;
}

/* Ends the reading.  If the last line was an end, its cost is missing. */
static struct prof_error *finish(struct reader *reader, const struct prof_progress *progress)
{
	struct prof_error *error = reader->ending ? end_calls(reader, reader->depth, 0) : NULL;

	if (error)
		return error;
	if (!reader->begun)
		return prof_damage_without(
			reader->lines.path, "calls", "Run callgrind with --ct-verbose=2");
	return prof_event_threads_finish(&reader->threads, reader->lines.path, 0, progress);
}

struct prof_error *prof_callgrind_calls_read(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	PROF_AUTO(reader_deinit) struct reader reader = {.threads.current = PROF_NONE};
	struct prof_error *error = prof_import_create(path, &experiment);

	reader.threads.experiment = experiment;
	if (!error)
		error = prof_lines_open(&reader.lines, path);
	if (!error)
		error = prof_lines_read(&reader.lines, progress, read_line, &reader);
	if (!error)
		error = finish(&reader, progress);
	if (!error)
		*ret = steal(&experiment);
	return error;
}
