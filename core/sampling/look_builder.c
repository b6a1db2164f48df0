/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/look_builder.h"

#include "base/time_unit.h"
#include "recording/queue.h"
#include "sampling/alarm.h"
#include "sampling/demand.h"
#include "sampling/division.h"
#include "sampling/due.h"
#include "sampling/walker.h"
#include "sampling/watch.h"
#include "target/procfs.h"
#include "target/wait.h"

#include <math.h>

/* ns: a thread that has waited longer for its CPU than looking at it takes was not running. */
static const int64_t LONG_DELAY = PROF_NS_PER_MS;

static struct prof_look begin(const struct prof_watch *watch, enum prof_state state)
{
	return (struct prof_look){
		.time = watch->last,
		.thread = watch->thread,
		.process = watch->process,
		.state = (uint8_t)state,
		.end = PROF_STACK_WHOLE,
		.cpu = watch->cpu,
	};
}

static void put(struct prof_look_builder *builder, const struct prof_look *look)
{
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK, .look = *look};

	prof_queue_put(builder->queue, &message, NULL);
}

/*
 * The rounds for which WATCH was not counted yet.
 *
 * A mark can come within a round, before the look that finds this round's tick lost: the round was
 * reported by then, and WATCH is counted for one round more.  The next round makes up for it,
 * because it was reported in place of the lost one.
 */
static uint64_t take_rounds(const struct prof_look_builder *builder, struct prof_watch *watch)
{
	if (watch->counted >= builder->round)
		return 0;
	uint64_t rounds = builder->round - watch->counted;
	watch->counted = builder->round;
	return rounds;
}

/* The samples that WATCH, which is met or sampled BY something, stands for. */
static uint32_t stands_for(const struct prof_look_builder *builder, struct prof_watch *watch,
	enum prof_due_by by, bool indebted)
{
	uint64_t rounds = take_rounds(builder, watch);

	return builder->wall ? (uint32_t)rounds
			     : prof_due_rounds(builder, watch, rounds, by, indebted);
}

/* The samples of WATCH, if waiting threads are some; otherwise a sleeping thread has none. */
static uint32_t samples(const struct prof_look_builder *builder, struct prof_watch *watch)
{
	if (!builder->wall && !watch->asleep)
		return 0;
	uint64_t rounds = take_rounds(builder, watch);
	return builder->wall ? (uint32_t)rounds : 0;
}

static void count(
	struct prof_look_builder *builder, struct prof_watch *watch, const struct prof_stretch *did)
{
	double due = (double)did->cpu * builder->pace.rate / PROF_NS_PER_SECOND;

	prof_demand_count(&watch->demand, did->cpu, did->delay);
	builder->figures.running += did->cpu;
	builder->figures.delayed += did->delay;
	if (watch->blocks) {
		builder->figures.blocked += did->cpu;
	} else {
		watch->due += due;
		builder->switches.due += due;
	}
	prof_pace_count(&builder->pace, 0, did->cpu);
}

/* Was it in a system call when it was last met? */
static bool in_call(const struct prof_watch *watch)
{
	return watch->within != PROF_WITHIN_PROGRAM;
}

/* Makes a look at a running thread, with the time that it ran and waited for a CPU in DID. */
static struct prof_look on_cpu(struct prof_watch *watch, const struct prof_stretch *did)
{
	struct prof_cpu cpu =
		prof_division_add(&watch->division, &watch->account, did->cpu, in_call(watch));
	bool system = cpu.system == cpu.user ? in_call(watch) : cpu.system > cpu.user;
	struct prof_look look = begin(watch, system ? PROF_STATE_SYSTEM : PROF_STATE_USER);

	look.spent[PROF_STATE_USER] = cpu.user;
	look.spent[PROF_STATE_SYSTEM] = cpu.system;
	look.spent[PROF_STATE_RUNQUEUE] = did->delay;
	return look;
}

/*
 * The CPU time of WATCH that was not reported yet; negative: more was reported than the kernel has
 * accounted.
 */
static void set_unreported(
	struct prof_look_builder *builder, struct prof_watch *watch, int64_t unreported)
{
	int64_t before = watch->unreported < 0 ? -watch->unreported : 0;
	int64_t ahead = unreported < 0 ? -unreported : 0;

	builder->figures.running += ahead - before;
	watch->unreported = unreported;
}

/*
 * Was what WATCH is met, or sampled, by at NOW due while it went to sleep?  Where short stretches
 * on a CPU end, samples are late for other reasons, too: no more of them count than its switches
 * can explain.  WITHIN a system call the kernel may have had interrupts off, as it has where it
 * wakes another thread, or the call may still be the one in which the thread has slept.
 */
static bool is_overdue(const struct prof_look_builder *builder, const struct prof_watch *watch,
	int64_t now, enum prof_within within)
{
	return within == PROF_WITHIN_PROGRAM && prof_due_is_late(builder, watch, now) &&
		watch->switching >= fmax(watch->due, 1);
}

/*
 * Each sample of the kernel's, and each ring of an alarm or a CPU timer, stands for the CPU time
 * since the one before.  The part of it that ends as the thread goes to sleep must not be reported
 * with the one before: looks happen when threads sleep, and what takes longest would get most of
 * it.
 */
static void keep_unreported(
	struct prof_look_builder *builder, struct prof_watch *watch, struct prof_stretch *did)
{
	if (watch->event || watch->of_cpus || watch->timer.on || watch->alarm.on) {
		set_unreported(builder, watch, watch->unreported + did->cpu);
		did->cpu = 0;
	}
}

static void add_unreported(
	struct prof_look_builder *builder, struct prof_watch *watch, struct prof_stretch *did)
{
	int64_t cpu = did->cpu + watch->unreported;

	did->cpu = cpu > 0 ? cpu : 0;
	set_unreported(builder, watch, cpu - did->cpu);
}

/*
 * The CPU time in DID for ROUNDS samples of WATCH by its own clock, and what was not reported
 * before.  What samples stand for that are missing because of switches is left for the place where
 * it sleeps; of an OVERDUE one, everything.  What is missing otherwise is left for the next one if
 * this is late.
 */
static void take_cpu(struct prof_look_builder *builder, struct prof_watch *watch,
	struct prof_stretch *did, uint32_t rounds, bool overdue)
{
	if (overdue) {
		keep_unreported(builder, watch, did);
		return;
	}
	add_unreported(builder, watch, did);
	if (builder->wall || !prof_watch_has_clock(watch))
		return;
	double period = PROF_NS_PER_SECOND / builder->pace.rate;
	double most = prof_due_is_late(builder, watch, watch->last)
		? INFINITY
		: prof_due_switching(builder, watch);
	double left = fmax(fmin(watch->due - rounds, most), 0);
	double kept = fmin(left * period, fmax((double)did->cpu - rounds * period, 0));
	did->cpu -= (int64_t)kept;
	set_unreported(builder, watch, watch->unreported + (int64_t)kept);
}

/*
 * The CPU time in DID for SAMPLES of WATCH's CPU, PASSED ns after the previous look: one period
 * each.  Up to LATE ns are accounted only later; reported as they are, everything that comes with a
 * timer interrupt would be counted for the next sample.
 */
static void take_periods(struct prof_look_builder *builder, struct prof_watch *watch,
	struct prof_stretch *did, int64_t passed, int64_t late, uint32_t samples)
{
	int64_t asked = (int64_t)((double)samples * PROF_NS_PER_SECOND / builder->pace.rate);
	int64_t ahead = watch->unreported < 0 ? -watch->unreported : 0;
	int64_t unaccounted = passed - did->cpu - did->delay + ahead;

	if (unaccounted < 0)
		unaccounted = 0;
	int64_t known = watch->unreported + did->cpu;
	int64_t most = known + (unaccounted < late ? unaccounted : late);
	did->cpu = asked < most ? asked : most > 0 ? most : 0;
	set_unreported(builder, watch, known - did->cpu);
}

/* Reports the same for a thread that is not met now; the look stands for SAMPLES. */
static void put_runnable(struct prof_look_builder *builder, struct prof_watch *watch,
	const struct prof_stretch *did, uint32_t samples)
{
	if (!did->cpu && !did->delay && !samples)
		return;
	struct prof_look look = on_cpu(watch, did);
	look.samples = samples;
	put(builder, &look);
}

/* Reports NS in the last wait that was seen. */
static void put_wait(struct prof_look_builder *builder, struct prof_watch *watch, int64_t ns)
{
	struct prof_look look = begin(watch, watch->wait.state);

	look.spent[look.state] = ns;
	look.samples = samples(builder, watch);
	if (ns || look.samples)
		put(builder, &look);
}

/* It still waits for a CPU: the kernel accounts that when it ends. */
static void add_waiting(struct prof_watch *watch, struct prof_stretch *did)
{
	if (watch->asleep || did->waited < PROF_SCHEDSTAT_GRAIN || prof_watch_state(watch) != 'R')
		return;
	did->delay += did->waited;
	did->waited = 0;
}

/*
 * Ends the stretch of WATCH since the last look, like prof_watch_advance(), and counts the switches
 * in it.  The kernel takes no sample of a CPU while it switches threads: a sample that is due then
 * finds another thread, or none, or comes when the thread goes on.  WATCH can lack one sample per
 * switch at most.  Those in which it is preempted are not for the place where it sleeps.
 */
static struct prof_stretch advance(const struct prof_look_builder *builder,
	struct prof_watch *watch, int64_t now, const struct prof_schedstat *schedstat)
{
	if (prof_watch_has_clock(watch) && !builder->wall && schedstat->slices > watch->slices) {
		double slices = (double)(schedstat->slices - watch->slices);
		prof_yields_look(&watch->yields, watch->process, watch->thread, now);
		watch->switching = prof_switches_more(&builder->switches, watch->switching,
			slices * prof_yields_part(&watch->yields), builder->pace.rate);
	}
	return prof_watch_advance(watch, now, schedstat);
}

void prof_look_builder_known(struct prof_look_builder *builder, struct prof_watch *watch,
	int64_t now, const struct prof_schedstat *schedstat)
{
	struct prof_stretch did = advance(builder, watch, now, schedstat);

	add_waiting(watch, &did);
	count(builder, watch, &did);
	add_unreported(builder, watch, &did);
	put_runnable(builder, watch, &did, 0);
	if (watch->asleep || prof_due_has_slept(watch, now)) {
		put_wait(builder, watch, did.waited);
	} else {
		struct prof_look look =
			begin(watch, in_call(watch) ? PROF_STATE_SYSTEM : PROF_STATE_USER);
		look.spent[PROF_STATE_OTHER] = did.waited;
		look.samples = samples(builder, watch);
		put(builder, &look);
	}
}

void prof_look_builder_pass_on(struct prof_look_builder *builder, struct prof_watch *watch)
{
	double inherited = prof_due_inherited(watch);

	/*
	 * If more are missing than it had inherited, the thread could not be sampled: others must
	 * not stand for it.
	 */
	builder->owed += fmax(fmin(watch->due, fmax(inherited, 0) + prof_due_doubtful),
		fmin(inherited, 0) - prof_due_doubtful);
	watch->due = 0;
	watch->inherited = 0;
}

/*
 * WATCH, which is met, takes over the missing samples of threads that have ended.  Returns how
 * many; negative: those had too many.
 */
static double inherit(struct prof_look_builder *builder, struct prof_watch *watch)
{
	double samples = builder->wall ? 0 : trunc(builder->owed);

	watch->inherited = prof_due_inherited(watch) + samples;
	watch->due += samples;
	builder->owed -= samples;
	return samples;
}

void prof_look_builder_ended(struct prof_look_builder *builder, struct prof_watch *watch)
{
	prof_look_builder_known(builder, watch, watch->read_at, &watch->read);
	prof_look_builder_pass_on(builder, watch);
}

/*
 * The thread of WATCH sleeps in STACK.  It went to sleep there and woke up: the samples that are
 * missing because of switches belong to that stack.
 */
static void put_switches(
	struct prof_look_builder *builder, struct prof_watch *watch, const struct prof_stack *stack)
{
	double samples = floor(fmin(watch->due, prof_due_switching(builder, watch)));

	if (!stack || samples < 1 || watch->due < prof_due_doubtful)
		return;
	int64_t asked = (int64_t)((double)samples * PROF_NS_PER_SECOND / builder->pace.rate);
	int64_t unreported = watch->unreported > 0 ? watch->unreported : 0;
	const struct prof_stretch did = {.cpu = asked < unreported ? asked : unreported};

	set_unreported(builder, watch, watch->unreported - did.cpu);
	watch->due -= samples;
	watch->switching -= samples;
	builder->switches.given += samples;
	builder->figures.ticks += (uint64_t)samples;
	watch->within = PROF_WITHIN_WAIT;
	struct prof_look look = on_cpu(watch, &did);
	look.state = PROF_STATE_SYSTEM;
	look.samples = (uint32_t)samples;
	prof_walker_put(builder->walker, &look, stack);
}

void prof_look_builder_asleep(struct prof_look_builder *builder, struct prof_watch *watch,
	int64_t now, const struct prof_schedstat *schedstat, const struct prof_wait *wait,
	const struct prof_stack *stack)
{
	int64_t before = watch->asleep ? watch->waited - watch->last : 0;
	struct prof_stretch did = advance(builder, watch, now, schedstat);

	/* Until it was last seen asleep, it was in the wait before. */
	before = before < 0 ? 0 : before < did.waited ? before : did.waited;
	count(builder, watch, &did);
	/*
	 * If it was not met since, what it did on its way there is reported with the place where it
	 * sleeps.
	 */
	bool first = stack && !watch->placed;
	if (!first) {
		keep_unreported(builder, watch, &did);
		put_runnable(builder, watch, &did, 0);
	}
	if (before)
		put_wait(builder, watch, before);
	put_switches(builder, watch, stack);
	watch->wait = *wait;
	watch->waited = now;
	watch->asleep = true;
	struct prof_look look = first ? on_cpu(watch, &did) : begin(watch, wait->state);
	look.state = (uint8_t)wait->state;
	watch->placed |= first;
	look.spent[wait->state] = did.waited - before;
	look.samples = samples(builder, watch);
	if (stack)
		prof_walker_put(builder->walker, &look, stack);
	else
		put(builder, &look);
}

/* WATCH was KEPT stopped for so many ns WITHIN something: counts that. */
static void count_stop(struct prof_look_builder *builder, const struct prof_watch *watch,
	enum prof_within within, int64_t kept)
{
	/* Asleep, it would not have used a CPU. */
	int64_t lost = within == PROF_WITHIN_WAIT ? 0 : prof_demand_lost(&watch->demand, kept);

	builder->figures.kept += kept;
	builder->figures.stopped += lost;
	prof_pace_count(&builder->pace, lost, 0);
}

void prof_look_builder_met(struct prof_look_builder *builder, struct prof_watch *watch, int64_t now,
	const struct prof_schedstat *schedstat, enum prof_within within, struct prof_look *look)
{
	int64_t delay = schedstat->delay - watch->sent_delay;
	bool timed = watch->timer.rang;
	bool rang = watch->alarm.rang || timed;
	/* A thread's own clock rings while it runs: it has waited since it went on. */
	bool waited = !rang && delay > LONG_DELAY;
	int64_t kept = prof_watch_keep(watch, watch->sent ? watch->sent : now, now, schedstat);
	struct prof_stretch did = advance(builder, watch, now, schedstat);

	/* Updates the account. */
	prof_watch_state(watch);
	prof_watch_end_tick(watch);
	watch->asleep = false;
	watch->held = false;
	watch->blocks = false;
	count(builder, watch, &did);
	/* The CPU time before it waited belongs to no other stack. */
	waited &= watch->placed || watch->due < 1;
	bool indebted = !waited && inherit(builder, watch) < 0;
	bool overdue = rang && !timed && is_overdue(builder, watch, now, within);
	uint32_t rounds = overdue
		? 0
		: stands_for(builder, watch, rang ? PROF_DUE_RING : PROF_DUE_LOOK, indebted);
	take_cpu(builder, watch, &did, rounds, overdue);
	builder->switches.had += rounds;
	/*
	 * An alarm is set anew for each sample; a CPU timer may ring much later than it is due, and
	 * then one tick stands for several samples.
	 */
	builder->figures.ticks += timed && rounds ? 1 : rounds;
	count_stop(builder, watch, within, kept);
	if (waited) {
		*look = watch->placed ? begin(watch, PROF_STATE_RUNQUEUE) : on_cpu(watch, &did);
		look->state = PROF_STATE_RUNQUEUE;
		look->spent[PROF_STATE_RUNQUEUE] = did.delay;
		look->samples = builder->wall ? rounds : 0;
		did.delay = 0;
		if (watch->placed)
			put_runnable(builder, watch, &did,
				builder->wall ? 0 : prof_due_make_up(watch, rounds));
	} else {
		watch->within = within;
		/*
		 * A short wait is usually for the thread that looks.  If a thread has had too many
		 * samples already, it was probably one of many short waits of its own.
		 */
		if (!builder->wall && delay && watch->due < -prof_due_doubtful)
			rounds = 0;
		*look = on_cpu(watch, &did);
		look->samples = rounds;
		prof_due_have(watch, rounds);
	}
	watch->placed = true;
	if (prof_due_has_slept(watch, now))
		put_wait(builder, watch, did.waited);
	else
		look->spent[PROF_STATE_OTHER] = did.waited;
}

/*
 * A sample of the kernel's stands for ROUNDS.  All but one of them may be samples that were missed:
 * these are lost ticks.  Counts them.
 */
static void count_sample(struct prof_look_builder *builder, uint32_t rounds)
{
	uint64_t ticks = rounds;
	uint64_t lost = rounds > 1 ? rounds - 1 : 0;

	if (lost > builder->missed)
		lost = builder->missed;
	if (builder->wall) {
		lost = builder->missed;
		ticks = 1 + lost;
	}
	builder->missed -= lost;
	builder->switches.had += 1 + (double)lost;
	builder->figures.ticks += ticks;
	builder->figures.lost += lost;
}

void prof_look_builder_sampled(struct prof_look_builder *builder, struct prof_watch *watch,
	int64_t now, const struct prof_schedstat *schedstat, enum prof_within within, int64_t late,
	struct prof_look *look)
{
	int64_t passed = now - watch->last;
	struct prof_stretch did = advance(builder, watch, now, schedstat);

	count(builder, watch, &did);
	bool indebted = inherit(builder, watch) < 0;
	bool overdue = is_overdue(builder, watch, now, within);
	uint32_t rounds = overdue ? 0 : stands_for(builder, watch, PROF_DUE_SAMPLE, indebted);
	if (watch->of_cpus)
		take_periods(builder, watch, &did, passed, late, builder->wall ? 1 : rounds);
	else
		take_cpu(builder, watch, &did, rounds, overdue);
	prof_due_have(watch, builder->wall ? 1 : rounds);
	watch->within = within;
	if (!overdue)
		count_sample(builder, rounds);
	*look = on_cpu(watch, &did);
	look->samples = rounds;
	if (prof_due_has_slept(watch, now))
		put_wait(builder, watch, did.waited);
	else
		look->spent[PROF_STATE_OTHER] = did.waited;
	watch->placed = true;
	watch->asleep = false;
}

void prof_look_builder_stood(struct prof_look_builder *builder, int64_t from, int64_t now)
{
	if (from > builder->counted)
		prof_look_builder_figures(builder, from, true);
	builder->counted = now;
}

void prof_look_builder_figures(struct prof_look_builder *builder, int64_t now, bool runs)
{
	struct prof_message message = {.kind = PROF_MESSAGE_FIGURES};

	if (runs)
		builder->figures.duration += now - builder->counted;
	builder->counted = now;
	builder->figures.until = now;
	builder->figures.rate = builder->pace.rate;
	message.figures = builder->figures;
	/* If the queue is full they are reported later. */
	if (prof_queue_put(builder->queue, &message, NULL))
		builder->figures = (struct prof_figures){0};
}
