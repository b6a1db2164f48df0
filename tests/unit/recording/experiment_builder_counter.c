/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of counters. */
#include "experiment_builder.h"

static void report(const char *name, enum prof_counter_unit unit, int64_t clock, bool apart)
{
	struct prof_message message = {.kind = PROF_MESSAGE_COUNTER};

	message.counter.unit = unit;
	message.counter.clock = clock;
	message.counter.apart = apart;
	message.counter.interval = 100;
	add(message, name, strlen(name) + 1);
}

/* The counter NUMBER overflows in the thread 7, which is at FRAME; 0: nobody knows where. */
static void overflow(uint32_t number, uint64_t frame)
{
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK};

	message.look = (struct prof_look){.time = START + 9,
		.thread = 7,
		.depth = frame ? 1 : 0,
		.state = PROF_STATE_SYSTEM,
		.cpu = 3,
		.counter = number + 1,
		.value = 100};
	add(message, &frame, frame ? sizeof frame : 0);
}

/* A counter overflows at 0x1000, called from 0x2000, and this is known of what caused it. */
static const struct prof_data *overflow_of(struct prof_look known)
{
	const uint64_t frames[] = {0x1000, 0x2000};
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK, .look = known};
	size_t before = builder.experiment->data.count;

	message.look.time = START + 9;
	message.look.thread = 7;
	message.look.depth = PROF_COUNT(frames);
	message.look.counter = 1;
	message.look.value = 100;
	add(message, frames, sizeof frames);
	if (builder.experiment->data.count == before)
		return NULL;
	const struct prof_data *data = &builder.experiment->data.items[before];
	ck_assert_uint_eq(data->sample, builder.experiment->samples.count - 1);
	return data;
}

START_TEST(what_caused_it_is_kept)
{
	struct prof_look found = {.trigger = PROF_TRIGGER_FOUND,
		.access = PROF_ACCESS_LOAD,
		.skid = 2,
		.addressed = true,
		.address = 0x5008};

	start();
	report("dcrm", PROF_COUNTER_EVENTS, 0, false);
	ck_assert_ptr_null(overflow_of((struct prof_look){0}));
	const struct prof_data *data = overflow_of(found);
	ck_assert_uint_eq(data->trigger, PROF_TRIGGER_FOUND);
	ck_assert_uint_eq(data->access, PROF_ACCESS_LOAD);
	ck_assert_uint_eq(data->skid, 2);
	ck_assert(data->addressed && data->address == 0x5008);
	ck_assert_uint_eq(frame_at(0)->address, 0x1000);
	ck_assert_ptr_eq(prof_experiment_data_of(builder.experiment, 1), data);
	ck_assert_ptr_null(prof_experiment_data_of(builder.experiment, 0));
	end();
}
END_TEST

START_TEST(what_is_not_known_is_artificial)
{
	start();
	report("dcrm", PROF_COUNTER_EVENTS, 0, false);
	overflow_of((struct prof_look){.trigger = PROF_TRIGGER_UNRESOLVABLE});
	ck_assert_str_eq(function_at(0), "<Unresolvable>");
	ck_assert_uint_eq(frame_at(1)->address, 0x1000);
	ck_assert_uint_eq(frame_at(2)->address, 0x2000);
	overflow_of((struct prof_look){.trigger = PROF_TRIGGER_UNVERIFIABLE});
	ck_assert_str_eq(function_at(0), "<Unverifiable>");
	overflow_of((struct prof_look){.trigger = PROF_TRIGGER_CALL});
	ck_assert_uint_eq(frame_at(0)->address, 0x1000);
	overflow_of((struct prof_look){.trigger = PROF_TRIGGER_UNSPECIFIED});
	ck_assert_uint_eq(frame_at(0)->address, 0x1000);
	ck_assert_uint_eq(builder.experiment->data.count, 4);
	end();
}
END_TEST

static prof_value last_value(int quantity)
{
	return value_at(builder.experiment, (enum prof_quantity)quantity,
		builder.experiment->samples.count - 1);
}

START_TEST(overflow_is_a_sample_of_its_counter_alone)
{
	start();
	report("page-faults", PROF_COUNTER_EVENTS, 0, false);
	report("cycles", PROF_COUNTER_CYCLES, INT64_C(2000000000), false);
	overflow(1, 0x1000);
	ck_assert_uint_eq(frame_at(0)->address, 0x1000);
	ck_assert_int_eq(last_sample().time, 9);
	ck_assert_uint_eq(last_sample().state, PROF_STATE_SYSTEM);
	ck_assert_uint_eq(last_sample().cpu, 3);
	for (int i = 0; i < PROF_QUANTITIES; i++)
		ck_assert(last_value(i) == (i == PROF_QUANTITY_EVENT + 1 ? prof_value_of(100) : 0));
	ck_assert_str_eq(string(builder.experiment->events.items[1].name), "cycles");
	ck_assert_int_eq(builder.experiment->events.items[1].clock, INT64_C(2000000000));
	ck_assert_int_eq(builder.experiment->events.items[1].interval, 100);
	end();
}
END_TEST

START_TEST(overflow_is_not_remembered_as_a_stack)
{
	start();
	report("page-faults", PROF_COUNTER_EVENTS, 0, false);
	overflow(0, 0x2000);
	look_again(7);
	ck_assert_str_eq(function_at(0), "<No-stack>");
	LOOK(7, 0x1000);
	overflow(0, 0x2000);
	ck_assert_uint_eq(frame_at(0)->address, 0x2000);
	look_again(7);
	ck_assert_uint_eq(frame_at(0)->address, 0x1000);
	end();
}
END_TEST

START_TEST(overflow_without_frames_has_no_stack)
{
	start();
	report("page-faults", PROF_COUNTER_EVENTS, 0, false);
	LOOK(7, 0x1000);
	overflow(0, 0);
	ck_assert_str_eq(function_at(0), "<No-stack>");
	ck_assert_uint_eq(builder.experiment->paths.items[last_sample().path].parent, 0);
	end();
}
END_TEST

START_TEST(events_that_are_not_the_programs_are_apart)
{
	start();
	report("uncore", PROF_COUNTER_EVENTS, 0, true);
	overflow(0, 0x1000);
	ck_assert_str_eq(function_at(0), "<collector_not_program_related>");
	overflow(0, 0);
	ck_assert_str_eq(function_at(0), "<collector_not_program_related>");
	ck_assert_uint_eq(builder.experiment->paths.items[last_sample().path].parent, 0);
	end();
}
END_TEST

START_TEST(overflows_of_muted_threads_are_left_out)
{
	struct prof_message mute = {.kind = PROF_MESSAGE_MUTE};

	start();
	report("page-faults", PROF_COUNTER_EVENTS, 0, false);
	mute.mute.id = 7;
	mute.mute.muted = true;
	add(mute, NULL, 0);
	overflow(0, 0x1000);
	ck_assert_uint_eq(builder.experiment->samples.count, 0);
	mute.mute.muted = false;
	add(mute, NULL, 0);
	overflow(0, 0x1000);
	ck_assert_uint_eq(builder.experiment->samples.count, 1);
	end();
}
END_TEST

START_TEST(overflows_are_added_up)
{
	struct prof_message message = {.kind = PROF_MESSAGE_OVERFLOWS};

	start();
	report("page-faults", PROF_COUNTER_EVENTS, 0, false);
	report("cycles", PROF_COUNTER_CYCLES, 0, false);
	message.overflows.counter = 1;
	message.overflows.overflows = 5;
	message.overflows.lost = 2;
	add(message, NULL, 0);
	add(message, NULL, 0);
	ck_assert_int_eq(builder.experiment->events.items[0].overflows, 0);
	ck_assert_int_eq(builder.experiment->events.items[1].overflows, 10);
	ck_assert_int_eq(builder.experiment->events.items[1].lost, 4);
	end();
}
END_TEST

START_TEST(clock_that_is_none_is_not_known)
{
	start();
	report("a", PROF_COUNTER_CYCLES, 999, false);
	report("b", PROF_COUNTER_NS, INT64_C(2000000000), false);
	ck_assert_int_eq(builder.experiment->events.items[0].clock, 0);
	ck_assert_int_eq(builder.experiment->events.items[1].clock, 0);
	end();
}
END_TEST

RUN_TESTS("experiment_builder counter", overflow_is_a_sample_of_its_counter_alone,
	overflow_is_not_remembered_as_a_stack, overflow_without_frames_has_no_stack,
	events_that_are_not_the_programs_are_apart, overflows_of_muted_threads_are_left_out,
	overflows_are_added_up, clock_that_is_none_is_not_known, what_caused_it_is_kept,
	what_is_not_known_is_artificial)
