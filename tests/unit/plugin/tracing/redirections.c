/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process whose calls are redirected is this one, or a child: it calls getppid() and getpgrp()
 * through its slots. */
#include "plugin/tracing/redirections.h"

#include "suite.h"
#include "target/dynamic.h"
#include "target/linkmap.h"
#include "target/process.h"
#include "target/slots.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the wrappers return, which no process has. */
enum { WRAPPED_PARENT = 1000000001, WRAPPED_GROUP, OTHER };

static pid_t wrap_parent(void)
{
	return WRAPPED_PARENT;
}

static pid_t wrap_group(void)
{
	return WRAPPED_GROUP;
}

static pid_t call_other(void)
{
	return OTHER;
}

static struct redirections_hook hooks[] = {
	{.name = "getppid", .wrapper = (uintptr_t)wrap_parent},
	{.name = "getpgrp", .wrapper = (uintptr_t)wrap_group},
	{.name = "no_such_function", .wrapper = (uintptr_t)call_other},
};

static pid_t parent(void)
{
	return (pid_t)syscall(SYS_getppid);
}

/* Redirections of COUNT hooks in this process, whose agent is no object of it unless it has its
 * data at AGENT. */
static struct redirections *begin(uint64_t agent, size_t count)
{
	struct redirections *redirections;

	for (size_t i = 0; i < PROF_COUNT(hooks); i++)
		hooks[i].real = (uintptr_t)dlsym(RTLD_DEFAULT, hooks[i].name);
	ck_assert_ok(redirections_create(getpid(), agent, hooks, count, &redirections));
	return redirections;
}

/* The address of the slot of this program for getppid(). */
static uint64_t find_slot(void)
{
	struct prof_process process;
	struct prof_linkmap map = {0};
	struct prof_slots slots = {0};
	const char *const names[] = {"getppid"};

	prof_process_init(&process, getpid());
	const struct prof_target target = prof_process_target(&process);
	ck_assert_ok(prof_linkmap_of_process(&map, &target, getpid()));
	ck_assert_ok(prof_slots_find(&slots, &target, &map.items.items[0], names, 1));
	ck_assert_uint_ge(slots.items.count, 1);
	uint64_t address = slots.items.items[0].address;
	prof_slots_deinit(&slots);
	prof_linkmap_deinit(&map);
	return address;
}

static void write_slot(uint64_t value)
{
	ck_assert_ok(prof_process_write(getpid(), find_slot(), &value, sizeof value));
}

START_TEST(calls_lead_to_the_wrapper_until_redirections_are_removed)
{
	struct redirections *redirections = begin(0, 1);
	size_t objects;

	ck_assert_int_eq(getppid(), parent());
	ck_assert_ok(redirections_update(redirections));
	ck_assert_int_eq(getppid(), WRAPPED_PARENT);
	ck_assert_uint_ge(redirections_of(redirections, 0), 1);
	ck_assert_uint_eq(
		redirections_count(redirections, &objects), redirections_of(redirections, 0));
	ck_assert_uint_ge(objects, 1);

	/* No slot is redirected twice. */
	size_t count = redirections_count(redirections, &objects);
	ck_assert_ok(redirections_update(redirections));
	ck_assert_uint_eq(redirections_count(redirections, &objects), count);

	redirections_remove(redirections);
	ck_assert_int_eq(getppid(), parent());
	redirections_destroy(redirections);
}
END_TEST

START_TEST(more_hooks_can_follow)
{
	struct redirections *redirections = begin(0, 1);

	ck_assert_ok(redirections_update(redirections));
	ck_assert_int_ne(getpgrp(), WRAPPED_GROUP);
	ck_assert_ok(redirections_extend(redirections, 3));
	ck_assert_int_eq(getppid(), WRAPPED_PARENT);
	ck_assert_int_eq(getpgrp(), WRAPPED_GROUP);
	ck_assert_uint_ge(redirections_of(redirections, 1), 1);
	/* There is none of these. */
	ck_assert_uint_eq(redirections_of(redirections, 2), 0);
	redirections_remove(redirections);
	ck_assert_int_ne(getpgrp(), WRAPPED_GROUP);
	redirections_destroy(redirections);
}
END_TEST

START_TEST(functions_may_be_found_later)
{
	struct redirections *redirections = begin(0, 2);
	uint64_t real = hooks[1].real;

	hooks[1].real = 0;
	ck_assert_ok(redirections_update(redirections));
	ck_assert_int_eq(getppid(), WRAPPED_PARENT);
	ck_assert_int_ne(getpgrp(), WRAPPED_GROUP);
	hooks[1].real = real;
	size_t others = redirections_of(redirections, 0);
	ck_assert_ok(redirections_repeat(redirections));
	ck_assert_int_eq(getpgrp(), WRAPPED_GROUP);
	ck_assert_uint_eq(redirections_of(redirections, 0), others);
	redirections_remove(redirections);
	ck_assert_int_ne(getpgrp(), WRAPPED_GROUP);
	ck_assert_int_eq(getppid(), parent());
	redirections_destroy(redirections);
}
END_TEST

/* As the dynamic linker leaves a slot until it fills it: with an address of the file. */
START_TEST(objects_are_awaited_until_their_slots_are_filled)
{
	struct redirections *redirections = begin(0, 1);
	struct prof_exported awaited = prof_dynamic_find_in(getpid(), "_dl_catch_exception");

	write_slot(0x1036);
	ck_assert_ok(redirections_update(redirections));
	ck_assert_uint_eq(redirections_awaited(redirections), awaited.address);
	ck_assert_uint_eq(redirections_of(redirections, 0), 0);
	write_slot(hooks[0].real);
	ck_assert_ok(redirections_update(redirections));
	ck_assert_uint_eq(redirections_awaited(redirections), 0);
	ck_assert_int_eq(getppid(), WRAPPED_PARENT);
	redirections_remove(redirections);

	/* A weak symbol's stays as it is. */
	write_slot(0);
	redirections_destroy(redirections);
	redirections = begin(0, 1);
	ck_assert_ok(redirections_update(redirections));
	ck_assert_uint_eq(redirections_awaited(redirections), awaited.address);
	redirections_settle(redirections);
	ck_assert_uint_eq(redirections_awaited(redirections), 0);
	write_slot(hooks[0].real);
	redirections_destroy(redirections);
}
END_TEST

START_TEST(the_agent_itself_is_not_redirected)
{
	struct redirections *redirections = begin((uintptr_t)hooks, 1);

	ck_assert_ok(redirections_update(redirections));
	ck_assert_int_eq(getppid(), parent());
	redirections_destroy(redirections);
}
END_TEST

START_TEST(slot_that_the_program_has_written_stays)
{
	struct redirections *redirections = begin(0, 1);

	write_slot((uintptr_t)call_other);
	ck_assert_ok(redirections_update(redirections));
	ck_assert_int_eq(getppid(), OTHER);
	ck_assert_uint_eq(redirections_of(redirections, 0), 0);
	redirections_destroy(redirections);

	/* Or after it was redirected. */
	write_slot(hooks[0].real);
	redirections = begin(0, 1);
	ck_assert_ok(redirections_update(redirections));
	ck_assert_int_eq(getppid(), WRAPPED_PARENT);
	write_slot((uintptr_t)call_other);
	redirections_remove(redirections);
	ck_assert_int_eq(getppid(), OTHER);
	redirections_destroy(redirections);
}
END_TEST

/* A child, whose calls are redirected as its parent's were when it was made, ends when *GO is
 * closed; its status says whether it still was then. */
static pid_t start_child(int *go)
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	pid_t child = fork();
	if (!child) {
		char byte;
		close(ends[1]);
		ssize_t got = read(ends[0], &byte, 1);
		_exit(got == 0 && getppid() == WRAPPED_PARENT);
	}
	close(ends[0]);
	*go = ends[1];
	return child;
}

START_TEST(redirections_of_a_child_are_its_own)
{
	struct redirections *redirections = begin(0, 1);
	int status, go;
	size_t objects;

	ck_assert_ok(redirections_update(redirections));
	pid_t child = start_child(&go);
	struct redirections *inherited = redirections_inherit(redirections, child, hooks);
	ck_assert_ptr_nonnull(inherited);
	ck_assert_uint_eq(redirections_of(inherited, 0), redirections_of(redirections, 0));
	redirections_remove(inherited);
	close(go);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
	ck_assert_int_eq(getppid(), WRAPPED_PARENT);

	/* Without that it stays redirected. */
	child = start_child(&go);
	close(go);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(WEXITSTATUS(status), 1);
	redirections_destroy(inherited);
	redirections_remove(redirections);
	ck_assert_uint_ge(
		redirections_count(redirections, &objects), 1); /* what they were stays known */
	redirections_destroy(redirections);
}
END_TEST

RUN_TESTS("redirections", calls_lead_to_the_wrapper_until_redirections_are_removed,
	more_hooks_can_follow, functions_may_be_found_later,
	objects_are_awaited_until_their_slots_are_filled, the_agent_itself_is_not_redirected,
	slot_that_the_program_has_written_stays, redirections_of_a_child_are_its_own)
