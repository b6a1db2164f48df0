/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/option/amount.h"

#include "base/clock.h"
#include "base/time_unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEEPEST = 100000, MOST_SELDOM = 1000000000, MOST_MEMORY = 65536 };
static const double RATE_LEAST = 0.1;
static const double RATE_MOST = 20000;

/* dbx's words for sampling rates: hi, on and lo. */
static const struct {
	const char *word;
	double rate;
} presets[] = {{"hi", 1000}, {"on", 100}, {"lo", 10}};

static struct prof_error *check_rate(double rate, const char *text, double *ret)
{
	if (!(rate >= RATE_LEAST && rate <= RATE_MOST))
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not a sampling rate: give %g to %g Hz (an interval of 50 us to 10 s), or hi, on or lo.",
			text, RATE_LEAST, RATE_MOST);
	*ret = rate;
	return NULL;
}

/* The rate of the preset TEXT, or 0. */
static double preset(const char *text)
{
	for (size_t i = 0; i < PROF_COUNT(presets); i++) {
		if (!strcmp(presets[i].word, text))
			return presets[i].rate;
	}
	return 0;
}

void amount_say_rates(struct prof_text *text)
{
	struct timespec resolution = {0};

	clock_getres(CLOCK_MONOTONIC, &resolution);
	prof_text_print(text,
		"Sampling rates are %g to %g Hz, which is every %g s to %g us; the clock's resolution is %g us.\n",
		RATE_LEAST, RATE_MOST, 1 / RATE_LEAST, 1e6 / RATE_MOST,
		(double)prof_clock_ns(resolution) / PROF_NS_PER_US);
}

struct prof_error *amount_read_rate(const char *text, double *ret)
{
	char *end;
	double rate = preset(text);

	if (rate > 0)
		return check_rate(rate, text, ret);
	rate = strtod(text, &end);
	return check_rate(end == text || *end ? 0 : rate, text, ret);
}

/* Reads TEXT, a number with s, ms or us, or one of PLAIN ns each; returns ns, or -1. */
static double read_time(const char *text, double plain)
{
	char *end;
	double number = strtod(text, &end);
	int64_t ns = prof_time_unit_find(end, strlen(end), PROF_TIME_US, PROF_TIME_S);

	if (end == text || (*end && !ns))
		return -1;
	return number * (*end ? (double)ns : plain);
}

struct prof_error *amount_read_interval(const char *text, double *ret_rate)
{
	double rate = preset(text);
	double interval = rate > 0 ? 0 : read_time(text, PROF_NS_PER_MS);

	return check_rate(interval > 0 ? PROF_NS_PER_SECOND / interval : rate, text, ret_rate);
}

struct prof_error *amount_read_period(const char *text, const char *what, int64_t *ret)
{
	static const double least = PROF_NS_PER_MS, most = 1e6 * PROF_NS_PER_SECOND;
	double period = read_time(text, PROF_NS_PER_SECOND);

	if (!(period >= least && period <= most))
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" cannot be %s: give a number with s, ms or us, from 1 ms to 1000000 s.",
			text, what);
	*ret = (int64_t)period;
	return NULL;
}

struct prof_error *amount_read_share(const char *text, double *ret)
{
	char *end;
	double percent = strtod(text, &end);

	if (end == text || (*end && strcmp(end, "%") != 0) || !(percent > 0 && percent <= 100))
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not a share of time: give a percentage above 0 and up to 100.",
			text);
	*ret = percent / 100;
	return NULL;
}

/* Reads TEXT as a whole number from LEAST to MOST.  False: it is none. */
static bool read_whole(const char *text, size_t least, size_t most, size_t *ret)
{
	char *end;

	errno = 0;
	unsigned long number = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || number < least || number > most)
		return false;
	*ret = number;
	return true;
}

struct prof_error *amount_read_depth(const char *text, size_t *ret)
{
	return read_whole(text, 1, DEEPEST, ret)
		? NULL
		: prof_error_create(PROF_ERROR_USAGE,
			  "\"%s\" is not a stack depth: give 1 to %d frames.", text, DEEPEST);
}

struct prof_error *amount_read_verify(const char *text, size_t *ret)
{
	if (!strcmp(text, "off")) {
		*ret = 0;
		return NULL;
	}
	if (!read_whole(text, 0, MOST_SELDOM, ret))
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" does not select stacks to verify: give N from 1 to %d for every Nth stack, or 0 or off for none.",
			text, MOST_SELDOM);
	return NULL;
}

struct prof_error *amount_read_memory(const char *text, size_t *ret)
{
	size_t megabytes;

	if (!read_whole(text, 1, MOST_MEMORY, &megabytes))
		return prof_error_create(PROF_ERROR_USAGE, "\"%s\" is not a size: give 1 to %d MB.",
			text, MOST_MEMORY);
	*ret = megabytes << 20;
	return NULL;
}

struct prof_error *amount_read_size(const char *text, uint64_t *ret)
{
	static const double least = 0.1, most = 1 << 24;
	char *end;
	double number = strtod(text, &end);

	*ret = 0;
	if (!strcmp(text, "unlimited") || !strcmp(text, "none"))
		return NULL;
	if (end == text || *end || !(number >= least && number <= most))
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not a limit of size: give %g to %.0f MB, or unlimited.", text,
			least, most);
	*ret = (uint64_t)(number * (1 << 20));
	return NULL;
}

struct prof_error *amount_read_waits(const char *text, bool *calibrate, int64_t *threshold)
{
	static const double most = 1e15;

	*threshold = 0;
	*calibrate = !*text || !strcmp(text, "calibrate");
	if (*calibrate || !strcmp(text, "all"))
		return NULL;
	double wait = read_time(text, PROF_NS_PER_US);
	if (!(wait >= 0 && wait <= most))
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" does not select waits: give all, calibrate, or a threshold in us or with s, ms or us.",
			text);
	*threshold = (int64_t)wait;
	return NULL;
}
