/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/dump_rows.h"

#include "report/json.h"
#include "store/entries.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* How a column is written. */
enum manner {
	PLAIN,
	HEXADECIMAL, /* "0x401136" */
	NEVER,       /* not written: the object's place or other keys say it */
};

/* A key of an object, or several. */
struct key {
	const char *column; /* for this one column; or for all others (rest); or NULL */
	const char *key;    /* NULL: the name of the column */
	enum manner manner;
	bool rare; /* not written if its integer is NONE */
	int64_t none;
	const char *const *words; /* for the integers from 0 on, or NULL */
	/* Without a column: writes keys of the entry NUMBER, each after a comma. */
	struct prof_error *(*extra)(const struct prof_dump *dump, size_t number);
};

static struct prof_error *print_ranges(const struct prof_dump *dump, size_t number);
static struct prof_error *print_process(const struct prof_dump *dump, size_t number);
static struct prof_error *print_locations(const struct prof_dump *dump, size_t number);
static struct prof_error *print_counter(const struct prof_dump *dump, size_t number);
static struct prof_error *print_allocation(const struct prof_dump *dump, size_t number);
static struct prof_error *print_classes(const struct prof_dump *dump, size_t number);

static const char *const counted_kinds[] = {"calls", "begin", "part"};

/* Stands for all columns that have no key in the layout. */
static const char rest[] = "*";

/* clang-format would put each brace of these on a line of its own. */
/* clang-format off */
#define KEYS(...) ((const struct key[]){__VA_ARGS__, {.column = NULL}})
#define REST {.column = rest}
#define SAME(name) {.column = (name)}
#define AS(name, as) {.column = (name), .key = (as)}
#define RARE(name) {.column = (name), .rare = true}
#define RANK(name) {.column = (name), .rare = true, .none = -1}
#define WORD(name, list) {.column = (name), .words = (list)}
#define ADDRESS(name) {.column = (name), .manner = HEXADECIMAL}
#define HIDDEN(name) {.column = (name), .manner = NEVER}
#define MORE(function) {.extra = (function)}
/* clang-format on */

/* The keys of objects, in order; a table without a layout has all its columns. */
static const struct key *const layouts[PROF_TABLES] = {
	[PROF_TABLE_MODULE] = KEYS(REST, MORE(print_ranges)),
	[PROF_TABLE_RANGE] = KEYS(HIDDEN("module"), ADDRESS("low"), ADDRESS("high"),
		{.column = "file_offset", .key = "offset", .manner = HEXADECIMAL}, REST),
	[PROF_TABLE_THREAD] = KEYS(AS("tid", "id"), MORE(print_process), REST),
	[PROF_TABLE_FUNCTION] = KEYS(REST, AS("module", "object")),
	[PROF_TABLE_FRAME] = KEYS(AS("module", "object"),
		{.column = "address", .manner = HEXADECIMAL, .rare = true}, REST,
		MORE(print_locations)),
	[PROF_TABLE_LOCATION] = KEYS(HIDDEN("frame"), REST,
		{.column = "function_offset",
			.key = "offset",
			.rare = true,
			.none = PROF_OFFSET_UNKNOWN}),
	[PROF_TABLE_MARK] = KEYS(SAME("time"), SAME("label"), WORD("kind", prof_mark_names), REST),
	[PROF_TABLE_COUNTED] = KEYS(
		SAME("time"), WORD("kind", counted_kinds), SAME("caller"), SAME("callee"), REST),
	[PROF_TABLE_OBJECT] = KEYS(ADDRESS("address"), REST),
	/* the sample has the values */
	[PROF_TABLE_TRACED] = KEYS(HIDDEN("sample"), AS("object", "lock"), SAME("holder"),
		RARE("longest"), HIDDEN("allocations"), HIDDEN("bytes"), HIDDEN("leaks"),
		HIDDEN("leaked"), HIDDEN("peak"), HIDDEN("temporary"), HIDDEN("delays"),
		HIDDEN("waited"), HIDDEN("calls"), HIDDEN("inside"), REST),
	[PROF_TABLE_TRACED_LAST] = KEYS(AS("time", "last"), REST),
	/* the same */
	[PROF_TABLE_TRACED_MPI] = KEYS(RANK("rank"), RANK("peer"), HIDDEN("time"), HIDDEN("sends"),
		HIDDEN("sent"), HIDDEN("receives"), HIDDEN("received"), HIDDEN("other"), REST),
	/* the same */
	[PROF_TABLE_TRACED_OMP] = KEYS(HIDDEN("regions"), HIDDEN("inside"), HIDDEN("explicit"),
		HIDDEN("implicit"), HIDDEN("critical"), HIDDEN("lock"), HIDDEN("taskwait"),
		HIDDEN("tasks"), HIDDEN("task"), REST),
	/* the same */
	[PROF_TABLE_TRACED_LOOP] = KEYS(HIDDEN("loops"), HIDDEN("sections"), HIDDEN("singles"),
		HIDDEN("time"), HIDDEN("wait"), REST),
	[PROF_TABLE_OPERATION] = KEYS(HIDDEN("sample"), SAME("thread"), SAME("number"),
		WORD("kind", prof_mpi_operation_names), RANK("rank"), RANK("peer"), REST),
	[PROF_TABLE_EVENT] = KEYS(REST, MORE(print_counter)),
	[PROF_TABLE_COUNTER] = KEYS(HIDDEN("unit"), REST),
	[PROF_TABLE_HELD] = KEYS(SAME("time"), HIDDEN("traced"), MORE(print_allocation), REST),
	[PROF_TABLE_HEAP] = KEYS(REST, MORE(print_classes)),
	[PROF_TABLE_HEAP_CLASS] = KEYS(HIDDEN("heap"), HIDDEN("class"), REST),
	[PROF_TABLE_DATA] = KEYS(HIDDEN("sample"), WORD("trigger", prof_trigger_names),
		{.column = "access", .rare = true, .words = prof_access_names}, RARE("skid"),
		ADDRESS("address"), REST),
	[PROF_TABLE_GMON_HISTOGRAM] = KEYS(ADDRESS("low"), ADDRESS("high"), REST),
	[PROF_TABLE_GMON_ARC] = KEYS(ADDRESS("caller"), ADDRESS("callee"), REST),
	[PROF_TABLE_GMON_SYMBOL] = KEYS(ADDRESS("low"), ADDRESS("high"), REST),
	[PROF_TABLE_GMON_LINE] = KEYS(ADDRESS("low"), ADDRESS("high"), REST),
};

/* The key of COLUMN of a table with the KEYS, or NULL. */
static const struct key *find_key(const struct key *keys, const struct prof_column *column)
{
	for (const struct key *key = keys; key && (key->column || key->extra); key++) {
		if (key->column && !strcmp(key->column, column->name))
			return key;
	}
	return NULL;
}

static const struct prof_column *find_column(enum prof_schema_table table, const char *name)
{
	const struct prof_column *column = prof_schema[table].columns;

	while (column->name && strcmp(column->name, name) != 0)
		column++;
	assert(column->name);
	return column;
}

/* Is COLUMN left out of the object of ROW? */
static bool is_left_out(const struct prof_column *column, const struct key *key, const void *row)
{
	switch (column->kind) {
	case PROF_COLUMN_OPTION:
		return prof_column_integer(column, row) == PROF_NONE;
	case PROF_COLUMN_KNOWN:
		return !*(const bool *)((const char *)row + column->known);
	case PROF_COLUMN_NUMBER:
		return key->rare && prof_column_integer(column, row) == key->none;
	case PROF_COLUMN_BLOB:
	case PROF_COLUMN_ANY:
		return true;
	default:
		return false;
	}
}

/* Writes NUMBER.  There are millions, and printf() would parse its format each time. */
static void print_decimal(struct prof_text *text, int64_t number)
{
	uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
	char digits[24];
	size_t at = sizeof digits;

	do
		digits[--at] = (char)('0' + left % 10);
	while (left /= 10);
	if (number < 0)
		digits[--at] = '-';
	prof_text_bytes(text, digits + at, sizeof digits - at);
}

static struct prof_error *print_integer(const struct prof_dump *dump,
	const struct prof_column *column, const struct key *key, int64_t number)
{
	if (column->table == PROF_TABLE_STRING)
		return prof_json_string(
			prof_experiment_text(dump->experiment, (uint32_t)number), dump->text);
	if (key->words)
		prof_text_print(dump->text, "\"%s\"", key->words[number]);
	else if (key->manner == HEXADECIMAL)
		prof_text_print(dump->text, "\"0x%" PRIx64 "\"", (uint64_t)number);
	else if (column->kind == PROF_COLUMN_FIGURE && number == PROF_USAGE_UNKNOWN)
		prof_text_print(dump->text, "null");
	else
		print_decimal(dump->text, number);
	return NULL;
}

/* Writes the value of COLUMN in ROW, as KEY describes. */
static struct prof_error *print_value(const struct prof_dump *dump,
	const struct prof_column *column, const struct key *key, const void *row)
{
	const void *field = (const char *)row + column->offset;
	char number[PROF_VALUE_TEXT];

	switch (column->kind) {
	case PROF_COLUMN_VALUE:
		prof_text_print(
			dump->text, "%s", prof_value_print(*(const prof_value *)field, 1, number));
		return NULL;
	case PROF_COLUMN_TEXT:
	case PROF_COLUMN_PACKED:
		return prof_json_string(*(const char *const *)field, dump->text);
	default:
		return print_integer(dump, column, key, prof_column_integer(column, row));
	}
}

/* Writes `"KEY":`, after a comma unless it is the first of its object. */
static void print_key(struct prof_text *text, const char *key)
{
	bool first = text->length && text->bytes[text->length - 1] == '{';

	prof_text_bytes(text, first ? "\"" : ",\"", first ? 1 : 2);
	prof_text_bytes(text, key, strlen(key));
	prof_text_bytes(text, "\":", 2);
}

/* Writes COLUMN of ROW, after a comma unless it is the first of its object. */
static struct prof_error *print_column(const struct prof_dump *dump,
	const struct prof_column *column, const struct key *key, const void *row)
{
	static const struct key plain = {.manner = PLAIN};

	if (!key)
		key = &plain;
	if (key->manner == NEVER || is_left_out(column, key, row))
		return NULL;
	print_key(dump->text, key->key ? key->key : column->name);
	return print_value(dump, column, key, row);
}

/* Writes the columns of ROW for which its table has no key. */
static struct prof_error *print_rest(
	const struct prof_dump *dump, enum prof_schema_table table, const void *row)
{
	struct prof_error *error = NULL;

	for (const struct prof_column *column = prof_schema[table].columns; column->name && !error;
		column++) {
		if (!find_key(layouts[table], column))
			error = print_column(dump, column, NULL, row);
	}
	return error;
}

/* Writes all of ROW, which is that of the entry NUMBER. */
static struct prof_error *print_keys(
	const struct prof_dump *dump, enum prof_schema_table table, const void *row, size_t number)
{
	struct prof_error *error = NULL;

	if (!layouts[table])
		return print_rest(dump, table, row);
	for (const struct key *key = layouts[table]; !error && (key->column || key->extra); key++) {
		if (key->extra)
			error = key->extra(dump, number);
		else if (key->column == rest)
			error = print_rest(dump, table, row);
		else
			error = print_column(dump, find_column(table, key->column), key, row);
	}
	return error;
}

struct prof_error *prof_dump_columns(
	const struct prof_dump *dump, enum prof_schema_table table, const void *row)
{
	return print_keys(dump, table, row, 0);
}

/* Writes ROW as an object of its own. */
static struct prof_error *print_part(
	const struct prof_dump *dump, enum prof_schema_table table, const void *row)
{
	prof_text_bytes(dump->text, "{", 1);
	struct prof_error *error = prof_dump_columns(dump, table, row);
	prof_text_bytes(dump->text, "}", 1);
	return error;
}

static struct prof_error *print_ranges(const struct prof_dump *dump, size_t number)
{
	const struct prof_module *module = &dump->experiment->modules.items[number];
	struct prof_error *error = NULL;

	prof_text_print(dump->text, ",\"ranges\":[");
	for (size_t i = 0; i < module->ranges.count && !error; i++) {
		const struct prof_range_row row = {(uint32_t)number, module->ranges.items[i]};
		prof_text_print(dump->text, "%s", i ? "," : "");
		error = print_part(dump, PROF_TABLE_RANGE, &row);
	}
	prof_text_print(dump->text, "]");
	return error;
}

/* The process of the thread, which is in another table. */
static struct prof_error *print_process(const struct prof_dump *dump, size_t number)
{
	int64_t process = prof_experiment_thread_row(dump->experiment, (uint32_t)number).process;

	if (process)
		prof_text_print(dump->text, ",\"process\":%" PRId64, process);
	return NULL;
}

static struct prof_error *print_locations(const struct prof_dump *dump, size_t number)
{
	const struct prof_frame *frame = &dump->experiment->frames.items[number];
	const struct prof_location *locations = dump->experiment->locations.items;
	struct prof_error *error = NULL;

	prof_text_print(dump->text, ",\"locations\":[");
	for (uint32_t i = 0; i < frame->locations && !error; i++) {
		const struct prof_location_row row = {
			(uint32_t)number, locations[frame->first_location + i]};
		prof_text_print(dump->text, "%s", i ? "," : "");
		error = print_part(dump, PROF_TABLE_LOCATION, &row);
	}
	prof_text_print(dump->text, "]");
	return error;
}

bool prof_dump_is_counter(const struct prof_dump *dump, size_t event)
{
	return dump->experiment->events.items[event].unit != PROF_EVENT_SAMPLES;
}

/* Writes what the event is, and for a counter, all its settings. */
static struct prof_error *print_counter(const struct prof_dump *dump, size_t number)
{
	const struct prof_event *event = &dump->experiment->events.items[number];
	struct prof_store_place place = {0};

	prof_text_print(dump->text, ",\"unit\":\"%s\"", prof_event_units[event->unit]);
	if (!prof_dump_is_counter(dump, number))
		return NULL;
	return prof_dump_columns(dump, PROF_TABLE_COUNTER,
		prof_store_row(dump->experiment, PROF_TABLE_COUNTER, number, &place));
}

/* Where and when the memory was allocated that was still held. */
static struct prof_error *print_allocation(const struct prof_dump *dump, size_t number)
{
	const struct prof_held *held = &dump->experiment->held.items[number];
	const struct prof_sample *sample = &dump->traced[held->traced];

	prof_text_print(dump->text,
		",\"allocated\":%" PRId64 ",\"thread\":%" PRIu32 ",\"stack\":%" PRIu32,
		sample->time, sample->thread, sample->path);
	return NULL;
}

/* Writes an array for each column of the heap's classes. */
static struct prof_error *print_classes(const struct prof_dump *dump, size_t number)
{
	const struct prof_column *column = prof_schema[PROF_TABLE_HEAP_CLASS].columns;
	struct prof_store_place place = {0};

	for (; column->name; column++) {
		if (find_key(layouts[PROF_TABLE_HEAP_CLASS], column))
			continue;
		prof_text_print(dump->text, ",\"%s\":[", column->name);
		for (size_t i = 0; i < PROF_HEAP_CLASSES; i++) {
			const void *row = prof_store_row(dump->experiment, PROF_TABLE_HEAP_CLASS,
				number * PROF_HEAP_CLASSES + i, &place);
			prof_text_print(dump->text, "%s%" PRId64, i ? "," : "",
				prof_column_integer(column, row));
		}
		prof_text_bytes(dump->text, "]", 1);
	}
	return NULL;
}

struct prof_error *prof_dump_row(
	const struct prof_dump *dump, enum prof_schema_table table, size_t number)
{
	struct prof_store_place place = {0};

	/* The empty stack has no row. */
	if (table == PROF_TABLE_PATH && !number) {
		prof_text_print(dump->text, "{\"parent\":null,\"frame\":null}");
		return NULL;
	}
	prof_text_bytes(dump->text, "{", 1);
	struct prof_error *error = print_keys(
		dump, table, prof_store_row(dump->experiment, table, number, &place), number);
	prof_text_bytes(dump->text, "}", 1);
	return error;
}
