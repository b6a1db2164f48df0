/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The word of threads in a program that knows nothing of it. */
#include "patching/thread_word.h"

#include "decoder.h"

#ifdef __x86_64__

#include "patched_child.h"

#include <pthread.h>
#include <sys/user.h>

enum { BURSTS = 12, THREADS = 25, TURNS = 20 };

KEPT uint64_t leaf(uint64_t number);

uint64_t leaf(uint64_t number)
{
	return number * 3 + 1;
}

static void *call_leaf(void *wrong)
{
	for (uint64_t i = 0; i < TURNS; i++)
		*(int *)wrong += CALL(leaf)(i) != i * 3 + 1;
	return NULL;
}

/* Threads that take over the stacks of others, and some that go on meanwhile. */
static int call_in_bursts(void)
{
	pthread_t threads[THREADS];
	int wrong[THREADS] = {0}, sum = 0;

	for (int burst = 0; burst < BURSTS; burst++) {
		for (int i = 0; i < THREADS; i++) {
			if (pthread_create(&threads[i], NULL, call_leaf, &wrong[i]))
				return 1;
			if (i % 2)
				pthread_join(threads[i], NULL);
		}
		for (int i = 0; i < THREADS; i += 2)
			pthread_join(threads[i], NULL);
	}
	for (int i = 0; i < THREADS; i++)
		sum += wrong[i];
	patched_child_stop();
	return sum != 0;
}

/* A thread that was just made stands still: clears its word.  Was there anything in it? */
static bool clear_word(const struct patched_child *child, pid_t thread)
{
	struct user_regs_struct registers;
	uint64_t word;

	ck_assert_int_eq(ptrace(PTRACE_GETREGS, thread, NULL, &registers), 0);
	ck_assert(prof_process_read(
		child->pid, registers.fs_base + PROF_THREAD_WORD, &word, sizeof word));
	ck_assert(prof_thread_word_clear(child->pid, thread));
	ck_assert_ptr_null(prof_thread_word_check(child->pid, thread));
	return word != 0;
}

/* Goes on until the first thread stops itself, and all others have ended.  How many these were. */
static unsigned run_threads(const struct patched_child *child)
{
	unsigned made = 0, ended = 0, again = 0;
	bool stopped = false;
	int status;

	patched_child_go(child);
	while (!stopped || ended < made) {
		pid_t thread = waitpid(-1, &status, __WALL);
		ck_assert_int_gt(thread, 0);
		if (!WIFSTOPPED(status)) {
			ended++;
			continue;
		}
		if (thread == child->pid && WSTOPSIG(status) == SIGSTOP) {
			stopped = true;
			continue;
		}
		if (thread != child->pid) {
			made++;
			again += clear_word(child, thread);
		}
		ck_assert_int_eq(ptrace(PTRACE_CONT, thread, NULL, NULL), 0);
	}
	/* Else clearing them would not be tested. */
	ck_assert_uint_gt(again, 0);
	return made;
}

START_TEST(threads_need_nothing_else)
{
	struct patched_child child;

	patched_child_start(&child, call_in_bursts, 10);
	child.settings.thread = PROF_THREAD_WORD;
	prof_patches_destroy(child.patches);
	ck_assert_ok(prof_patches_create(child.pid, &child.settings, &child.patches));
	ck_assert_ptr_null(prof_thread_word_check(child.pid, child.pid));
	uint32_t number = patched_child_add(&child, leaf);
	patched_child_map(&child);
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	ck_assert_uint_eq(run_threads(&child), BURSTS * THREADS);
	ck_assert_uint_eq(
		patched_child_counted(&child, number), (uint64_t)BURSTS * THREADS * TURNS);
	patched_child_finish(&child);
}
END_TEST

/* Does this thread use the word that stubs want? */
static uint64_t read_word(void)
{
	return *(uint64_t *)(void *)(patched_thread_pointer() + PROF_THREAD_WORD);
}

START_TEST(the_library_does_not_use_it)
{
	char text[64];

	ck_assert_uint_eq(read_word(), 0);
	snprintf(text, sizeof text, "%g", 1.5);
	ck_assert_str_eq(text, "1.5");
	ck_assert_uint_eq(read_word(), 0);
}
END_TEST

static int stop_twice(void)
{
	patched_child_stop();
	return 0;
}

START_TEST(a_word_in_use_is_refused)
{
	struct patched_child child;
	const uint64_t used = 7;
	struct user_regs_struct registers;

	patched_child_start(&child, stop_twice, 10);
	ck_assert_int_eq(ptrace(PTRACE_GETREGS, child.pid, NULL, &registers), 0);
	ck_assert_ok(prof_process_write(
		child.pid, registers.fs_base + PROF_THREAD_WORD, &used, sizeof used));
	const char *why = prof_thread_word_check(child.pid, child.pid);
	ck_assert_ptr_nonnull(why);
	ck_assert_ptr_nonnull(strstr(why, "something else"));
	ck_assert(prof_thread_word_clear(child.pid, child.pid));
	ck_assert_ptr_null(prof_thread_word_check(child.pid, child.pid));
	/* A thread with storage of another kind, and one without. */
	const uint64_t pointer = registers.fs_base;
	registers.fs_base += 16;
	ck_assert_int_eq(ptrace(PTRACE_SETREGS, child.pid, NULL, &registers), 0);
	why = prof_thread_word_check(child.pid, child.pid);
	ck_assert_ptr_nonnull(strstr(why, "of its own kind"));
	registers.fs_base = 0;
	ck_assert_int_eq(ptrace(PTRACE_SETREGS, child.pid, NULL, &registers), 0);
	why = prof_thread_word_check(child.pid, child.pid);
	ck_assert_ptr_nonnull(strstr(why, "no thread-local storage"));
	ck_assert(!prof_thread_word_clear(child.pid, child.pid));
	registers.fs_base = pointer;
	ck_assert_int_eq(ptrace(PTRACE_SETREGS, child.pid, NULL, &registers), 0);
	patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

START_TEST(another_library_is_refused)
{
	int status;
	pid_t child = fork();

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl("/proc/self/exe", "nothing", "end", NULL);
		_exit(1);
	}
	/* A program that has just begun has no libraries. */
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSTOPPED(status));
	ck_assert_ptr_nonnull(prof_thread_word_check(child, child));
	ck_assert(!prof_thread_word_clear(child, child));
	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_ptr_nonnull(prof_thread_word_check(child, child));
}
END_TEST

RUN_DECODER_TESTS("thread_word", threads_need_nothing_else, the_library_does_not_use_it,
	a_word_in_use_is_refused, another_library_is_refused)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
