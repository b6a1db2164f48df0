/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_event.h"

#include "sample_child.h"
#include "sampling/perf_dump.h"
#include "target/arch.h"

/* What may be had here; where it is nothing, the reason is a sentence and there is no more to test.
 */
static bool permitted(struct prof_perf_options *options)
{
	struct prof_error *why;

	*options = (struct prof_perf_options){
		.scope = prof_perf_scope(prof_arch_native(), &why),
		.period = 1000000,
		.dump = PROF_PERF_DUMP_USUAL,
		.samples = 8,
	};
	ck_assert((options->scope == PROF_PERF_ALL) == !why);
	if (why) {
		const char *text = prof_error_message(why);
		ck_assert(text[strlen(text) - 1] == '.');
	}
	prof_error_destroy(why);
	return options->scope != PROF_PERF_NOTHING;
}

/* Counts the samples of EVENT that came until now, and checks that they are of CHILD. */
static unsigned take(struct prof_perf_event *event, pid_t child)
{
	const struct perf_event_header *header;
	struct prof_perf_record record;
	unsigned count = 0;

	prof_perf_ring_begin(&event->ring);
	while ((header = prof_perf_ring_next(&event->ring))) {
		ck_assert(prof_perf_record_parse(header, event->type, prof_arch_native(), &record));
		if (record.kind != PROF_PERF_SAMPLE_TAKEN)
			continue;
		ck_assert_int_eq(record.thread, child);
		ck_assert_int_le(record.time, prof_clock());
		ck_assert_uint_gt(record.stack.length, 0);
		count++;
	}
	prof_perf_ring_end(&event->ring);
	return count;
}

START_TEST(a_thread_is_sampled_by_its_cpu_time)
{
	struct prof_perf_options options;
	struct prof_perf_event event;
	unsigned count = 0;

	if (!permitted(&options))
		return;
	pid_t child = child_start(child_spin);
	ck_assert(prof_perf_event_open(&event, child, prof_arch_native(), &options));
	while (count < 20) {
		count += take(&event, child);
		pause_ms(1);
	}
	ck_assert(!prof_perf_event_ended(&event));
	/* A period that never ends: there may be one that is under way. */
	prof_perf_event_pace(&event, 3600 * INT64_C(1000000000));
	take(&event, child);
	pause_ms(20);
	ck_assert_uint_le(take(&event, child), 1);
	children_end();
	ck_assert(prof_perf_event_ended(&event));
	prof_perf_event_close(&event);
}
END_TEST

/* In system calls almost all the time. */
static void child_call(void)
{
	for (;;)
		getppid();
}

START_TEST(frames_of_the_kernel_come_where_they_are_asked_for)
{
	struct prof_perf_options options;
	struct prof_perf_event event;
	uint64_t frames[PERF_MAX_STACK_DEPTH];
	size_t most = 0;

	if (!permitted(&options) || options.scope != PROF_PERF_ALL)
		return;
	options.frames = true;
	pid_t child = child_start(child_call);
	ck_assert(prof_perf_event_open(&event, child, prof_arch_native(), &options));
	while (!most) {
		const struct perf_event_header *header;
		struct prof_perf_record record;
		prof_perf_ring_begin(&event.ring);
		while ((header = prof_perf_ring_next(&event.ring))) {
			ck_assert(prof_perf_record_parse(
				header, event.type, prof_arch_native(), &record));
			size_t count =
				prof_perf_record_kernel(&record, frames, PERF_MAX_STACK_DEPTH);
			for (size_t i = 0; i < count; i++)
				ck_assert_uint_ge(frames[i], UINT64_C(1) << 63);
			most = count > most ? count : most;
		}
		prof_perf_ring_end(&event.ring);
		pause_ms(1);
	}
	children_end();
	prof_perf_event_close(&event);
}
END_TEST

START_TEST(a_thread_that_sleeps_is_not)
{
	struct prof_perf_options options;
	struct prof_perf_event event;

	if (!permitted(&options))
		return;
	pid_t child = child_start(child_sleep);
	child_await(child, 'S');
	ck_assert(prof_perf_event_open(&event, child, prof_arch_native(), &options));
	pause_ms(20);
	ck_assert_uint_eq(take(&event, child), 0);
	children_end();
	prof_perf_event_close(&event);
}
END_TEST

START_TEST(one_that_is_gone_is_refused)
{
	struct prof_perf_options options;
	struct prof_perf_event event;

	if (!permitted(&options))
		return;
	pid_t child = child_start(child_spin);
	children_end();
	ck_assert(!prof_perf_event_open(&event, child, prof_arch_native(), &options));
}
END_TEST

RUN_TESTS("perf event", frames_of_the_kernel_come_where_they_are_asked_for,
	a_thread_is_sampled_by_its_cpu_time, a_thread_that_sleeps_is_not,
	one_that_is_gone_is_refused)
