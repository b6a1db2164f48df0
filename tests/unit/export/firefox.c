/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles for the Firefox Profiler. */
#include "operations.h"
#include "view_whole.h"

START_TEST(threads_have_tables_of_their_own)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = whole_create();

	check_golden(whole_print(experiment, "firefox", "samples", true), "firefox.json");
}
END_TEST

/* Each process has its id and its main thread. */
START_TEST(threads_belong_to_their_processes)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = whole_create();

	ck_assert_uint_gt(experiment->threads.count, 1);
	for (uint32_t i = 0; i < experiment->threads.count; i++)
		ck_assert_ok(prof_experiment_own(
			experiment, i, prof_experiment_thread_row(experiment, i).id));
	AUTO_FREE char *text = whole_print(experiment, "firefox", "samples", true);
	for (uint32_t i = 0; i < experiment->threads.count; i++) {
		AUTO_FREE char *ids = NULL;
		ck_assert_int_gt(asprintf(&ids, "\"pid\":\"%d\",\"tid\":%d,",
					 (int)prof_experiment_thread_row(experiment, i).id,
					 (int)prof_experiment_thread_row(experiment, i).id),
			0);
		ck_assert_ptr_nonnull(strstr(text, ids));
	}
	ck_assert_ptr_null(strstr(text, "\"isMainThread\":false"));
}
END_TEST

START_TEST(times_are_in_ms)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = whole_create();
	AUTO_FREE char *text = whole_print(experiment, "firefox", "wall", false);

	ck_assert_ptr_nonnull(strstr(text,
		"\"weightType\":\"tracing-ms\",\"weight\":[10000,7000],\n\"stack\":[4,5],\n"
		"\"time\":[1000,3000]"));
}
END_TEST

START_TEST(what_has_no_times_is_1_ms_apart)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		experiment_of("a;b 1\na 0\na 2.5\n", false);
	AUTO_FREE char *text = whole_print(experiment, "firefox", "samples", true);

	ck_assert_ptr_nonnull(strstr(
		text, "\"weight\":[1,2.5],\n\"stack\":[1,0],\n\"time\":[0,1],\"length\":2}"));
}
END_TEST

START_TEST(deep_stacks_are_written_once)
{
	enum { DEPTH = 20000 };
	AUTO_TEXT struct prof_text lines = {0};

	for (int i = 0; i < DEPTH; i++)
		prof_text_print(&lines, "f%d;", i % 7);
	prof_text_print(&lines, "g 1\n");
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		experiment_of(prof_text_get(&lines), false);
	AUTO_FREE char *text = whole_print(experiment, "firefox", "samples", true);
	ck_assert_ptr_nonnull(strstr(text, "\"length\":20001}"));
	ck_assert_uint_lt(strlen(text), 30 * DEPTH);
}
END_TEST

/* A message of the first thread to the second one connects a marker of each. */
START_TEST(messages_connect_markers)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = whole_create();

	for (int64_t rank = 0; rank < 2; rank++)
		operate_init(rank);
	operate_message(PROF_OPERATION_SEND, 0, 1, 1000000, 2000000);
	operate_message(PROF_OPERATION_RECEIVE, 1, 0, 1500000, 3000000);
	for (size_t i = 0; i < operation_count; i++)
		ck_assert_ok(prof_mpi_operation_add(experiment, &operations[i]));
	AUTO_FREE char *text = whole_print(experiment, "firefox", "samples", true);
	const char *sent =
		strstr(text, "\"type\":\"MpiSend\",\"peer\":1,\"bytes\":8,\"tag\":1,\"flow\":");
	const char *received =
		strstr(text, "\"type\":\"MpiReceive\",\"peer\":0,\"bytes\":8,\"tag\":1,\"flow\":");
	ck_assert_ptr_nonnull(sent);
	ck_assert_ptr_nonnull(received);
	ck_assert(sent < received);
	ck_assert_ptr_nonnull(strstr(text, "\"preprocessedProfileVersion\":51,"));
	ck_assert_ptr_nonnull(strstr(text, "\"startTime\":[1.5],\"endTime\":[3],\"phase\":[1]"));
	ck_assert_ptr_nonnull(strstr(text, "\"format\":\"terminating-flow-id\""));
}
END_TEST

RUN_TESTS("firefox", threads_have_tables_of_their_own, threads_belong_to_their_processes,
	times_are_in_ms, what_has_no_times_is_1_ms_apart, deep_stacks_are_written_once,
	messages_connect_markers)
