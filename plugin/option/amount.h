/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Amounts as users write them, in options and settings: rates, times, shares, sizes and numbers.
 * An error names the text and the values that are allowed.
 */
#ifndef PROF_PLUGIN_OPTION_AMOUNT_H
#define PROF_PLUGIN_OPTION_AMOUNT_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads TEXT as a sampling rate in Hz, from 0.1 to 20000: a number, or one of the presets of dbx
 * ("hi", "on", "lo": every 1, 10 and 100 ms).
 */
struct prof_error *amount_read_rate(const char *text, double *ret) PROF_MUST_CHECK;

/* Adds a sentence with the lowest and the highest rate, and the clock's resolution. */
void amount_say_rates(struct prof_text *text);

/* Reads TEXT as a time between two samples: a number with s, ms or us (ms without), or a preset. */
struct prof_error *amount_read_interval(const char *text, double *ret_rate) PROF_MUST_CHECK;

/*
 * Reads TEXT as a time in ns: a number with s (or without), ms or us.  The error says that TEXT
 * cannot be WHAT.
 */
struct prof_error *amount_read_period(
	const char *text, const char *what, int64_t *ret) PROF_MUST_CHECK;

/* Reads TEXT as the limit of a recording's size in MB, as bytes; "unlimited" and "none" are 0. */
struct prof_error *amount_read_size(const char *text, uint64_t *ret) PROF_MUST_CHECK;

/* Reads TEXT as a percentage, with or without its sign, above 0 and up to 100, as a share. */
struct prof_error *amount_read_share(const char *text, double *ret) PROF_MUST_CHECK;

/* Reads TEXT as a number of frames, 1 to 100000. */
struct prof_error *amount_read_depth(const char *text, size_t *ret) PROF_MUST_CHECK;

/* Reads TEXT as a number of samples, of which one is verified; "off" is 0. */
struct prof_error *amount_read_verify(const char *text, size_t *ret) PROF_MUST_CHECK;

/* Reads TEXT as an amount of memory for events in MB, 1 to 65536, as bytes. */
struct prof_error *amount_read_memory(const char *text, size_t *ret) PROF_MUST_CHECK;

/*
 * Reads TEXT as the waits that are recorded: "all", with the threshold 0, "calibrate" (or nothing),
 * or those of more than so many us, or with s, ms or us; the threshold in ns.
 */
struct prof_error *amount_read_waits(
	const char *text, bool *calibrate, int64_t *threshold) PROF_MUST_CHECK;

#endif
