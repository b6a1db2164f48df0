/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment_builder.h"
#include "target/kallsyms.h"

/* Nobody calls the agent; what it does itself is told. */
START_TEST(frames_of_the_agent_are_left_out)
{
	start();
	MAP(0x1000, 0x2000, "/bin/program\0");
	MAP(0x3000, 0x4000, "/opt/libprofagent.so\0");
	LOOK(1, 0x1800, 0x3100, 0x3fff, 0x1400);
	ck_assert_uint_eq(frame_at(0)->address, 0x1800);
	ck_assert_uint_eq(frame_at(1)->address, 0x1400);
	LOOK(1, 0x3200, 0x3100, 0x1400);
	ck_assert_uint_eq(frame_at(0)->address, 0x3200);
	ck_assert_uint_eq(frame_at(1)->address, 0x1400);
	unmap();
	MAP(0x3000, 0x4000, "/lib/other.so\0");
	LOOK(1, 0x3200, 0x3100);
	ck_assert_uint_eq(frame_at(1)->address, 0x3100);
	end();
}
END_TEST

START_TEST(look_becomes_a_sample)
{
	start();
	MAP(0x1000, 0x2000, "/bin/true\0abcd");
	LOOK(7, 0x1003, 0x1002, 0x1001);
	const struct prof_sample sample = last_sample();
	ck_assert_int_eq(sample.time, 5);
	ck_assert_int_eq(prof_experiment_thread_row(builder.experiment, sample.thread).id, 7);
	ck_assert_uint_eq(frame_at(0)->address, 0x1003);
	ck_assert_uint_eq(frame_at(2)->address, 0x1001);
	ck_assert_uint_eq(builder.experiment->paths.count, 4);
	ck_assert_str_eq(module_at(0), "/bin/true");
	ck_assert_str_eq(string(builder.experiment->modules.items[1].build_id), "abcd");
	ck_assert(value_at(builder.experiment, PROF_QUANTITY_SAMPLES, 0) == prof_value_of(1));
	ck_assert(value_at(builder.experiment, USER_TIME, 0) == prof_value_of(10));
	ck_assert(value_at(builder.experiment, OTHER_TIME, 0) == prof_value_of(20));
	end();
}
END_TEST

START_TEST(sleeping_look_is_no_sample_but_has_its_time)
{
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK};

	start();
	LOOK(7, 0x1000);
	uint32_t path = last_sample().path;
	message.look = (struct prof_look){.time = START + 9,
		.thread = 7,
		.spent = {[PROF_STATE_USER] = -1, [PROF_STATE_OTHER] = 4},
		.state = PROF_STATE_OTHER};
	add(message, NULL, 0);
	ck_assert_uint_eq(last_sample().path, path);
	ck_assert_uint_eq(last_sample().state, PROF_STATE_OTHER);
	ck_assert(value_at(builder.experiment, PROF_QUANTITY_SAMPLES, 1) == 0);
	ck_assert(value_at(builder.experiment, USER_TIME, 1) == 0);
	ck_assert(value_at(builder.experiment, OTHER_TIME, 1) == prof_value_of(4));
	end();
}
END_TEST

static void look_in(enum prof_state state, uint64_t frame)
{
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK};

	message.look = (struct prof_look){
		.time = START + 9, .thread = 7, .depth = frame ? 1 : 0, .state = (uint8_t)state};
	message.look.spent[state] = 4;
	add(message, &frame, frame ? sizeof frame : 0);
}

START_TEST(sleep_and_work_have_stacks_of_their_own)
{
	start();
	look_in(PROF_STATE_USER, 0x1000);
	look_in(PROF_STATE_OTHER, 0);
	ck_assert_uint_eq(frame_at(0)->address, 0x1000);
	look_in(PROF_STATE_LOCK, 0x2000);
	look_in(PROF_STATE_RUNQUEUE, 0x4000);
	ck_assert_uint_eq(frame_at(0)->address, 0x4000);
	look_in(PROF_STATE_USER, 0);
	ck_assert_uint_eq(frame_at(0)->address, 0x1000);
	look_in(PROF_STATE_OTHER, 0);
	ck_assert_uint_eq(frame_at(0)->address, 0x2000);
	look_in(PROF_STATE_SYSTEM, 0x3000);
	look_in(PROF_STATE_FAULT, 0);
	ck_assert_uint_eq(frame_at(0)->address, 0x2000);
	end();
}
END_TEST

/* As that of a thread that stands still: it is all that is known of it then. */
/* Called from there while nobody looked. */
static void assert_unseen_from(uint64_t address)
{
	ck_assert_str_eq(function_at(0), "<No-stack>");
	ck_assert_uint_eq(frame_at(1)->address, address);
}

START_TEST(look_without_time_tells_the_stack_for_both)
{
	const uint64_t frame = 0x5000;
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK};

	start();
	look_in(PROF_STATE_USER, 0x1000);
	look_in(PROF_STATE_OTHER, 0x2000);
	message.look = (struct prof_look){.time = START + 9, .thread = 7, .depth = 1};
	add(message, &frame, sizeof frame);
	ck_assert_uint_eq(builder.experiment->samples.count, 2);
	look_in(PROF_STATE_USER, 0);
	assert_unseen_from(0x5000);
	look_in(PROF_STATE_OTHER, 0);
	ck_assert_uint_eq(frame_at(0)->address, 0x5000);
	end();
}
END_TEST

START_TEST(look_without_frames_has_the_last_stack_of_its_thread)
{
	start();
	look_again(7);
	ck_assert_str_eq(function_at(0), "<No-stack>");
	LOOK(7, 0x1000);
	uint32_t seven = last_sample().path;
	LOOK(8, 0x2000);
	look_again(7);
	ck_assert_uint_eq(last_sample().path, seven);
	end();
}
END_TEST

/* A stop or a mark: what was met before it is nothing of what comes. */
START_TEST(look_with_nothing_at_all_forgets_the_stack)
{
	const struct prof_message message = {
		.kind = PROF_MESSAGE_LOOK, .look = {.time = START, .thread = 7}};

	start();
	look_in(PROF_STATE_USER, 0x1000);
	look_in(PROF_STATE_OTHER, 0x2000);
	add(message, NULL, 0);
	ck_assert_uint_eq(builder.experiment->samples.count, 2);
	look_in(PROF_STATE_USER, 0);
	ck_assert_str_eq(function_at(0), "<No-stack>");
	uint32_t frame = builder.experiment->paths.items[last_sample().path].parent;
	ck_assert_uint_eq(frame, 0);
	/* It may sleep on where it did. */
	look_in(PROF_STATE_OTHER, 0);
	ck_assert_uint_eq(frame_at(0)->address, 0x2000);
	end();
}
END_TEST

START_TEST(addresses_belong_to_what_is_mapped_there)
{
	start();
	MAP(0x3000, 0x4000, "/lib/b\0");
	MAP(0x1000, 0x2000, "/lib/a\0");
	MAP(0x2000, 0x3000, "/lib/c\0");
	MAP(0x5000, 0x6000, "\0");
	LOOK(7, 0x1000, 0x1fff, 0x2000, 0x3fff, 0x4000, 0xfff, 0x5000, UINT64_MAX);
	const char *const expected[] = {"/lib/a", "/lib/a", "/lib/c", "/lib/b", "<Unknown>",
		"<Unknown>", "<Unknown>", "<Unknown>"};
	for (int i = 0; i < (int)PROF_COUNT(expected); i++)
		ck_assert_str_eq(module_at(i), expected[i]);
	ck_assert_uint_eq(frame_at(4)->address, 0x4000);
	ck_assert_uint_eq(builder.experiment->modules.items[1].ranges.count, 1);
	ck_assert_uint_eq(builder.experiment->modules.items[1].ranges.items[0].low, 0x3000);
	end();
}
END_TEST

START_TEST(address_can_belong_to_one_module_after_another)
{
	start();
	MAP(0x1000, 0x2000, "/lib/a\0");
	MAP(0x5000, 0x6000, "/lib/stays\0");
	LOOK(7, 0x1500);
	uint32_t first = last_sample().path;
	ck_assert_str_eq(module_at(0), "/lib/a");
	unmap();
	LOOK(7, 0x1500);
	ck_assert_str_eq(module_at(0), "<Unknown>");
	MAP(0x5000, 0x6000, "/lib/stays\0");
	MAP(0x1000, 0x2000, "/lib/b\0");
	LOOK(7, 0x1500, 0x5500);
	ck_assert_str_eq(module_at(0), "/lib/b");
	ck_assert_str_eq(module_at(1), "/lib/stays");
	unmap();
	MAP(0x1000, 0x2000, "/lib/a\0");
	LOOK(7, 0x1500);
	ck_assert_uint_eq(last_sample().path, first);
	ck_assert_uint_eq(builder.experiment->modules.items[1].ranges.count, 1);
	end();
}
END_TEST

START_TEST(processes_have_address_spaces_of_their_own)
{
	const uint64_t frames[] = {0x1500};
	struct prof_message message = {
		.kind = PROF_MESSAGE_LOOK, .look.samples = 1, .look.depth = 1};

	start();
	for (int process = 1; process <= 2; process++) {
		const char *data = process == 1 ? "/lib/a\0" : "/lib/b\0";
		struct prof_message mapping = {
			.kind = PROF_MESSAGE_MAPPING, .mapping = {process, 0x1000, 0x2000, 0}};
		add(mapping, data, 8);
	}
	for (int process = 1; process <= 3; process++) {
		message.look.process = process;
		message.look.thread = process;
		add(message, frames, sizeof frames);
		ck_assert_str_eq(module_at(0),
			process == 1           ? "/lib/a"
				: process == 2 ? "/lib/b"
					       : "<Unknown>");
	}
	add((struct prof_message){.kind = PROF_MESSAGE_UNMAP, .mapping.process = 1}, NULL, 0);
	message.look.process = 2;
	add(message, frames, sizeof frames);
	ck_assert_str_eq(module_at(0), "/lib/b");
	message.look.process = 1;
	add(message, frames, sizeof frames);
	ck_assert_str_eq(module_at(0), "<Unknown>");
	end();
}
END_TEST

/* Each of those who report what a process has mapped replaces the list of another. */
START_TEST(kernel_stays_where_lists_are_replaced)
{
	const uint64_t address = PROF_KERNEL_BEGIN + 0x1500;

	start();
	LOOK(7, address);
	ck_assert_str_eq(module_at(0), "<Unknown>");
	unmap();
	MAP(PROF_KERNEL_BEGIN, UINT64_MAX, PROF_KERNEL_OBJECT "\0");
	LOOK(7, address);
	ck_assert_str_eq(module_at(0), PROF_KERNEL_OBJECT);
	unmap();
	MAP(0x1000, 0x2000, "/bin/a\0");
	LOOK(7, address);
	ck_assert_str_eq(module_at(0), PROF_KERNEL_OBJECT);
	/* A debugged kernel is a program. */
	MAP(PROF_KERNEL_BEGIN + 0x1000, PROF_KERNEL_BEGIN + 0x2000, "/bin/vmlinux\0");
	LOOK(7, address);
	ck_assert_str_eq(module_at(0), "/bin/vmlinux");
	end();
}
END_TEST

START_TEST(cut_stack_has_an_artificial_root)
{
	const uint64_t frames[] = {0x1000};

	start();
	look_ended(7, PROF_STACK_TRUNCATED, frames, 1);
	const struct prof_frame *root = frame_at(1);
	ck_assert_uint_eq(root->address, 0);
	ck_assert_str_eq(
		prof_experiment_function_name(builder.experiment,
			builder.experiment->locations.items[root->first_location].function),
		"<Truncated-stack>");
	look_ended(7, PROF_STACK_FAILED, frames, 1);
	root = frame_at(1);
	ck_assert_str_eq(
		prof_experiment_function_name(builder.experiment,
			builder.experiment->locations.items[root->first_location].function),
		"<Stack-unwind-failed>");
	ck_assert_uint_eq(root->module, 0);
	end();
}
END_TEST

START_TEST(look_without_time_only_tells_the_stack)
{
	const uint64_t frame = 0x40;
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK};

	start();
	message.look = (struct prof_look){.time = START, .thread = 7, .depth = 1};
	add(message, &frame, sizeof frame);
	ck_assert_uint_eq(builder.experiment->samples.count, 0);
	look_again(7);
	ck_assert_uint_eq(builder.experiment->samples.count, 1);
	assert_unseen_from(0x40);
	end();
}
END_TEST

START_TEST(mark_is_relative_to_the_start)
{
	struct prof_message message = {.kind = PROF_MESSAGE_MARK};
	struct {
		struct prof_usage usage;
		char label[5];
	} data = {.label = "here"};

	start();
	prof_usage_clear(&data.usage);
	data.usage.figures[PROF_USAGE_MINOR] = 12;
	message.mark.time = START + 77;
	message.mark.kind = PROF_MARK_SIGNAL;
	add(message, &data, sizeof data.usage + sizeof data.label);
	const struct prof_usage *usage = &builder.experiment->marks.items[0].usage;
	ck_assert_int_eq(builder.experiment->marks.items[0].kind, PROF_MARK_SIGNAL);
	ck_assert_int_eq(usage->figures[PROF_USAGE_MINOR], 12);
	ck_assert_int_eq(usage->figures[PROF_USAGE_MAJOR], PROF_USAGE_UNKNOWN);
	ck_assert_int_eq(builder.experiment->marks.items[0].time, 77);
	ck_assert_str_eq(string(builder.experiment->marks.items[0].label), "here");
	end();
}
END_TEST

START_TEST(counted_calls_are_of_frames_of_their_process)
{
	struct prof_message message = {.kind = PROF_MESSAGE_COUNTED};
	const struct prof_counted_arc told[] = {{0x1000, 0x1000, 0, PROF_ARC_BEGIN},
		{0x1000, 0x1500, 3, PROF_ARC_CALLS}, {0x1000, 0, 2, PROF_ARC_CALLS},
		{0x1000, 0x1000, 0, PROF_ARC_PART}};

	start();
	MAP(0x1000, 0x2000, "/bin/a\0");
	message.counted.time = START + 9;
	message.counted.cost = 70;
	add(message, told, sizeof told);
	add(message, told + 1, sizeof *told);
	ck_assert_int_eq(builder.experiment->recording.counting, 140);
	ck_assert_uint_eq(builder.experiment->arcs.count, 5);
	for (size_t i = 0; i < 5; i++) {
		const struct prof_arc *at = &builder.experiment->arcs.items[i];
		const struct prof_counted_arc *of = &told[i < 4 ? i : 1];
		const struct prof_frame *frames = builder.experiment->frames.items;
		ck_assert_int_eq(at->time, 9);
		ck_assert_uint_eq(at->calls, of->calls);
		ck_assert_uint_eq(at->kind, of->kind);
		ck_assert_uint_eq(frames[at->callee].address, 0x1000);
		ck_assert_uint_eq(frames[at->callee].module, 1);
		ck_assert_uint_eq(frames[at->caller].address, of->caller);
		ck_assert_uint_eq(frames[at->caller].module, of->caller ? 1 : 0);
	}
	end();
}
END_TEST

/* A total as the reader 5 tells it; FRAMES are given with the first time. */
static void report_total(uint32_t number, int64_t leaks, const uint64_t *frames, size_t depth)
{
	struct {
		struct prof_total_message told;
		uint64_t frames[8];
	} data = {.told = {.number = number,
			  .depth = (uint32_t)depth,
			  .is_new = frames,
			  .object = 64,
			  .holder = 8}};
	struct prof_message message = {
		.kind = PROF_MESSAGE_TOTAL, .total = {.thread = 7, .time = START + 3, .reader = 5}};

	data.told.values[PROF_TRACED_LEAKS] = leaks;
	data.told.longest = leaks;
	for (size_t i = 0; i < depth; i++)
		data.frames[i] = frames[i];
	add(message, &data, sizeof data.told + depth * sizeof *frames);
}

START_TEST(operations_without_a_row_are_counted)
{
	const uint64_t frames[] = {0x1010, 0x1020};
	struct prof_operation_message told[] = {
		{.kind = PROF_OPERATION_SEND, .begin = START, .posted = START, .end = START + 1},
		{.kind = PROF_OPERATIONS, .begin = START, .posted = START, .end = START + 1},
		{.kind = PROF_OPERATION_SEND, .total = 99}};
	const struct prof_message message = {
		.kind = PROF_MESSAGE_OPERATIONS, .operations = {.reader = 5}};
	const struct prof_tracing_figures traced = {.families = 8, .operations_lost = 10};

	start();
	report_total(0, 3, frames, 2);
	add(message, told, sizeof told);
	struct prof_experiment *experiment = builder.experiment;
	ck_assert_uint_eq(experiment->operations.count, 1);
	ck_assert_uint_eq(experiment->recording.operations_lost, 2);
	add((struct prof_message){.kind = PROF_MESSAGE_TRACED, .traced = traced}, NULL, 0);
	ck_assert_uint_eq(experiment->recording.operations_lost, 12);
	while (experiment->operations.count < PROF_OPERATIONS_MOST)
		add(message, told, sizeof *told);
	ck_assert_uint_eq(experiment->recording.operations_lost, 12);
	add(message, told, sizeof *told);
	ck_assert_uint_eq(experiment->operations.count, PROF_OPERATIONS_MOST);
	ck_assert_uint_eq(experiment->recording.operations_lost, 13);
	end();
}
END_TEST

START_TEST(totals_are_samples_whose_values_change)
{
	const uint64_t frames[] = {0x1010, 0x1020};
	const struct prof_held_message held[] = {
		{.blocks = 2, .bytes = 9, .total = 1}, {.total = 99}};
	const struct prof_tracing_figures traced = {
		.events = 4, .lost = 1, .families = 2, .threshold = 9};
	struct prof_heap heap = {.peak = 5, .peak_time = START + 2};
	struct prof_traced_rows_place place = {0};

	start();
	MAP(0x1000, 0x2000, "/bin/prog\0");
	name_thread(7, "worker");
	report_total(0, 3, frames, 2);
	report_total(1, 4, frames, 1);
	report_total(0, 1, NULL, 0);
	add((struct prof_message){.kind = PROF_MESSAGE_HELD,
		    .held = {.reader = 5, .time = START + 9}},
		held, sizeof held);
	for (heap.peak = 5; heap.peak < 7; heap.peak++)
		add((struct prof_message){.kind = PROF_MESSAGE_HEAP,
			    .heap = {.reader = 5, .process = 3}},
			&heap, sizeof heap);
	for (int i = 0; i < 2; i++)
		add((struct prof_message){.kind = PROF_MESSAGE_TRACED, .traced = traced}, NULL, 0);
	const struct prof_experiment *experiment = builder.experiment;
	ck_assert_uint_eq(experiment->samples.count, 2);
	ck_assert_uint_eq(experiment->traced.count, 2);
	ck_assert_int_eq(sample_at(experiment, 0).time, 3);
	ck_assert_uint_eq(
		prof_experiment_thread_row(experiment, sample_at(experiment, 0).thread).id, 7);
	enum prof_quantity leaks = (enum prof_quantity)(PROF_QUANTITY_TRACED + PROF_TRACED_LEAKS);
	ck_assert(value_at(experiment, leaks, 0) == prof_value_of(1));
	ck_assert(value_at(experiment, leaks, 1) == prof_value_of(4));
	const struct prof_traced_row *row = prof_traced_rows_get(&experiment->traced, &place, 0);
	ck_assert_int_eq(row->longest, 1);
	ck_assert_uint_eq(experiment->objects.count, 1);
	ck_assert_uint_eq(prof_experiment_thread_row(experiment, row->holder).id, 8);
	/* What is not known of is left out. */
	ck_assert_uint_eq(experiment->held.count, 1);
	ck_assert_int_eq(experiment->held.items[0].time, 9);
	ck_assert_uint_eq(experiment->heaps.count, 1);
	ck_assert_int_eq(experiment->heaps.items[0].heap.peak, 6);
	ck_assert_int_eq(experiment->heaps.items[0].heap.peak_time, 2);
	ck_assert_uint_eq(experiment->recording.events, 8);
	ck_assert_uint_eq(experiment->recording.events_lost, 2);
	ck_assert_int_eq(experiment->recording.threshold, 9);
	end();
}
END_TEST

/* A total that is new has nothing to do with the one that had its number before. */
START_TEST(number_of_a_total_that_is_over_is_given_again)
{
	const uint64_t frames[] = {0x1010, 0x1020};
	const struct prof_held_message held = {.blocks = 2, .bytes = 9, .total = 0};
	struct prof_traced_rows_place place = {0};

	start();
	MAP(0x1000, 0x2000, "/bin/prog\0");
	for (int i = 0; i < 3; i++) {
		report_total(0, 3 + i, frames + i % 2, 1);
		report_total(0, 1 + i, NULL, 0);
	}
	add((struct prof_message){.kind = PROF_MESSAGE_HELD,
		    .held = {.reader = 5, .time = START + 9}},
		&held, sizeof held);
	ck_assert_uint_eq(builder.experiment->traced.count, 3);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(
			prof_traced_rows_get(&builder.experiment->traced, &place, (size_t)i)
				->values[PROF_TRACED_LEAKS],
			1 + i);
	ck_assert_uint_eq(builder.experiment->held.items[0].traced, 2);
	ck_assert_uint_eq(builder.readers.items[0].totals.count, 1);
	/* Of a reader that has ended nothing is known, nor of another that never told anything. */
	add((struct prof_message){.kind = PROF_MESSAGE_READER_END, .reader_end = {.reader = 4}},
		NULL, 0);
	ck_assert_uint_eq(builder.readers.count, 1);
	add((struct prof_message){.kind = PROF_MESSAGE_READER_END, .reader_end = {.reader = 5}},
		NULL, 0);
	ck_assert_uint_eq(builder.readers.count, 0);
	ck_assert_uint_eq(builder.experiment->traced.blocks.items[0].open->open, 0);
	end();
}
END_TEST

RUN_TESTS("experiment_builder", totals_are_samples_whose_values_change,
	operations_without_a_row_are_counted, number_of_a_total_that_is_over_is_given_again,
	frames_of_the_agent_are_left_out, counted_calls_are_of_frames_of_their_process,
	sleep_and_work_have_stacks_of_their_own, look_without_time_tells_the_stack_for_both,
	look_becomes_a_sample, sleeping_look_is_no_sample_but_has_its_time,
	look_without_frames_has_the_last_stack_of_its_thread,
	look_with_nothing_at_all_forgets_the_stack, addresses_belong_to_what_is_mapped_there,
	address_can_belong_to_one_module_after_another, processes_have_address_spaces_of_their_own,
	kernel_stays_where_lists_are_replaced, cut_stack_has_an_artificial_root,
	look_without_time_only_tells_the_stack, mark_is_relative_to_the_start)
