/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This program plays GDB, whose calls for a patched child go through its import slots. */
#include "plugin/interpose/patched_process.h"

#include "decoder.h"

#ifdef __x86_64__

#include "patched_crowd.h"
#include "plugin/interpose/displaced.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/user.h>

enum { LENGTH = 16 };

static struct debugger {
	struct patched_child child; /* its patches are unused */
	struct prof_patched *patched;
	int memory; /* of the child */
	int endings, leavings, stills, ends, prunes;
	uint64_t counts[2]; /* at the last ending */
} debugger;

static void ending(void)
{
	debugger.endings++;
	ck_assert_ok(prof_patched_count(debugger.patched, debugger.counts, 2));
}

static void leaving(void)
{
	debugger.leavings++;
}

static void still(void)
{
	debugger.stills++;
}

static void gone(void)
{
	debugger.ends++;
}

static void prune(void)
{
	debugger.prunes++;
}

static void failed(struct prof_error *error)
{
	ck_abort_msg("%s", prof_error_message(error));
}

static const struct patched_watcher watcher = {.ending = ending,
	.leaving = leaving,
	.still = still,
	.gone = gone,
	.prune = prune,
	.failed = failed};

static void begin(int (*function)(void))
{
	static const void *const functions[] = {(const void *)leaf, (const void *)fibonacci};
	enum prof_obstacle obstacle;
	uint32_t number;
	char path[32];

	debugger = (struct debugger){0};
	crowd_start_hidden(&debugger.child, function, &debugger.patched);
	for (size_t i = 0; i < PROF_COUNT(functions); i++)
		ck_assert_ok(prof_patches_add(prof_patched_patches(debugger.patched),
			(uintptr_t)functions[i], PROF_STUB_COUNT, &number, &obstacle));
	ck_assert(prof_patches_map(prof_patched_patches(debugger.patched), &debugger.child.detour,
		debugger.child.pid));
	ck_assert_ok(patched_process_open());
	ck_assert(patched_process_take(debugger.child.pid, false, debugger.patched, &watcher));
	for (size_t i = 0; i < PROF_COUNT(functions); i++)
		ck_assert(patched_process_add((uintptr_t)functions[i], functions[i], LENGTH));
	patched_process_allow(true);
	snprintf(path, sizeof path, "/proc/%d/mem", (int)debugger.child.pid);
	debugger.memory = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(debugger.memory, 0);
}

static void finish(void)
{
	patched_process_close();
	prof_patched_destroy(debugger.patched);
	close(debugger.memory);
}

static uint64_t pc_of(pid_t thread)
{
	struct user_regs_struct registers;

	ck_assert_int_eq(ptrace(PTRACE_GETREGS, thread, NULL, &registers), 0);
	return registers.rip;
}

/* Waits for an end of the child; its status. */
static int await_end(void)
{
	int status;

	ck_assert_int_eq(waitpid(debugger.child.pid, &status, __WALL), debugger.child.pid);
	return status;
}

/* Calls when it is told to. */
static int wait_and_call(void)
{
	while (!shared->end)
		;
	int wrong = CALL(fibonacci)(NUMBER) != RESULT;
	patched_child_stop();
	return wrong;
}

START_TEST(a_breakpoint_that_is_written_meanwhile_is_met)
{
	unsigned char bytes[LENGTH], original = *(const unsigned char *)leaf;

	begin(wait_and_call);
	pid_t child = debugger.child.pid;
	patched_child_go(&debugger.child);
	ck_assert(!patched_process_stands());
	ck_assert(!patched_child_same(&debugger.child, (const void *)leaf, LENGTH));
	ck_assert_int_eq(pread64(debugger.memory, bytes, LENGTH, (off64_t)(uintptr_t)leaf), LENGTH);
	ck_assert(!memcmp(bytes, (const void *)leaf, LENGTH));
	ck_assert_int_eq(pwrite64(debugger.memory, "\xcc", 1, (off64_t)(uintptr_t)leaf), 1);
	ck_assert_int_eq(pread64(debugger.memory, bytes, 1, (off64_t)(uintptr_t)leaf), 1);
	ck_assert_uint_eq(bytes[0], 0xcc);
	shared->end = 1;
	patched_child_await(&debugger.child, SIGTRAP);
	ck_assert(patched_process_stands());
	ck_assert_int_eq(debugger.stills, 1);
	ck_assert_uint_eq(pc_of(child), (uintptr_t)leaf + 1);
	/* The word there has the breakpoint, also as ptrace() reads it. */
	ck_assert_uint_eq(ptrace(PTRACE_PEEKTEXT, child, leaf, NULL) & 0xff, 0xcc);
	ck_assert_int_eq(pwrite64(debugger.memory, &original, 1, (off64_t)(uintptr_t)leaf), 1);
	ck_assert(patched_child_same(&debugger.child, (const void *)leaf, LENGTH));
	ck_assert_int_eq(ptrace(PTRACE_POKEUSER, child, offsetof(struct user_regs_struct, rip),
				 (uintptr_t)leaf),
		0);
	patched_child_turn(&debugger.child);
	ck_assert(patched_child_same(&debugger.child, (const void *)fibonacci, LENGTH));
	patched_child_go(&debugger.child);
	ck_assert_int_eq(await_end(), 0);
	ck_assert_int_eq(debugger.endings, 1);
	ck_assert_int_eq(debugger.ends, 1);
	ck_assert_uint_eq(debugger.counts[0], LEAVES);
	ck_assert_uint_eq(debugger.counts[1], CALLS);
	finish();
}
END_TEST

START_TEST(what_is_not_allowed_is_not_counted)
{
	begin(wait_and_call);
	shared->end = 1;
	patched_process_allow(false);
	patched_child_go(&debugger.child);
	ck_assert(patched_child_same(&debugger.child, (const void *)leaf, LENGTH));
	patched_child_await(&debugger.child, SIGSTOP);
	patched_process_allow(true);
	patched_child_go(&debugger.child);
	ck_assert_int_eq(await_end(), 0);
	ck_assert_uint_eq(debugger.counts[0], 0);
	finish();
}
END_TEST

static int call_and_fork(void)
{
	return crowd_call_and_fork() != 0;
}

START_TEST(forked_children_have_no_patches)
{
	unsigned long forked;
	int status;

	begin(call_and_fork);
	pid_t child = debugger.child.pid;
	ck_assert_int_eq(ptrace(PTRACE_SETOPTIONS, child, NULL,
				 (void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACEFORK)),
		0);
	patched_child_go(&debugger.child);
	ck_assert_int_eq(await_end() >> 8, SIGTRAP | PTRACE_EVENT_FORK << 8);
	ck_assert_int_eq(ptrace(PTRACE_GETEVENTMSG, child, NULL, &forked), 0);
	ck_assert_int_eq(waitpid((pid_t)forked, &status, __WALL), (pid_t)forked);
	struct patched_child copy = {.pid = (pid_t)forked};
	ck_assert(patched_child_same(&copy, (const void *)leaf, LENGTH));
	ck_assert_int_eq(ptrace(PTRACE_CONT, copy.pid, NULL, NULL), 0);
	/* Its end has no event for the debugger. */
	ck_assert_int_eq(waitpid(copy.pid, &status, __WALL), copy.pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(debugger.endings, 0);
	patched_child_go(&debugger.child);
	status = await_end();
	if (WIFSTOPPED(status)) { /* SIGCHLD */
		patched_child_go(&debugger.child);
		status = await_end();
	}
	ck_assert_int_eq(status, 0);
	ck_assert_uint_eq(debugger.counts[1], 2 * CALLS);
	finish();
}
END_TEST

START_TEST(a_detach_leaves_no_patch)
{
	begin(wait_and_call);
	pid_t child = debugger.child.pid;
	patched_child_go(&debugger.child);
	ck_assert_int_eq(kill(child, SIGSTOP), 0);
	patched_child_await(&debugger.child, SIGSTOP);
	ck_assert_int_eq(ptrace(PTRACE_DETACH, child, NULL, NULL), 0);
	ck_assert_int_eq(debugger.leavings, 1);
	ck_assert_int_eq(debugger.endings, 0);
	ck_assert_int_eq(debugger.ends, 1);
	ck_assert(patched_child_same(&debugger.child, (const void *)leaf, LENGTH));
	kill(child, SIGKILL);
	ck_assert(WIFSIGNALED(await_end()));
	finish();
}
END_TEST

RUN_DECODER_TESTS("patched_process", a_breakpoint_that_is_written_meanwhile_is_met,
	what_is_not_allowed_is_not_counted, forked_children_have_no_patches,
	a_detach_leaves_no_patch)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
