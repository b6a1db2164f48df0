/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/family.h"

#include "sampling/perf_task.h"
#include "suite.h"

#include <unistd.h>

static struct prof_family family;

static void check(void)
{
	size_t threads = 0;

	for (size_t i = 0; i < family.members.count; i++) {
		const struct prof_member *member = family.members.items[i];
		ck_assert(!i || family.members.items[i - 1]->process < member->process);
		ck_assert_uint_gt(member->threads, 0);
		threads += member->threads;
	}
	ck_assert_uint_eq(threads, family.threads.count);
	for (size_t i = 1; i < family.threads.count; i++)
		ck_assert_int_lt(
			family.threads.items[i - 1]->thread, family.threads.items[i]->thread);
}

static void apply(struct prof_perf_task task)
{
	ck_assert_ok(prof_family_apply(&family, &task));
	check();
}

static void make(pid_t maker, pid_t process, pid_t thread)
{
	apply((struct prof_perf_task){.kind = PROF_PERF_TASK_MADE,
		.process = process,
		.thread = thread,
		.maker = maker,
		.maker_thread = maker});
}

static void execute(pid_t process, const char *name)
{
	apply((struct prof_perf_task){.kind = PROF_PERF_TASK_EXECUTED,
		.process = process,
		.thread = process,
		.name = name});
}

static void map(pid_t process, uint64_t low, const char *path)
{
	apply((struct prof_perf_task){.kind = PROF_PERF_TASK_MAPPED,
		.process = process,
		.thread = process,
		.mapping = {.low = low, .high = low + 0x1000, .path = (char *)path}});
}

/* This process, which is the first of the family. */
static struct prof_member *start(void)
{
	struct prof_member *member;

	ck_assert_ok(prof_family_add(&family, getpid(), &member));
	check();
	return member;
}

static const struct prof_mapping *own_code(const struct prof_member *member)
{
	return prof_maps_find(&member->maps, (uintptr_t)&own_code);
}

START_TEST(a_child_begins_as_its_parent_is)
{
	const struct prof_member *parent = start();
	const char *name = prof_family_thread(&family, getpid())->name;

	make(getpid(), 2000001, 2000001);
	const struct prof_member *child = prof_family_find(&family, 2000001);
	ck_assert_ptr_nonnull(child);
	ck_assert_uint_eq(child->maps.mappings.count, parent->maps.mappings.count);
	ck_assert_ptr_nonnull(strstr(own_code(child)->path, "sampling/family"));
	ck_assert_str_eq(prof_family_thread(&family, 2000001)->name, name);
	ck_assert_ptr_eq(prof_family_thread(&family, 2000001)->member, child);
	/* What it maps it alone maps. */
	map(2000001, 0x1000, "/lib");
	ck_assert_ptr_null(prof_maps_find(&parent->maps, 0x1000));
	make(2000001, 2000002, 2000002);
	ck_assert_ptr_nonnull(prof_maps_find(&prof_family_find(&family, 2000002)->maps, 0x1000));
	prof_family_deinit(&family);
}
END_TEST

START_TEST(processes_of_others_are_none_of_it)
{
	start();
	make(3000000, 3000001, 3000001);
	map(3000001, 0x1000, "/lib");
	execute(3000001, "other");
	ck_assert_ptr_null(prof_family_find(&family, 3000001));
	ck_assert_uint_eq(family.members.count, 1);
	prof_family_deinit(&family);
}
END_TEST

START_TEST(a_program_is_executed)
{
	start();
	make(getpid(), 2000001, 2000001);
	make(2000001, 2000001, 2000005);
	make(2000001, 2000001, 2000006);
	struct prof_member *child = prof_family_find(&family, 2000001);
	child->reported = prof_family_thread(&family, 2000001)->named = true;
	ck_assert_uint_eq(child->threads, 3);
	execute(2000001, "program");
	ck_assert_uint_eq(child->threads, 1);
	ck_assert_uint_eq(child->maps.mappings.count, 0);
	ck_assert(!child->reported);
	ck_assert_str_eq(prof_family_thread(&family, 2000001)->name, "program");
	ck_assert(!prof_family_thread(&family, 2000001)->named);
	ck_assert_ptr_null(prof_family_thread(&family, 2000005));
	prof_family_deinit(&family);
}
END_TEST

/* The thread that executes a program has the id of the first one from then on, which has ended. */
START_TEST(another_thread_executes_a_program)
{
	start();
	make(getpid(), 2000001, 2000001);
	make(2000001, 2000001, 2000005);
	prof_family_remove(&family, prof_family_thread(&family, 2000001));
	check();
	execute(2000001, "program");
	ck_assert_uint_eq(prof_family_find(&family, 2000001)->threads, 1);
	ck_assert_str_eq(prof_family_thread(&family, 2000001)->name, "program");
	prof_family_deinit(&family);
}
END_TEST

START_TEST(the_last_thread_takes_its_process_with_it)
{
	start();
	make(getpid(), 2000001, 2000001);
	make(2000001, 2000001, 2000005);
	apply((struct prof_perf_task){
		.kind = PROF_PERF_TASK_ENDED, .process = 2000001, .thread = 2000001});
	ck_assert_int_eq(prof_family_thread(&family, 2000001)->ended, 1);
	prof_family_remove(&family, prof_family_thread(&family, 2000001));
	check();
	ck_assert_ptr_nonnull(prof_family_find(&family, 2000001));
	prof_family_remove(&family, prof_family_thread(&family, 2000005));
	check();
	ck_assert_ptr_null(prof_family_find(&family, 2000001));
	prof_family_deinit(&family);
}
END_TEST

/* Records may be lost: an id that is used again is another process. */
START_TEST(an_id_is_used_again)
{
	start();
	make(getpid(), 2000001, 2000001);
	make(2000001, 2000001, 2000002);
	map(2000001, 0x1000, "/lib");
	make(getpid(), 2000001, 2000001);
	ck_assert_uint_eq(prof_family_find(&family, 2000001)->threads, 1);
	ck_assert_ptr_null(prof_maps_find(&prof_family_find(&family, 2000001)->maps, 0x1000));
	make(2000001, 2000001, 2000005);
	make(getpid(), 2000005, 2000005);
	ck_assert_int_eq(prof_family_thread(&family, 2000005)->member->process, 2000005);
	ck_assert_uint_eq(prof_family_find(&family, 2000001)->threads, 1);
	prof_family_deinit(&family);
}
END_TEST

START_TEST(counts_of_all_cpus_are_added_up)
{
	start();
	make(getpid(), 2000001, 2000001);
	for (int64_t cpu = 1; cpu <= 3; cpu++)
		apply((struct prof_perf_task){.kind = PROF_PERF_TASK_COUNTED,
			.process = 2000001,
			.thread = 2000001,
			.count = cpu * 100});
	ck_assert_int_eq(prof_family_thread(&family, 2000001)->counted, 600);
	prof_family_deinit(&family);
}
END_TEST

START_TEST(a_process_that_is_gone_is_not_added)
{
	struct prof_member *member;

	ck_assert_error(prof_family_add(&family, 0x7fffffff, &member), "2147483647");
	ck_assert_uint_eq(family.members.count, 0);
	prof_family_deinit(&family);
}
END_TEST

START_TEST(those_that_go_on_are_counted)
{
	start();
	size_t before = prof_family_living(&family);
	make(getpid(), 2000001, 2000001);
	make(getpid(), 2000002, 2000002);
	ck_assert_uint_eq(prof_family_living(&family), before + 2);
	apply((struct prof_perf_task){
		.kind = PROF_PERF_TASK_ENDED, .process = 2000001, .thread = 2000001});
	ck_assert_uint_eq(prof_family_living(&family), before + 1);
	prof_family_find(&family, 2000002)->apart = true;
	ck_assert_uint_eq(prof_family_living(&family), before);
	prof_family_deinit(&family);
}
END_TEST

RUN_TESTS("family", a_child_begins_as_its_parent_is, processes_of_others_are_none_of_it,
	a_program_is_executed, another_thread_executes_a_program,
	the_last_thread_takes_its_process_with_it, an_id_is_used_again,
	counts_of_all_cpus_are_added_up, a_process_that_is_gone_is_not_added,
	those_that_go_on_are_counted)
