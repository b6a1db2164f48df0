/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The test is GDB, whose thread looks at the limits when it was asked to. */
#include "plugin/collect/limits.h"

#include "model/experiment.h"
#include "plugin/gdb/wake.h"
#include "recording/queue.h"
#include "recording/recorder.h"
#include "sampling/marker.h"

#include "suite.h"

#include <stdatomic.h>
#include <time.h>

static atomic_int asked;
static int posted;

static struct prof_queue *queue;
static struct prof_marker *marker;
static struct prof_experiment *experiment;
static struct prof_recorder *recorder;

static int over, full;
static const char *why;

bool wake_ask(void)
{
	asked++;
	return true;
}

void wake_post(void)
{
	posted++;
}

static void note_over(const char *reason)
{
	over++;
	why = reason;
}

static void note_full(void)
{
	full++;
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
}

static void begin(int64_t time, uint64_t size)
{
	const struct limits limits = {time, size, note_over, note_full};

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_queue_create(1 << 20, &queue));
	ck_assert_ok(prof_recorder_create(experiment, queue, NULL, &recorder));
	ck_assert_ok(prof_marker_create(queue, &marker));
	limits_begin(&limits, marker, recorder);
}

static void end(void)
{
	prof_marker_destroy(marker);
	prof_recorder_destroy(recorder);
	limits_end();
	prof_queue_destroy(queue);
	prof_experiment_destroy(experiment);
}

/* Records looks with stacks that all differ until GDB is asked for something. */
static void fill(void)
{
	for (uint64_t i = 0; !asked; i++) {
		const uint64_t frames[] = {0x1000 + i, 0x2000};
		struct prof_message message = {.kind = PROF_MESSAGE_LOOK, .size = sizeof frames};
		message.look = (struct prof_look){
			.time = (int64_t)i, .thread = 1, .samples = 1, .depth = 2};
		if (!prof_queue_put(queue, &message, frames) || i % 100 == 0)
			pause_ms(1);
	}
}

START_TEST(recording_is_over_once_after_its_time)
{
	begin(5000000, 0);
	prof_marker_run(marker, true);
	while (!asked)
		pause_ms(1);
	/* Nothing happens on the marker's thread. */
	ck_assert_int_eq(over, 0);
	limits_look();
	ck_assert_int_eq(over, 1);
	ck_assert_str_eq(why, "The recording ended after the time that --for sets.");
	limits_look();
	limits_look();
	ck_assert_int_eq(over, 1);
	ck_assert_int_eq(full, 0);
	ck_assert_int_eq(posted, 0);
	end();
}
END_TEST

START_TEST(recording_is_full_once_at_its_size)
{
	begin(0, 100000);
	fill();
	ck_assert_int_eq(full, 0);
	/* GDB was busy until the user's next command. */
	limits_look();
	ck_assert_int_eq(full, 1);
	limits_look();
	ck_assert_int_eq(full, 1);
	ck_assert_int_eq(over, 0);
	end();
}
END_TEST

START_TEST(recording_without_limits_goes_on)
{
	begin(0, 0);
	prof_marker_run(marker, true);
	pause_ms(30);
	limits_look();
	ck_assert_int_eq(asked + over + full, 0);
	end();
}
END_TEST

START_TEST(program_can_end_the_recording)
{
	begin(0, 0);
	limits_end_by("It has ended itself.");
	ck_assert_int_eq(posted, 1);
	ck_assert_int_eq(over, 0);
	limits_look();
	ck_assert_int_eq(over, 1);
	ck_assert_str_eq(why, "It has ended itself.");
	end();

	/* That is not the reason of the next one's end. */
	asked = over = 0;
	begin(1000000, 0);
	prof_marker_run(marker, true);
	while (!asked)
		pause_ms(1);
	limits_look();
	ck_assert_str_eq(why, "The recording ended after the time that --for sets.");
	end();
}
END_TEST

START_TEST(request_of_an_earlier_recording_does_nothing)
{
	begin(0, 0);
	limits_end_by("It has ended itself.");
	end();
	limits_look();
	ck_assert_int_eq(over, 0);
	begin(0, 0);
	limits_look();
	ck_assert_int_eq(over, 0);
	end();
}
END_TEST

RUN_TESTS("limits", recording_is_over_once_after_its_time, recording_is_full_once_at_its_size,
	recording_without_limits_goes_on, program_can_end_the_recording,
	request_of_an_earlier_recording_does_nothing)
