/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Single calls: how long each call took, and how it ended.  A call is one of the samples, which has
 * its stack, its thread, and as its time when it began.  Calls are in the order of their samples,
 * and take some 5 bytes each.
 *
 * The file has them in blocks of PROF_SINGLE_CALLS_BLOCK, the last one perhaps less, two numbers
 * (base/varint.h) a call:
 *
 *	its sample less the one behind that of the call before; of the first call in a block less 0
 *	its duration times 4, plus its enum prof_call_end
 */
#ifndef PROF_MODEL_SINGLE_CALLS_H
#define PROF_MODEL_SINGLE_CALLS_H

#include "base/error.h"
#include "base/varint.h"
#include "model/packed_rows.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_experiment;

enum { PROF_SINGLE_CALLS_BLOCK = 2048 };

/* How a call ended; files have these numbers. */
enum prof_call_end {
	PROF_CALL_END_RETURNED,
	PROF_CALL_END_LEFT, /* by a jump or an exception */
	PROF_CALL_END_OPEN, /* it had not ended when the recording did */
	PROF_CALL_ENDS,
};

/* The words for them, in exports. */
extern const char *const prof_call_end_names[PROF_CALL_ENDS];

struct prof_single_call {
	uint32_t sample;  /* larger than that of the call before */
	uint8_t end;      /* enum prof_call_end */
	int64_t duration; /* ns, to the end of the call, or to that of the recording of its thread
			   */
};

/* The bytes of a packed block, at the most. */
enum { PROF_SINGLE_CALLS_ROOM = PROF_SINGLE_CALLS_BLOCK * 2 * PROF_VARINT_MOST };

/* Is CALL consistent?  Does not check its sample. */
bool prof_single_call_is_valid(const struct prof_single_call *call);

/* Adds CALL, which is valid, of a sample of EXPERIMENT. */
struct prof_error *prof_single_call_add(
	struct prof_experiment *experiment, const struct prof_single_call *call) PROF_MUST_CHECK;

/* The call NUMBER of CALLS, those of an experiment. */
struct prof_single_call prof_single_calls_get(const struct prof_packed_rows *calls, size_t number);

/* Adds the calls of FROM to INTO, whose samples come behind SAMPLES others. */
struct prof_error *prof_single_calls_merge(struct prof_experiment *into,
	const struct prof_experiment *from, size_t samples) PROF_MUST_CHECK;

/*
 * Packs the calls of the block NUMBER into BYTES, which have room for them.  Returns how many bytes
 * they take, and in *COUNT how many calls they are: 0 if there are none.
 */
size_t prof_single_calls_pack(const struct prof_packed_rows *calls, size_t number,
	unsigned char bytes[PROF_SINGLE_CALLS_ROOM], size_t *count);

/*
 * Takes the next call of a block from INPUT into CALL, which has the call before, or, before the
 * first one, the sample UINT32_MAX.  False: it is damaged.
 */
bool prof_single_calls_take(struct prof_varint_input *input, struct prof_single_call *call);

#endif
