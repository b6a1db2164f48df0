/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Single calls, packed in blocks. */
#include "model/single_calls.h"
#include "store/rows.h"

/* Does CALL have a sample, behind that of the last call? */
static bool fits(const struct prof_experiment *experiment, const struct prof_single_call *call)
{
	size_t count = experiment->calls.count;

	return call->sample < experiment->samples.count &&
		(!count ||
			call->sample > prof_single_calls_get(&experiment->calls, count - 1).sample);
}

/* All blocks but the last one are whole. */
struct prof_error *prof_store_take_calls(
	struct prof_store_reader *reader, const union prof_row *row)
{
	const unsigned char *packed = sqlite3_column_blob(reader->row, 2);
	struct prof_varint_input input = {
		packed, packed + sqlite3_column_bytes(reader->row, 2), false};
	struct prof_single_call call = {.sample = UINT32_MAX};
	struct prof_error *error = NULL;

	reader->bad |= !packed || sqlite3_column_type(reader->row, 2) != SQLITE_BLOB ||
		reader->experiment->calls.count % PROF_SINGLE_CALLS_BLOCK;
	for (int64_t i = 0; i < row->call_block.calls && !reader->bad && !error; i++) {
		reader->bad =
			!prof_single_calls_take(&input, &call) || !fits(reader->experiment, &call);
		if (!reader->bad)
			error = prof_single_call_add(reader->experiment, &call);
	}
	reader->bad |= !error && input.at != input.end;
	return error;
}
