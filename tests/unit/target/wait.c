/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/wait.h"

#include "sample_child.h"
#include "target/arch.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* What TEXT says on x86-64; the test ends if it says nothing. */
static struct prof_wait parse(const char *text)
{
	struct prof_wait wait = {0};

	ck_assert(prof_wait_parse(text, &prof_arch_x86_64, &wait));
	return wait;
}

START_TEST(futex_that_waits_is_a_lock)
{
	struct prof_wait wait =
		parse("202 0x55d642b6f120 0x80 0x2 0x0 0x0 0x1 0x7ffc00001000 0x7f0000002000\n");

	ck_assert_int_eq(wait.state, PROF_STATE_LOCK);
	ck_assert(!wait.restarted);
	ck_assert_uint_eq(wait.sp, 0x7ffc00001000);
	ck_assert_uint_eq(wait.pc, 0x7f0000002000);
	/* Of a condition variable, of a thread that is joined, of a priority-inheriting mutex. */
	ck_assert_int_eq(parse("202 0x1 0x189 0x0 0x0 0x0 0x0 0x1 0x2").state, PROF_STATE_LOCK);
	ck_assert_int_eq(parse("202 0x1 0x109 0x0 0x0 0x0 0x0 0x1 0x2").state, PROF_STATE_LOCK);
	ck_assert_int_eq(parse("202 0x1 0x86 0x0 0x0 0x0 0x0 0x1 0x2").state, PROF_STATE_LOCK);
	ck_assert_int_eq(parse("449 0x1 0x1 0x0 0x0 0x0 0x0 0x1 0x2").state, PROF_STATE_LOCK);
}
END_TEST

START_TEST(other_calls_are_other_waits)
{
	ck_assert_int_eq(parse("230 0x1 0x0 0x3 0x4 0x5 0x6 0x1 0x2").state, PROF_STATE_OTHER);
	ck_assert_int_eq(parse("0 0x3 0x0 0x3 0x4 0x5 0x6 0x1 0x2").state, PROF_STATE_OTHER);
	/* A futex that wakes. */
	ck_assert_int_eq(parse("202 0x1 0x81 0x1 0x0 0x0 0x0 0x1 0x2").state, PROF_STATE_OTHER);
	/* The same number is another call elsewhere. */
	struct prof_wait wait;
	ck_assert(
		prof_wait_parse("98 0x1 0x80 0x0 0x0 0x0 0x0 0x1 0x2", &prof_arch_aarch64, &wait));
	ck_assert_int_eq(wait.state, PROF_STATE_LOCK);
	ck_assert(
		prof_wait_parse("202 0x1 0x80 0x0 0x0 0x0 0x0 0x1 0x2", &prof_arch_aarch64, &wait));
	ck_assert_int_eq(wait.state, PROF_STATE_OTHER);
}
END_TEST

START_TEST(sleep_outside_of_a_call_waits_for_a_page)
{
	struct prof_wait wait = parse("-1 0x7ffc00001000 0x401000\n");

	ck_assert_int_eq(wait.state, PROF_STATE_FAULT);
	ck_assert_uint_eq(wait.sp, 0x7ffc00001000);
	ck_assert_uint_eq(wait.pc, 0x401000);
}
END_TEST

START_TEST(restarted_call_is_told)
{
	ck_assert(parse("219 0x1 0x0 0x3 0x4 0x5 0x6 0x1 0x2").restarted);
}
END_TEST

START_TEST(wait_for_signals_is_told)
{
	ck_assert(parse("128 0x1 0x0 0x3 0x8 0x5 0x6 0x1 0x2").for_signals);
	ck_assert(!parse("219 0x1 0x0 0x3 0x4 0x5 0x6 0x1 0x2").for_signals);
}
END_TEST

START_TEST(what_runs_or_is_no_such_text_waits_for_nothing)
{
	static const char *const texts[] = {"running\n", "", "-1\n", "-1 0x1\n", "-2 0x1 0x2\n",
		"0 0x1 0x2\n", "202 0x1 0x2 0x3 0x4 0x5 0x6 0x7\n", "x\n"};
	struct prof_wait wait;

	for (size_t i = 0; i < PROF_COUNT(texts); i++)
		ck_assert_msg(!prof_wait_parse(texts[i], &prof_arch_x86_64, &wait), "%s", texts[i]);
}
END_TEST

START_TEST(place_is_pc_and_sp)
{
	const struct prof_wait one = {PROF_STATE_LOCK, .sp = 1, .pc = 2};

	ck_assert(prof_wait_same_place(
		&one, &(struct prof_wait){PROF_STATE_OTHER, true, .sp = 1, .pc = 2}));
	ck_assert(!prof_wait_same_place(
		&one, &(struct prof_wait){PROF_STATE_LOCK, .sp = 1, .pc = 3}));
	ck_assert(!prof_wait_same_place(
		&one, &(struct prof_wait){PROF_STATE_LOCK, .sp = 3, .pc = 2}));
}
END_TEST

static void wait_for_futex(void)
{
	int word = 0;

	for (;;)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void wait_for_input(void)
{
	for (;;)
		poll(NULL, 0, -1);
}

#ifndef UFFD_USER_MODE_ONLY /* Linux has it since 5.11 */
#define UFFD_USER_MODE_ONLY 1
#endif

/* The end of a page of code, and the begin of one that nobody brings; NULL: the kernel does not. */
static char *make_missing_page(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, size * 2, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register region = {
		.range = {(uintptr_t)pages + size, size}, .mode = UFFDIO_REGISTER_MODE_MISSING};
	int faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);

	ck_assert_ptr_ne(pages, MAP_FAILED);
	if (faults < 0 || ioctl(faults, UFFDIO_API, &api) ||
		ioctl(faults, UFFDIO_REGISTER, &region))
		return NULL;
	return pages + size;
}

static void call(char *address)
{
	void (*code)(void);

	memcpy(&code, &address, sizeof code);
	code();
}

static void wait_for_data(void)
{
	*(volatile char *)make_missing_page() = 1;
}

static void wait_for_code(void)
{
	call(make_missing_page());
}

/* A jump of five bytes, of which one is there. */
static void wait_for_rest_of_code(void)
{
	char *missing = make_missing_page();

	missing[-1] = (char)0xe9;
	call(missing - 1);
}

/* What the kernel of this machine says of a child that sleeps in FUNCTION. */
static enum prof_state state_in(void (*function)(void))
{
	pid_t child = child_start(function);
	struct prof_wait wait = {0};

	child_await(child, 'S');
	AUTO_CLOSE int fd = prof_procfs_open(child, child, "syscall");
	ck_assert_int_ge(fd, 0);
	ck_assert(prof_wait_read(fd, prof_arch_native(), &wait));
	ck_assert_uint_ne(wait.sp, 0);
	ck_assert_uint_ne(wait.pc, 0);
	children_end();
	ck_assert(!prof_wait_read(fd, prof_arch_native(), &wait));
	return wait.state;
}

START_TEST(kernel_tells_waits_apart)
{
	ck_assert_int_eq(state_in(wait_for_futex), PROF_STATE_LOCK);
	ck_assert_int_eq(state_in(wait_for_input), PROF_STATE_OTHER);
	ck_assert_int_eq(state_in(child_sleep), PROF_STATE_OTHER);
}
END_TEST

START_TEST(waits_for_code_and_for_data_are_told_apart)
{
	if (!make_missing_page())
		return;
	ck_assert_int_eq(state_in(wait_for_data), PROF_STATE_FAULT);
	ck_assert_int_eq(state_in(wait_for_code), PROF_STATE_TEXT);
	if (prof_arch_native() == &prof_arch_x86_64)
		ck_assert_int_eq(state_in(wait_for_rest_of_code), PROF_STATE_TEXT);
}
END_TEST

RUN_TESTS("wait", futex_that_waits_is_a_lock, other_calls_are_other_waits,
	sleep_outside_of_a_call_waits_for_a_page, restarted_call_is_told, wait_for_signals_is_told,
	what_runs_or_is_no_such_text_waits_for_nothing, place_is_pc_and_sp,
	kernel_tells_waits_apart, waits_for_code_and_for_data_are_told_apart)
