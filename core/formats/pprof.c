/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/pprof.h"

#include "base/file.h"
#include "base/time_unit.h"
#include "formats/content.h"
#include "formats/damage.h"
#include "formats/import.h"
#include "formats/pprof.pb-c.h"
#include "formats/pprof_code.h"
#include "formats/types.h"
#include "formats/thread_index.h"
#include "model/experiment.h"

#include <stdlib.h>
#include <string.h>

enum {
	MESSAGE_MOST = 4 << 20, /* bytes: unpacking takes many times as much for a moment */
	/* Functions in all stacks together: without a limit, a small file could fill the memory. */
	FUNCTIONS_PER_BYTE = 8,
	FUNCTIONS_ALWAYS = 65536,
};

/* Field numbers of the messages, in the wire format of protocol buffers. */
enum wire { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 5 };
enum { WIRE_BITS = 3, VARINT_MOST = 10 };

/* The meaning of a value of each sample. */
struct type {
	size_t at;
	int64_t name, unit; /* strings of the file */
};

struct reader {
	struct prof_content content;
	struct prof_experiment *experiment; /* borrowed */
	struct prof_pprof_code code;
	PROF_ARRAY(struct type) types;
	struct prof_type *meanings; /* by type */
	size_t counted;             /* type */
	int64_t default_type, time, duration;
	struct prof_thread_index threads;
	uint64_t functions; /* in the stacks so far */
};

static void reader_deinit(struct reader *reader)
{
	prof_content_deinit(&reader->content);
	prof_pprof_code_deinit(&reader->code);
	free(reader->types.items);
	free(reader->meanings);
	prof_thread_index_deinit(&reader->threads);
}

/* Reads a number at *AT of LENGTH BYTES, and advances *AT behind it. */
static bool read_varint(const uint8_t *bytes, size_t length, size_t *at, uint64_t *ret)
{
	uint64_t value = 0;

	for (int i = 0; i < VARINT_MOST && *at < length; i++) {
		uint8_t byte = bytes[(*at)++];
		value |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (!(byte & 0x80)) {
			*ret = value;
			return true;
		}
	}
	return false;
}

/* One field of the profile. */
struct field {
	uint64_t number;
	enum wire wire;
	uint64_t value;              /* of WIRE_VARINT */
	struct prof_pprof_part part; /* of WIRE_BYTES */
};

/* Reads the field at *AT of LENGTH BYTES, and advances *AT behind it. */
static bool read_field(const uint8_t *bytes, size_t length, size_t *at, struct field *field)
{
	uint64_t tag, size;

	field->part.at = *at;
	if (!read_varint(bytes, length, at, &tag))
		return false;
	field->number = tag >> WIRE_BITS;
	field->wire = (enum wire)(tag & ((1 << WIRE_BITS) - 1));
	switch (field->wire) {
	case WIRE_VARINT:
		return read_varint(bytes, length, at, &field->value);
	case WIRE_64:
		size = 8;
		break;
	case WIRE_32:
		size = 4;
		break;
	case WIRE_BYTES:
		if (!read_varint(bytes, length, at, &size))
			return false;
		break;
	default:
		return false;
	}
	if (size > length - *at)
		return false;
	field->part.bytes = bytes + *at;
	field->part.length = size;
	*at += size;
	return true;
}

bool prof_pprof_probe(const char *bytes, size_t length)
{
	const uint8_t *start = (const uint8_t *)bytes;
	struct field field, inner;
	size_t at = 0;

	if (length >= 2 && start[0] == 0x1f && start[1] == 0x8b)
		return true;
	/* A profile that is not compressed begins with a sample type, a field with two numbers. */
	if (!read_field(start, length, &at, &field) || field.number != 1 ||
		field.wire != WIRE_BYTES || !field.part.length)
		return false;
	for (at = 0; at < field.part.length;) {
		if (!read_field(field.part.bytes, field.part.length, &at, &inner) ||
			inner.number < 1 || inner.number > 2 || inner.wire != WIRE_VARINT)
			return false;
	}
	return true;
}

static struct prof_error *read_type(struct reader *reader, const struct prof_pprof_part *part)
{
	Pprof__ValueType *message = pprof__value_type__unpack(NULL, part->length, part->bytes);
	struct type type = {.at = part->at};

	if (!message)
		return prof_content_damaged(
			&reader->content, part->at, "does not begin a type of values");
	type.name = message->type;
	type.unit = message->unit;
	pprof__value_type__free_unpacked(message, NULL);
	struct type *added = prof_array_push(&reader->types);
	if (!added)
		return prof_error_nomem();
	*added = type;
	return NULL;
}

/* Finds out what the values of samples mean. */
static struct prof_error *judge_types(struct reader *reader)
{
	uint32_t name, unit, wanted;
	bool samples = false;
	struct prof_error *error =
		prof_pprof_code_text(&reader->code, 0, reader->default_type, &wanted);

	if (!error && !reader->types.count)
		return prof_file_damaged(
			"file", reader->content.path, "it does not say what samples count");
	reader->meanings = calloc(reader->types.count, sizeof *reader->meanings);
	if (!error && !reader->meanings)
		return prof_error_nomem();
	reader->counted = reader->types.count - 1;
	for (size_t i = 0; !error && i < reader->types.count; i++) {
		struct type *type = &reader->types.items[i];
		error = prof_pprof_code_text(&reader->code, type->at, type->name, &name);
		if (!error)
			error = prof_pprof_code_text(&reader->code, type->at, type->unit, &unit);
		if (error)
			return error;
		reader->meanings[i] = prof_type_of(prof_experiment_text(reader->experiment, name),
			prof_experiment_text(reader->experiment, unit));
		if (!strcmp(prof_experiment_text(reader->experiment, name), "samples"))
			reader->counted = i;
		else if (!samples && reader->default_type && name == wanted)
			reader->counted = i;
		samples |= !strcmp(prof_experiment_text(reader->experiment, name), "samples");
	}
	prof_type_settle(reader->meanings, reader->types.count);
	return error;
}

/* What the labels of a sample say. */
struct labels {
	int64_t id;
	uint32_t name; /* string */
	struct prof_type_sum sum;
};

static struct prof_error *read_labels(
	struct reader *reader, size_t at, const Pprof__Sample *message, struct labels *labels)
{
	struct prof_error *error = prof_experiment_string(reader->experiment, "", &labels->name);

	for (size_t i = 0; !error && i < message->n_label; i++) {
		const Pprof__Label *label = message->label[i];
		uint32_t key, text;
		error = prof_pprof_code_text(&reader->code, at, label->key, &key);
		if (!error)
			error = prof_pprof_code_text(&reader->code, at, label->str, &text);
		if (error)
			return error;
		if (!strcmp(prof_experiment_text(reader->experiment, key), "thread"))
			labels->name = text;
		else if (!strcmp(prof_experiment_text(reader->experiment, key), "thread_id"))
			labels->id = label->num;
		else if (!strcmp(prof_experiment_text(reader->experiment, key), "state"))
			labels->sum.known = prof_type_state(
				prof_experiment_text(reader->experiment, text), &labels->sum.state);
	}
	return error;
}

/* Adds the stack of a sample, the root first. */
static struct prof_error *read_stack(
	struct reader *reader, size_t at, const Pprof__Sample *message, uint32_t *path)
{
	struct prof_error *error = NULL;

	*path = 0;
	for (size_t i = message->n_location_id; !error && i-- > 0;) {
		const struct prof_pprof_place *place =
			prof_pprof_code_place(&reader->code, message->location_id[i]);
		if (!place)
			return prof_content_damaged(&reader->content, at,
				"refers to the location %llu, which is not there",
				(unsigned long long)message->location_id[i]);
		reader->functions += place->lines + 1;
		if (reader->functions >
			FUNCTIONS_ALWAYS + FUNCTIONS_PER_BYTE * (uint64_t)reader->content.length)
			return prof_content_damaged(&reader->content, at,
				"has a stack too deep for the size of the file");
		for (size_t j = place->frames; !error && j-- > 0;)
			error = prof_experiment_path(reader->experiment, *path,
				reader->code.frames.items[place->first_frame + j], path);
	}
	return error;
}

static struct prof_error *read_values(
	struct reader *reader, size_t at, const Pprof__Sample *message, struct prof_type_sum *sum)
{
	if (message->n_value != reader->types.count)
		return prof_content_damaged(&reader->content, at,
			"has a sample of %zu values, and not %zu", message->n_value,
			reader->types.count);
	for (size_t i = 0; i < message->n_value; i++) {
		if (message->value[i] < 0)
			return prof_content_damaged(&reader->content, at,
				"has a sample with the negative value %lld",
				(long long)message->value[i]);
		prof_value value = prof_value_of(message->value[i]);
		if (i == reader->counted)
			sum->values[PROF_QUANTITY_SAMPLES] = value;
		prof_type_add(&reader->meanings[i], value, sum);
	}
	if (!prof_type_end(sum))
		return prof_content_damaged(
			&reader->content, at, "has a sample with too large a value");
	return NULL;
}

static struct prof_error *add_sample(struct reader *reader, size_t at, const Pprof__Sample *message)
{
	struct labels labels = {0};
	struct prof_sample sample = {0};
	struct prof_error *error = read_labels(reader, at, message, &labels);

	if (!error)
		error = read_values(reader, at, message, &labels.sum);
	if (!error)
		error = read_stack(reader, at, message, &sample.path);
	if (!error)
		error = prof_thread_index_get(&reader->threads, reader->experiment, labels.id,
			prof_experiment_text(reader->experiment, labels.name), &sample.thread);
	sample.state = (uint8_t)labels.sum.state;
	return error ? error
		     : prof_experiment_sample(reader->experiment, &sample, labels.sum.values);
}

static struct prof_error *read_sample(struct reader *reader, const struct prof_pprof_part *part)
{
	Pprof__Sample *message = pprof__sample__unpack(NULL, part->length, part->bytes);

	if (!message)
		return prof_content_damaged(&reader->content, part->at, "does not begin a sample");
	struct prof_error *error = add_sample(reader, part->at, message);
	pprof__sample__free_unpacked(message, NULL);
	return error;
}

/* Takes a field that must be known before samples can be understood. */
static struct prof_error *take_first(struct reader *reader, const struct field *field)
{
	switch (field->number) {
	case 1:
		return read_type(reader, &field->part);
	case 3:
		return prof_pprof_code_mapping(&reader->code, &field->part);
	case 4:
		return prof_pprof_code_location(&reader->code, &field->part);
	case 5:
		return prof_pprof_code_function(&reader->code, &field->part);
	case 6:
		return prof_pprof_code_string(&reader->code, &field->part);
	default:
		return NULL;
	}
}

static struct prof_error *take_sample(struct reader *reader, const struct field *field)
{
	return field->number == 2 ? read_sample(reader, &field->part) : NULL;
}

static void take_number(struct reader *reader, const struct field *field)
{
	int64_t value = (int64_t)field->value;

	if (field->number == 9)
		reader->time = value;
	else if (field->number == 10)
		reader->duration = value;
	else if (field->number == 14)
		reader->default_type = value;
}

/* Calls TAKE for each field of the file, from the first to the last. */
static struct prof_error *read_fields(struct reader *reader, const struct prof_progress *progress,
	struct prof_error *(*take)(struct reader *reader, const struct field *field))
{
	const struct prof_content *content = &reader->content;
	struct prof_error *error = NULL;
	struct field field;

	for (size_t at = 0, count = 0; !error && at < content->length; count++) {
		size_t start = at;
		if (!read_field(content->bytes, content->length, &at, &field))
			return prof_content_damaged(
				content, start, "begins a field that pprof does not have");
		bool bytes = field.wire == WIRE_BYTES;
		if (bytes && field.number != 6 && field.part.length > MESSAGE_MOST)
			return prof_content_damaged(
				content, start, "begins more than %d bytes", MESSAGE_MOST);
		if (count % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(progress, "Reading", at, content->length);
		if (!error && bytes)
			error = take(reader, &field);
		else if (field.wire == WIRE_VARINT)
			take_number(reader, &field);
	}
	return error;
}

static struct prof_error *read_all(struct reader *reader, const struct prof_progress *progress)
{
	struct prof_error *error = read_fields(reader, progress, take_first);

	if (!error && !reader->code.strings.count)
		error = prof_file_mistaken(
			reader->content.path, "a profile of pprof", "it has no strings");
	if (!error)
		error = judge_types(reader);
	if (!error)
		error = prof_pprof_code_finish(&reader->code, progress);
	if (!error)
		error = read_fields(reader, progress, take_sample);
	if (!error)
		error = prof_damage_without_samples(reader->experiment, reader->content.path);
	return error;
}

struct prof_error *prof_pprof_read(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	PROF_AUTO(reader_deinit) struct reader reader = {0};
	struct prof_error *error = prof_import_create(path, &experiment);

	if (!error)
		error = prof_content_read(path, progress, &reader.content);
	reader.experiment = experiment;
	reader.code.content = &reader.content;
	reader.code.experiment = experiment;
	if (!error)
		error = read_all(&reader, progress);
	if (error)
		return error;
	if (reader.time > 0)
		experiment->recording.date = reader.time / PROF_NS_PER_SECOND;
	if (reader.duration > 0 && reader.duration <= PROF_TIME_MOST)
		experiment->recording.duration = reader.duration;
	*ret = steal(&experiment);
	return NULL;
}
