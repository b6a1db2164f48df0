/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What to compare if the two experiments were sampled differently. */
#include "view/compare_private.h"

#include "model/experiment.h"
#include "model/samples.h"
#include "report/recording.h"

#include <math.h>
#include <string.h>

/*
 * The same program reaches slightly different rates from run to run: ignore differences up to this.
 */
static const double ALIKE = 0.1;

static const struct prof_recording *recording_of(
	const struct prof_compare_request *request, int side)
{
	return &request->experiments[side]->recording;
}

static bool is_near(double a, double b, double share)
{
	return fabs(a - b) <= share * fmax(a, b);
}

/* Were both sampled, with samples that stand for different amounts of time, as asked for? */
static bool asked_differently(const struct prof_compare_request *request)
{
	const struct prof_recording *a = recording_of(request, 0), *b = recording_of(request, 1);

	return prof_recording_sampled(a) && prof_recording_sampled(b) &&
		(strcmp(a->clock, b->clock) || !is_near(a->rate_asked, b->rate_asked, 1e-6));
}

static bool has_values(const struct prof_experiment *experiment, const struct prof_metric *metric)
{
	bool has = false;

	for (int i = 0; i < PROF_QUANTITY_TRACED; i++)
		has |= metric->quantities & PROF_QUANTITY_BIT(i) && experiment->samples.totals[i];
	return has;
}

/* The metric of time that both have; NULL: none. */
static const struct prof_metric *find_time(const struct prof_compare_request *request)
{
	bool wall = true;
	const struct prof_metric *metric = prof_metrics;

	for (int i = 0; i < PROF_COMPARISON_SIDES; i++)
		wall &= !strcmp(recording_of(request, i)->clock, "wall");
	while (*metric->name && strcmp(metric->name, wall ? "wall" : "cpu"))
		metric++;
	for (int i = 0; i < PROF_COMPARISON_SIDES; i++) {
		if (!has_values(request->experiments[i], metric))
			return NULL;
	}
	return metric;
}

/* The metric that is compared by default; NULL: the default metric of both. */
static const char *default_metric(const struct prof_compare_request *request)
{
	struct prof_metric metrics[PROF_COMPARISON_SIDES];
	const struct prof_metric *time = NULL;

	if (!request->normalize && asked_differently(request))
		time = find_time(request);
	for (int i = 0; i < PROF_COMPARISON_SIDES; i++)
		prof_metric_default(request->experiments[i], &metrics[i]);
	/* One of the two has only counters. */
	if (!time && strcmp(metrics[0].name, metrics[1].name))
		time = prof_metrics;
	return time ? time->name : NULL;
}

struct prof_error *prof_compare_metrics(const struct prof_compare_request *request,
	struct prof_metric metrics[PROF_COMPARISON_SIDES])
{
	const char *asked = request->choice->metrics;
	struct prof_shown_list list;

	if (!asked)
		asked = default_metric(request);
	for (int i = 0; i < PROF_COMPARISON_SIDES; i++) {
		struct prof_error *error = prof_shown_read(request->experiments[i], asked, &list);
		if (error)
			return error;
		if (list.count > 1)
			return prof_error_create(PROF_ERROR_USAGE,
				"A comparison shows one metric at a time: give one to --metric.");
		metrics[i] = list.items[0].metric;
	}
	if (!strcmp(metrics[0].unit, metrics[1].unit))
		return NULL;
	return prof_error_create(PROF_ERROR_MISMATCH,
		"The metric \"%s\" cannot be compared: A has it in %s, and B in %s.  Give another to --metric.",
		metrics[0].name, metrics[0].unit, metrics[1].unit);
}

/* Prints the rates of both if these make their samples differ.  False: they do not. */
static bool print_difference(const struct prof_compare_request *request, struct prof_text *text)
{
	const struct prof_recording *a = recording_of(request, 0), *b = recording_of(request, 1);
	bool reached = prof_recording_has_rate(a) && prof_recording_has_rate(b);

	if (asked_differently(request)) {
		prof_text_print(text, "A was sampled at %.4g Hz by the clock ", a->rate_asked);
		prof_text_name(text, a->clock);
		prof_text_print(text, ", B at %.4g Hz by the clock ", b->rate_asked);
		prof_text_name(text, b->clock);
		return true;
	}
	double rates[] = {prof_recording_rate(a), prof_recording_rate(b)};
	if (!reached || is_near(rates[0], rates[1], ALIKE))
		return false;
	prof_text_print(
		text, "A was sampled at a rate of %.4g Hz, B of %.4g Hz", rates[0], rates[1]);
	return true;
}

void prof_compare_print_rates(const struct prof_compare_request *request,
	const struct prof_metric *metric, struct prof_text *text)
{
	const struct prof_metric *time = find_time(request);
	bool samples = prof_metric_is_samples(metric);
	bool chosen = !request->choice->metrics && !samples;

	if (request->normalize || (!samples && !chosen) || !print_difference(request, text))
		return;
	if (chosen)
		prof_text_print(text,
			":\ntheir times are compared (--metric=%s), not their samples.\n",
			metric->name);
	else
		prof_text_print(text,
			":\nequal runs differ in their samples.  Compare %s%s%sshares (--normalize).\n",
			time ? "times (--metric=" : "", time ? time->name : "",
			time ? ") or " : "");
}
