/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Takes the rows of a gmon.out: its histograms and calls, and the symbols of its program. */
#include "store/rows.h"

#include <string.h>

/* Does EXPERIMENT have anything that a gmon.out does not have? */
static bool is_recorded(const struct prof_experiment *experiment)
{
	return experiment->samples.count || experiment->arcs.count || experiment->marks.count ||
		experiment->events.count || experiment->held.count || experiment->heaps.count;
}

struct prof_error *prof_store_take_gmon(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_gmon *to = &reader->experiment->gmon;
	const struct prof_gmon_row *gmon = &row->gmon;
	bool empty = !gmon->rate && !*gmon->dimension && !*gmon->unit;

	reader->bad = reader->id || is_recorded(reader->experiment) ||
		(gmon->word != 4 && gmon->word != 8) ||
		(!empty && !prof_gmon_is_measure(gmon->rate, gmon->dimension, gmon->unit));
	if (reader->bad)
		return NULL;
	to->word = gmon->word;
	to->big_endian = gmon->big_endian;
	to->rate = gmon->rate;
	strcpy(to->dimension, gmon->dimension);
	strcpy(to->unit, gmon->unit);
	return NULL;
}

struct prof_error *prof_store_take_histogram(
	struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_gmon *to = &reader->experiment->gmon;
	const struct prof_histogram *histogram = &row->gmon_histogram;
	const char *wrong = NULL;
	uint32_t number = 0;

	reader->bad = !to->rate || histogram->low >= histogram->high;
	if (reader->bad)
		return NULL;
	struct prof_error *error = prof_gmon_histogram(
		to, histogram->low, histogram->high, histogram->parts, &number, &wrong);
	reader->bad = !error && (wrong || number != reader->id);
	return error;
}

/* Must BIN come after BEFORE? */
static bool is_later(const struct prof_bin *bin, const struct prof_bin *before)
{
	return bin->histogram > before->histogram ||
		(bin->histogram == before->histogram && bin->part > before->part);
}

struct prof_error *prof_store_take_bin(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_gmon *to = &reader->experiment->gmon;
	const struct prof_bin *bin = &row->gmon_bin;
	size_t count = to->bins.count;

	reader->bad = bin->part >= to->histograms.items[bin->histogram].parts ||
		(count && !is_later(bin, &to->bins.items[count - 1]));
	return reader->bad ? NULL : prof_gmon_sample(to, bin->histogram, bin->part, bin->samples);
}

struct prof_error *prof_store_take_address_arc(
	struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_gmon *to = &reader->experiment->gmon;

	reader->bad = !to->word;
	if (reader->bad)
		return NULL;
	struct prof_gmon_arc *added = prof_array_push(&to->arcs);
	if (!added)
		return prof_error_nomem();
	*added = row->gmon_arc;
	return NULL;
}

/* Adds SYMBOL, of FUNCTION, to SYMBOLS. */
static struct prof_error *add_symbol(struct prof_store_reader *reader,
	struct prof_image_symbols *symbols, struct prof_image_symbol symbol, uint32_t function)
{
	reader->bad = !reader->experiment->gmon.word ||
		(symbols->count && symbols->items[symbols->count - 1].low >= symbol.low);
	if (reader->bad)
		return NULL;
	struct prof_image_symbol *added = prof_array_push(symbols);
	if (!added)
		return prof_error_nomem();
	*added = symbol;
	added->function = function;
	return NULL;
}

struct prof_error *prof_store_take_symbol(
	struct prof_store_reader *reader, const union prof_row *row)
{
	return add_symbol(reader, &reader->experiment->gmon.functions, row->gmon_symbol,
		row->gmon_symbol.function);
}

struct prof_error *prof_store_take_line(struct prof_store_reader *reader, const union prof_row *row)
{
	return add_symbol(reader, &reader->experiment->gmon.lines, row->gmon_symbol, PROF_NONE);
}
