/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/kernel_stack.h"

#include "sample_child.h"
#include "target/kallsyms.h"

static struct prof_kallsyms *read_list(const char *text)
{
	char path[] = "/tmp/kernel-stack-XXXXXX";
	int fd = mkstemp(path);
	struct prof_kallsyms *symbols = NULL;

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	ck_assert_ok(prof_kallsyms_read(path, &symbols));
	ck_assert_ok(prof_kallsyms_index(symbols));
	unlink(path);
	return symbols;
}

static const char LIST[] = "ffffffff81000000 t show\n"
			   "ffffffff81000030 T do_sleep\n"
			   "ffffffff81000100 t show\n"
			   "ffffffff81000400 T do_sleep_more\n"
			   "ffffffff81000500 T last\n"
			   "ffffffffc0000000 t in_module\t[ext4]\n";

START_TEST(frames_are_addresses_within_their_functions)
{
	struct prof_kallsyms *symbols = read_list(LIST);
	uint64_t frames[8];

	size_t count = prof_kernel_stack_parse("[<0>] do_sleep+0x1f/0xd0\n"
					       "[<0>] in_module+0x8/0x10 [ext4]\n"
					       "[<0>] last+0x0/0x10\n",
		symbols, frames, PROF_COUNT(frames));
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(frames[0], 0xffffffff81000030 + 0x1e);
	ck_assert_uint_eq(frames[1], 0xffffffffc0000007);
	ck_assert_uint_eq(frames[2], 0xffffffff81000500);
	ck_assert_uint_eq(prof_kernel_stack_parse("[<0>] do_sleep+0x1f/0xd0\n[<0>] last+0x1/0x10\n",
				  symbols, frames, 1),
		1);
	prof_kallsyms_destroy(symbols);
}
END_TEST

START_TEST(of_functions_of_one_name_the_size_tells)
{
	struct prof_kallsyms *symbols = read_list(LIST);
	uint64_t frames[2];

	size_t count = prof_kernel_stack_parse(
		"[<0>] show+0x11/0x2f0\n[<0>] show+0x11/0x20\n", symbols, frames, 2);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(frames[0], 0xffffffff81000110);
	ck_assert_uint_eq(frames[1], 0xffffffff81000010);
	prof_kallsyms_destroy(symbols);
}
END_TEST

START_TEST(what_is_no_frame_is_left_out)
{
	static const char *const texts[] = {"", "\n\n", "[<0>]", "[<0>] ", "[<0>] do_sleep",
		"[<0>] do_sleep+", "[<0>] do_sleep+0x1", "[<0>] nobody+0x1/0x10\n",
		"[<0>] do_sleep_mor+0x1/0x10\n", "[<0>] 0xffffffffc0000001\n"};
	struct prof_kallsyms *symbols = read_list(LIST);
	uint64_t frames[2];

	for (size_t i = 0; i < PROF_COUNT(texts); i++)
		ck_assert_uint_eq(prof_kernel_stack_parse(texts[i], symbols, frames, 2), 0);
	prof_kallsyms_destroy(symbols);
}
END_TEST

static void wait_for_ever(void)
{
	for (;;)
		pause();
}

/* Where the kernel shows nothing there is nothing. */
START_TEST(stack_of_a_sleeping_thread_is_read)
{
	struct prof_kallsyms *symbols = NULL;
	uint64_t frames[64], low;
	size_t count = 0;
	bool found = false;

	pid_t child = child_start(wait_for_ever);
	ck_assert_ok(prof_kallsyms_read(NULL, &symbols));
	ck_assert_ok(prof_kallsyms_index(symbols));
	bool shown = prof_kernel_stack_shown() && prof_kallsyms_shown();
	for (int i = 0; i < 1000 && !count; i++) {
		pause_ms(1);
		count = prof_kernel_stack_read(child, child, symbols, frames, PROF_COUNT(frames));
	}
	for (size_t i = 0; i < count; i++) {
		const char *name = prof_kallsyms_find(symbols, frames[i], &low);
		found |= strstr(name, "pause") != NULL;
	}
	ck_assert(found == shown);
	prof_kallsyms_destroy(symbols);
	children_end();
}
END_TEST

RUN_TESTS("kernel stack", frames_are_addresses_within_their_functions,
	of_functions_of_one_name_the_size_tells, what_is_no_frame_is_left_out,
	stack_of_a_sleeping_thread_is_read)
