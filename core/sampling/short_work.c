/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/short_work.h"

bool prof_short_evidence_add(struct prof_short_evidence *evidence, const struct prof_runs *runs)
{
	evidence->runs.cpu += runs->cpu;
	evidence->runs.brief += runs->brief;
	evidence->runs.count += runs->count;
	return !evidence->begun || evidence->runs.cpu >= PROF_SHORT_JUDGED;
}

struct prof_runs prof_short_evidence_judge(struct prof_short_evidence *evidence, int64_t waits)
{
	struct prof_runs runs = evidence->runs;
	int64_t waited = waits - evidence->waits;

	if (!evidence->begun)
		runs = (struct prof_runs){0};
	else if (waited < (int64_t)runs.count / 2 && runs.cpu > waited * PROF_SHORT)
		runs.brief = 0;
	*evidence = (struct prof_short_evidence){.waits = waits, .begun = true};
	return runs;
}

static bool is_known(const struct prof_short_work *share)
{
	return share->cpu >= PROF_SHORT_KNOWN;
}

void prof_short_work_add(struct prof_short_work *share, const struct prof_runs *runs)
{
	share->cpu += runs->cpu;
	share->brief += runs->brief;
	while (share->cpu >= PROF_SHORT_RECENT) {
		share->cpu /= 2;
		share->brief /= 2;
	}
	if (is_known(share)) {
		double percent = 100 * (double)share->brief / (double)share->cpu;
		share->large = percent >= (share->large ? PROF_SHORT_LARGE / 2 : PROF_SHORT_LARGE);
	}
}

bool prof_short_work_needs_timer(
	const struct prof_short_work *own, const struct prof_short_work *all)
{
	return is_known(own) ? own->large : all->large;
}
