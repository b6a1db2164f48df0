#include "metric/sequence.h"

#include <stdlib.h>

/* No two are equal, so that the order is one, whatever way it is sorted. */
static int compare(const void *left, const void *right, void *context)
{
	const struct prof_sample *samples = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (samples[a].thread != samples[b].thread)
		return samples[a].thread < samples[b].thread ? -1 : 1;
	if (samples[a].time != samples[b].time)
		return samples[a].time < samples[b].time ? -1 : 1;
	return (a > b) - (a < b);
}

struct prof_error *prof_sequence_create(const struct prof_experiment *experiment, uint32_t **ret)
{
	size_t count = experiment->samples.count;
	uint32_t *order = malloc((count + 1) * sizeof *order);

	if (!order)
		return prof_error_nomem();
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof *order, compare, experiment->samples.items);
	*ret = order;
	return NULL;
}
