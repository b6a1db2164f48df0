/* Records of counters. */
#include "experiment_records.h"

static void tell(const char *name, enum prof_counter_unit unit, int64_t clock, bool apart)
{
	struct prof_record record = {.kind = PROF_RECORD_COUNTER};

	record.counter.unit = unit;
	record.counter.clock = clock;
	record.counter.apart = apart;
	record.counter.interval = 100;
	add(record, name, strlen(name) + 1);
}

/* The counter NUMBER overflows in the thread 7, which is at FRAME; 0: nobody knows where. */
static void overflow(uint32_t number, uint64_t frame)
{
	struct prof_record record = {.kind = PROF_RECORD_LOOK};

	record.look = (struct prof_look){.time = START + 9,
		.thread = 7,
		.depth = frame ? 1 : 0,
		.state = PROF_STATE_SYSTEM,
		.cpu = 3,
		.counter = number + 1,
		.value = 100};
	add(record, &frame, frame ? sizeof frame : 0);
}

static prof_value last_value(int quantity)
{
	return value_at(records.experiment, (enum prof_quantity)quantity,
		records.experiment->samples.count - 1);
}

START_TEST(overflow_is_a_sample_of_its_counter_alone)
{
	start();
	tell("page-faults", PROF_COUNTER_EVENTS, 0, false);
	tell("cycles", PROF_COUNTER_CYCLES, INT64_C(2000000000), false);
	overflow(1, 0x1000);
	ck_assert_uint_eq(frame_at(0)->address, 0x1000);
	ck_assert_int_eq(last_sample().time, 9);
	ck_assert_uint_eq(last_sample().state, PROF_STATE_SYSTEM);
	ck_assert_uint_eq(last_sample().cpu, 3);
	for (int i = 0; i < PROF_QUANTITIES; i++)
		ck_assert(last_value(i) == (i == PROF_QUANTITY_EVENT + 1 ? prof_value_of(100) : 0));
	ck_assert_str_eq(string(records.experiment->events.items[1].name), "cycles");
	ck_assert_int_eq(records.experiment->events.items[1].clock, INT64_C(2000000000));
	ck_assert_int_eq(records.experiment->events.items[1].interval, 100);
	end();
}
END_TEST

START_TEST(overflow_is_not_remembered_as_a_stack)
{
	start();
	tell("page-faults", PROF_COUNTER_EVENTS, 0, false);
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
	tell("page-faults", PROF_COUNTER_EVENTS, 0, false);
	LOOK(7, 0x1000);
	overflow(0, 0);
	ck_assert_str_eq(function_at(0), "<No-stack>");
	ck_assert_uint_eq(records.experiment->paths.items[last_sample().path].parent, 0);
	end();
}
END_TEST

START_TEST(events_that_are_not_the_programs_are_apart)
{
	start();
	tell("uncore", PROF_COUNTER_EVENTS, 0, true);
	overflow(0, 0x1000);
	ck_assert_str_eq(function_at(0), "<collector_not_program_related>");
	overflow(0, 0);
	ck_assert_str_eq(function_at(0), "<collector_not_program_related>");
	ck_assert_uint_eq(records.experiment->paths.items[last_sample().path].parent, 0);
	end();
}
END_TEST

START_TEST(overflows_of_muted_threads_are_left_out)
{
	struct prof_record mute = {.kind = PROF_RECORD_MUTE};

	start();
	tell("page-faults", PROF_COUNTER_EVENTS, 0, false);
	mute.mute.id = 7;
	mute.mute.muted = true;
	add(mute, NULL, 0);
	overflow(0, 0x1000);
	ck_assert_uint_eq(records.experiment->samples.count, 0);
	mute.mute.muted = false;
	add(mute, NULL, 0);
	overflow(0, 0x1000);
	ck_assert_uint_eq(records.experiment->samples.count, 1);
	end();
}
END_TEST

START_TEST(overflows_are_added_up)
{
	struct prof_record record = {.kind = PROF_RECORD_OVERFLOWS};

	start();
	tell("page-faults", PROF_COUNTER_EVENTS, 0, false);
	tell("cycles", PROF_COUNTER_CYCLES, 0, false);
	record.overflows.counter = 1;
	record.overflows.overflows = 5;
	record.overflows.lost = 2;
	add(record, NULL, 0);
	add(record, NULL, 0);
	ck_assert_int_eq(records.experiment->events.items[0].overflows, 0);
	ck_assert_int_eq(records.experiment->events.items[1].overflows, 10);
	ck_assert_int_eq(records.experiment->events.items[1].lost, 4);
	end();
}
END_TEST

START_TEST(clock_that_is_none_is_not_known)
{
	start();
	tell("a", PROF_COUNTER_CYCLES, 999, false);
	tell("b", PROF_COUNTER_NS, INT64_C(2000000000), false);
	ck_assert_int_eq(records.experiment->events.items[0].clock, 0);
	ck_assert_int_eq(records.experiment->events.items[1].clock, 0);
	end();
}
END_TEST

RUN_TESTS("experiment_records_counter", overflow_is_a_sample_of_its_counter_alone,
	overflow_is_not_remembered_as_a_stack, overflow_without_frames_has_no_stack,
	events_that_are_not_the_programs_are_apart, overflows_of_muted_threads_are_left_out,
	overflows_are_added_up, clock_that_is_none_is_not_known)
