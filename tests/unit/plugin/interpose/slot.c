/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The import slots of a host program, which is this one here, and its calls through them. */
#include "plugin/interpose/slot.h"

#include "suite.h"

#include <dlfcn.h>
#include <libelf.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the hooks return, so that it is seen who was called. */
enum { FIRST = 1000000001, SECOND };

static pid_t first(void)
{
	return FIRST;
}

static pid_t second(void)
{
	return SECOND;
}

static const struct hook first_hook = {"getppid", (void *)first};
static const struct hook second_hook = {"getppid", (void *)second};

static pid_t parent(void)
{
	return (pid_t)syscall(SYS_getppid);
}

START_TEST(an_open_slot_sends_calls_elsewhere)
{
	struct slot slot;

	ck_assert_ok(slots_check(&first_hook, 1));
	ck_assert_int_eq(getppid(), parent());
	ck_assert_ok(slots_open(&first_hook, &slot, 1));
	ck_assert(slot_is(&slot, &first_hook));
	ck_assert_int_eq(getppid(), FIRST);
	slots_close(&slot, 1);
	ck_assert(!slot_is(&slot, &first_hook));
	ck_assert_int_eq(getppid(), parent());
}
END_TEST

START_TEST(the_function_itself_can_be_called_meanwhile)
{
	struct slot slot;

	ck_assert_ok(slots_open(&first_hook, &slot, 1));
	ck_assert_ptr_eq(slot.function, dlsym(RTLD_DEFAULT, "getppid"));
	ck_assert_ptr_eq(slot_next(&slot), slot.function);
	ck_assert_int_eq(((pid_t(*)(void))slot_next(&slot))(), parent());
	ck_assert_int_eq(getppid(), FIRST);
	slots_close(&slot, 1);
	/* Calls that are under way end later. */
	ck_assert_int_eq(((pid_t(*)(void))slot_next(&slot))(), parent());
}
END_TEST

START_TEST(hooks_of_one_function_chain)
{
	struct slot slot, upper;

	ck_assert_ok(slots_open(&first_hook, &slot, 1));
	ck_assert_ok(slots_open(&second_hook, &upper, 1));
	ck_assert_int_eq(getppid(), SECOND);
	ck_assert(!slot_is(&slot, &first_hook));
	ck_assert(slot_is(&upper, &second_hook));
	ck_assert_ptr_eq(slot_next(&upper), (void *)first);
	slots_close(&upper, 1);
	ck_assert(slot_is(&slot, &first_hook));
	ck_assert_int_eq(getppid(), FIRST);
	slots_close(&slot, 1);
	ck_assert_int_eq(getppid(), parent());
}
END_TEST

START_TEST(hooks_may_be_closed_in_any_order)
{
	struct slot slot, upper;

	ck_assert_ok(slots_open(&first_hook, &slot, 1));
	ck_assert_ok(slots_open(&second_hook, &upper, 1));
	slots_close(&slot, 1);
	ck_assert_int_eq(getppid(), SECOND);
	/* What it passes calls on to still does. */
	ck_assert_ptr_eq(slot_next(&upper), (void *)first);
	slots_close(&upper, 1);
	ck_assert_int_eq(getppid(), FIRST);
	ck_assert_ok(slots_open(&first_hook, &slot, 1));
	ck_assert_int_eq(((pid_t(*)(void))slot_next(&slot))(), parent());
	slots_close(&slot, 1);
	ck_assert_int_eq(getppid(), parent());
}
END_TEST

/* What a library or the linker has left in a slot is not a hook, and the linker's code would put
 * the function's address there. */
START_TEST(what_others_left_in_a_slot_is_not_called)
{
	const struct slot slot = {
		.before = dlsym(RTLD_DEFAULT, "getuid"),
		.function = dlsym(RTLD_DEFAULT, "getppid"),
	};

	ck_assert_ptr_nonnull(slot.before);
	ck_assert_ptr_eq(slot_next(&slot), slot.function);
}
END_TEST

START_TEST(several_are_opened_and_closed_at_once)
{
	const struct hook hooks[] = {first_hook, {"getpgrp", (void *)second}};
	struct slot slots[2];
	pid_t group = getpgrp();

	ck_assert_ok(slots_check(hooks, 2));
	ck_assert_ok(slots_open(hooks, slots, 2));
	ck_assert_int_eq(getppid(), FIRST);
	ck_assert_int_eq(getpgrp(), SECOND);
	slots_close(slots, 2);
	ck_assert_int_eq(getppid(), parent());
	ck_assert_int_eq(getpgrp(), group);
}
END_TEST

START_TEST(what_is_not_imported_is_refused)
{
	const struct hook hooks[] = {first_hook, {"no_such_function", (void *)second}};
	struct slot slots[2];

	ck_assert_error(slots_check(hooks, 2), "no_such_function");
	struct prof_error *error = slots_open(hooks, slots, 2);
	ck_assert(error && prof_error_code(error) == PROF_ERROR_UNSUPPORTED);
	ck_assert_error(error, "does not import no_such_function");
	/* None was set. */
	ck_assert_int_eq(getppid(), parent());
	/* libelf exports it, but nothing here calls it. */
	const struct hook uncalled = {"elf32_newphdr", (void *)second};
	ck_assert_ptr_nonnull(dlsym(RTLD_DEFAULT, uncalled.function));
	ck_assert_error(slots_check(&uncalled, 1), "elf32_newphdr");
}
END_TEST

static struct slot calloc_slot;
static int allocations;

static void *counting_calloc(size_t count, size_t size)
{
	allocations++;
	return ((void *(*)(size_t, size_t))slot_next(&calloc_slot))(count, size);
}

START_TEST(libraries_call_as_before)
{
	static const struct hook hook = {"calloc", (void *)counting_calloc};
	char image[] = "not an ELF file, which libelf describes all the same";

	ck_assert_ok(slots_open(&hook, &calloc_slot, 1));
	void *volatile own = calloc(1, 1);
	ck_assert_int_eq(allocations, 1);
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory(image, sizeof image);
	ck_assert_int_eq(allocations, 1);
	slots_close(&calloc_slot, 1);
	ck_assert_ptr_nonnull(elf);
	elf_end(elf);
	free(own);
}
END_TEST

RUN_TESTS("slot", an_open_slot_sends_calls_elsewhere, the_function_itself_can_be_called_meanwhile,
	hooks_of_one_function_chain, hooks_may_be_closed_in_any_order,
	what_others_left_in_a_slot_is_not_called, several_are_opened_and_closed_at_once,
	what_is_not_imported_is_refused, libraries_call_as_before)
