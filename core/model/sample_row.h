/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A sample with its values: a row, and its packed form.
 *
 * Packed, a row has some 10 to 20 bytes: what is as in the row before is left out, and so are
 * values that are 0.  Numbers have 7 bits a byte, the lowest first, and the bit 0x80 in all bytes
 * but the last:
 *
 *	head       bits 0-2: state; 0x08, 0x10, 0x20: thread, path, CPU are those of the row before
 *	time       its difference to the row before, times 2; an odd number is -(n + 1) / 2
 *	thread, path, CPU + 1, as far as the head does not leave them out
 *	mask       a bit for each quantity that is not 0
 *	values     of these, in their order: whole units times 2, plus 1 if millionths follow
 */
#ifndef PROF_MODEL_SAMPLE_ROW_H
#define PROF_MODEL_SAMPLE_ROW_H

#include "base/value.h"
#include "model/state.h"
#include "model/traced.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The events of one experiment, at most: counters, and those of a file that was imported. */
enum { PROF_EVENTS = 8 };
#define PROF_OTHER_EVENTS "other events"

/* The quantities that samples carry; others are derived from them (metric/metric.h). */
enum prof_quantity {
	PROF_QUANTITY_SAMPLES, /* how many samples it stands for; or the weight, if imported */
	PROF_QUANTITY_SPENT,   /* ns in the first enum prof_state; those of the others follow */
	PROF_QUANTITIES_SAMPLED = PROF_QUANTITY_SPENT + PROF_STATES,
	/* The first of the events, see struct prof_event; the others follow. */
	PROF_QUANTITY_EVENT = PROF_QUANTITIES_SAMPLED,
	/*
	 * The first of the values of traced events, enum prof_traced_value, which have none of the
	 * above; the others follow.
	 */
	PROF_QUANTITY_TRACED = PROF_QUANTITY_EVENT + PROF_EVENTS,
	PROF_QUANTITIES = PROF_QUANTITY_TRACED + PROF_TRACED_VALUES,
};

/* A set of quantities, each a bit. */
typedef uint64_t prof_quantities;

#define PROF_QUANTITY_BIT(quantity) (UINT64_C(1) << (quantity))

/* The largest value of a sample: any number of them can be added up. */
#define PROF_VALUE_MOST (prof_value_of(INT64_MAX) + PROF_VALUE_ONE - 1)

/* No time, and no duration, is further from 0: any two can be subtracted. */
#define PROF_TIME_MOST (INT64_MAX / 2)

struct prof_sample {
	int64_t time;    /* ns since the experiment's start */
	uint32_t path;   /* path */
	uint32_t thread; /* thread */
	uint8_t state;   /* enum prof_state */
	uint16_t cpu;    /* the number of the CPU that it was on, plus 1; 0: not known */
};

struct prof_sample_row {
	struct prof_sample sample;
	uint32_t number;                    /* of the sample; is not packed */
	prof_quantities has;                /* those whose values are not 0 */
	prof_value values[PROF_QUANTITIES]; /* by enum prof_quantity */
};

/* ROW has VALUE of QUANTITY from now on. */
static inline void prof_sample_row_set(struct prof_sample_row *row, int quantity, prof_value value)
{
	row->values[quantity] = value;
	row->has = value ? row->has | PROF_QUANTITY_BIT(quantity)
			 : row->has & ~PROF_QUANTITY_BIT(quantity);
}

/* The bytes of a packed row, at the most. */
enum { PROF_SAMPLE_ROW_MOST = 32 + 4 + PROF_QUANTITIES * (10 + 3) };

/* Packs ROW, which follows BEFORE, and whose values are valid.  Returns the number of BYTES. */
size_t prof_sample_row_pack(const struct prof_sample_row *row, const struct prof_sample *before,
	unsigned char bytes[PROF_SAMPLE_ROW_MOST]);

/*
 * Unpacks the row at *AT, that ends before END, into ROW, which has the row before, or is all
 * zeroes; moves *AT behind it.  False: it is damaged.  Its thread and path may be any numbers.
 */
bool prof_sample_row_unpack(
	const unsigned char **at, const unsigned char *end, struct prof_sample_row *row);

#endif
