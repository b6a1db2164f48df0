/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of threads: their names, processes and pauses. */
#include "experiment_builder.h"

static void mute(int64_t id, bool muted)
{
	add((struct prof_message){.kind = PROF_MESSAGE_MUTE, .mute = {id, muted}}, NULL, 0);
}

START_TEST(muted_thread_has_no_samples)
{
	const uint64_t frames[] = {0x1000};

	start();
	name_thread(7, "one");
	look_ended(7, PROF_STACK_WHOLE, frames, 1);
	size_t before = builder.experiment->samples.count;
	mute(7, true);
	look_ended(7, PROF_STACK_WHOLE, frames, 1);
	ck_assert_uint_eq(builder.experiment->samples.count, before);
	look_ended(8, PROF_STACK_WHOLE, frames, 1);
	ck_assert_uint_eq(builder.experiment->samples.count, before + 1);
	mute(7, false);
	look_ended(7, PROF_STACK_WHOLE, frames, 1);
	ck_assert_uint_eq(builder.experiment->samples.count, before + 2);
	mute(7, true);
	/* Another thread that has got its id. */
	name_thread(7, "two");
	look_ended(7, PROF_STACK_WHOLE, frames, 1);
	ck_assert_uint_eq(builder.experiment->samples.count, before + 3);
	end();
}
END_TEST

/* A look at THREAD of PROCESS that has samples. */
static void look_of(int64_t thread, int64_t process)
{
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK};

	message.look = (struct prof_look){
		.time = START + 5, .thread = thread, .process = process, .samples = 1};
	add(message, NULL, 0);
}

START_TEST(threads_have_owners_once_there_are_several_processes)
{
	static const int64_t processes[] = {7, 7, 0, 20, 7};

	start();
	look_of(7, 7);
	look_of(8, 7);
	look_of(9, 0);
	ck_assert_uint_eq(builder.experiment->owners.count, 0);
	look_of(20, 20);
	look_of(7, 7);
	look_of(10, 7);
	ck_assert_uint_eq(builder.experiment->threads.count, 5);
	for (uint32_t i = 0; i < 5; i++)
		ck_assert_int_eq(
			prof_experiment_thread_row(builder.experiment, i).process, processes[i]);
	end();
}
END_TEST

START_TEST(thread_is_new_when_its_name_is)
{
	start();
	LOOK(7, 0x1000);
	ck_assert_str_eq(thread_name(), "");
	uint32_t path = last_sample().path;
	name_thread(7, "worker");
	look_again(7);
	ck_assert_str_eq(thread_name(), "worker");
	ck_assert_uint_eq(last_sample().path, path);
	name_thread(7, "worker");
	name_thread(8, "other");
	look_again(7);
	ck_assert_uint_eq(last_sample().thread, 0);
	name_thread(7, "another");
	look_again(7);
	ck_assert_uint_eq(last_sample().thread, 2);
	look_again(8);
	ck_assert_str_eq(thread_name(), "other");
	ck_assert_uint_eq(builder.experiment->threads.count, 3);
	end();
}
END_TEST

START_TEST(thread_that_is_renamed_is_the_same)
{
	struct prof_message message = {.kind = PROF_MESSAGE_THREAD};

	start();
	name_thread(7, "program");
	LOOK(7, 0x1000);
	message.thread.id = 7;
	message.thread.renamed = true;
	add(message, "worker", sizeof "worker");
	ck_assert_str_eq(thread_name(), "worker");
	look_again(7);
	ck_assert_str_eq(thread_name(), "worker");
	/* One that was not known is new. */
	message.thread.id = 8;
	add(message, "other", sizeof "other");
	look_again(8);
	ck_assert_str_eq(thread_name(), "other");
	ck_assert_uint_eq(builder.experiment->threads.count, 2);
	end();
}
END_TEST

static int64_t least_alive;

static bool lives(int64_t id)
{
	return id >= least_alive;
}

START_TEST(ended_threads_are_forgotten_at_the_second_look)
{
	enum { THREADS = 1000 };

	start();
	for (int64_t id = 1; id <= THREADS; id++) {
		name_thread(id, "worker");
		LOOK(id, 0x1000);
	}
	uint32_t path = last_sample().path;
	least_alive = 900;
	prof_experiment_builder_forget(&builder, lives);
	ck_assert_uint_eq(builder.tracked.count, THREADS);
	/* What comes late is of the thread that was there. */
	look_again(7);
	ck_assert_uint_eq(last_sample().thread, 6);
	prof_experiment_builder_forget(&builder, lives);
	ck_assert_uint_eq(builder.tracked.count, THREADS - 899 + 1);
	ck_assert_uint_eq(builder.threads.count, builder.tracked.count);
	for (int64_t id = 900; id <= THREADS; id++) {
		look_again(id);
		ck_assert_uint_eq(last_sample().thread, (uint32_t)id - 1);
		ck_assert_uint_eq(last_sample().path, path);
	}
	look_again(7);
	ck_assert_uint_eq(last_sample().thread, 6);
	/* Another one with the id and the name of one that is forgotten. */
	name_thread(8, "worker");
	look_again(8);
	ck_assert_uint_eq(last_sample().thread, THREADS);
	ck_assert_str_eq(thread_name(), "worker");
	ck_assert_str_eq(function_at(0), PROF_NO_STACK);
	end();
}
END_TEST

START_TEST(thread_that_lives_again_is_not_forgotten)
{
	start();
	name_thread(7, "worker");
	LOOK(7, 0x1000);
	for (int i = 0; i < 6; i++) {
		least_alive = i % 2 ? 0 : 8;
		prof_experiment_builder_forget(&builder, lives);
	}
	ck_assert_uint_eq(builder.tracked.count, 1);
	end();
}
END_TEST

RUN_TESTS("experiment_builder threads", ended_threads_are_forgotten_at_the_second_look,
	thread_that_lives_again_is_not_forgotten, muted_thread_has_no_samples,
	threads_have_owners_once_there_are_several_processes, thread_is_new_when_its_name_is,
	thread_that_is_renamed_is_the_same)
