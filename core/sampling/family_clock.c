/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/family_clock.h"

#include "sampling/off_cpu.h"
#include "target/procfs.h"

/* Periods: samples may differ from the account this much by chance. */
enum { MANY = 2 };

/* Compares the clock with a look between the previous sample and TIME. */
static void compare(
	struct prof_family_clock *clock, const struct prof_off_cpu *off_cpu, int64_t time)
{
	if (!off_cpu->looked || off_cpu->looked == clock->compared || time <= off_cpu->looked)
		return;
	int64_t ahead = clock->reported - off_cpu->read.run;
	if (!clock->compared)
		clock->base = ahead;
	clock->ahead = ahead - clock->base;
	clock->compared = off_cpu->looked;
}

int64_t prof_family_clock_sample(struct prof_family_clock *clock,
	const struct prof_off_cpu *off_cpu, int64_t time, int64_t period)
{
	int64_t share = period;

	compare(clock, off_cpu, time);
	if (clock->ahead > MANY * period)
		share = 0;
	else if (clock->ahead < -MANY * period)
		share = 2 * period;
	clock->reported += period;
	clock->ahead -= period - share;
	clock->base += period - share;
	return share;
}

int64_t prof_family_clock_rest(const struct prof_family_clock *clock,
	const struct prof_off_cpu *off_cpu, int64_t counted, int64_t end)
{
	int64_t rest = counted - clock->reported;
	int64_t by_look = off_cpu->read.run - (clock->reported - clock->base);
	int64_t most = (by_look > 0 ? by_look : 0) + end - off_cpu->looked;

	if (clock->compared && end > off_cpu->looked && rest > most)
		rest = most;
	return rest > 0 ? rest : 0;
}
