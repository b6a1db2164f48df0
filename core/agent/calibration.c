/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/calibration.h"

#include "agent/hooks.h"

enum { WARM_UPS = 3, CALLS = 100, FACTOR = 6, MICROSECONDS = 1000 };

uint64_t prof_calibration_threshold(uint64_t sum, unsigned calls, uint64_t millisecond)
{
	uint64_t whole = calls * millisecond;
	uint64_t microseconds = (FACTOR * MICROSECONDS * sum + whole - 1) / whole;

	return microseconds * millisecond / MICROSECONDS;
}

/* How many clock units a millisecond has (tracing/ring_clock.h). */
static uint64_t measure_millisecond(bool counter)
{
	const uint64_t millisecond = 1000000;
	uint64_t from = prof_system_clock(), stamp = prof_system_time(counter), now;

	do {
		now = prof_system_clock();
	} while (now - from < millisecond);
	return (prof_system_time_after(counter) - stamp) * millisecond / (now - from);
}

void prof_calibration_run(bool counter, uint64_t *mean, uint64_t *threshold)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	uint64_t sum = 0;

	for (unsigned i = 0; i < WARM_UPS + CALLS; i++) {
		uint64_t before = prof_system_time_after(counter);
		PROF_REAL(pthread_mutex_lock)(&mutex);
		uint64_t after = prof_system_time_after(counter);
		pthread_mutex_unlock(&mutex);
		if (i >= WARM_UPS)
			sum += after - before;
	}
	*mean = sum / CALLS;
	*threshold = prof_calibration_threshold(sum, CALLS, measure_millisecond(counter));
}
