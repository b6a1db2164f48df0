/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A traced child, this program itself, whose functions are patched from outside. */
#ifndef PROF_TESTS_PATCHED_CHILD_H
#define PROF_TESTS_PATCHED_CHILD_H

#include "decoder.h"
#include "patched_program.h"
#include "patching/patch_counts.h"
#include "patching/patches.h"
#include "target/detour.h"
#include "target/process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#define CALL(function) (*(__typeof__(function) *volatile *)&(__typeof__(function) *){function})

enum { PATCHED_CHILD_MOST = 5000, PATCHED_CHILD_PAGE = 4096 };

/* Where no kernel maps anything by itself. */
#define PATCHED_CHILD_CONTROL UINT64_C(0x3e0000000000)

/* Bytes for records that the blocks of the next child have. */
extern uint32_t patched_child_records;
uint32_t patched_child_records;

struct patched_child {
	pid_t pid;
	struct prof_stub_settings settings;
	enum prof_stub_part kind; /* of the stubs that functions get */
	struct prof_patches *patches;
	struct prof_process process;
	struct prof_target memory;
	struct prof_detour detour;
};

static inline void *patched_child_memory(size_t size, int access)
{
	void *memory = mmap(NULL, size, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	return memory;
}

static inline void patched_child_await(const struct patched_child *child, int number)
{
	int status;

	ck_assert_int_eq(waitpid(child->pid, &status, __WALL), child->pid);
	ck_assert_msg(WIFSTOPPED(status) && WSTOPSIG(status) == number, "status %x", status);
}

static inline void patched_child_go(const struct patched_child *child)
{
	ck_assert_int_eq(ptrace(PTRACE_CONT, child->pid, NULL, NULL), 0);
}

/* The child goes on, and stops itself again. */
static inline void patched_child_turn(const struct patched_child *child)
{
	patched_child_go(child);
	patched_child_await(child, SIGSTOP);
}

/* What the child calls to stop. */
static inline void patched_child_stop(void)
{
	kill(getpid(), SIGSTOP);
}

/* Starts a child that stops and then runs FUNCTION; the result of that is its exit code. */
static inline void patched_child_start(
	struct patched_child *child, int (*function)(void), uint32_t functions)
{
	unsigned char code[PROF_DETOUR_CODE];
	char *detour =
		patched_child_memory(2 * PATCHED_CHILD_PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);

	*child = (struct patched_child){
		.settings = {
			.thread = (int32_t)((char *)&patched_word - patched_thread_pointer()),
			.shadow = PROF_STUB_SHADOW,
			.records = patched_child_records,
			.functions = functions,
			.callers = 1 << 8,
		}};
	child->settings.control = PATCHED_CHILD_CONTROL;
	child->pid = fork();
	if (!child->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		patched_child_stop();
		_exit(function());
	}
	patched_child_await(child, SIGSTOP);
	ck_assert_int_eq(ptrace(PTRACE_SETOPTIONS, child->pid, NULL,
				 (void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE)),
		0);
	prof_process_init(&child->process, child->pid);
	child->memory = prof_process_target(&child->process);
	child->detour = (struct prof_detour){.process = child->pid,
		.code = (uintptr_t)detour,
		.data = (uintptr_t)detour + PATCHED_CHILD_PAGE,
		.marks = true};
	prof_detour_build(&child->detour, code);
	ck_assert_ok(prof_process_write(child->pid, child->detour.code, code, sizeof code));
	ck_assert_ok(prof_patches_create(child->pid, &child->settings, &child->patches));
}

/* Has it map what it lacks. */
static inline void patched_child_map(struct patched_child *child)
{
	ck_assert(prof_patches_map(child->patches, &child->detour, child->pid));
}

static inline enum prof_obstacle patched_child_try(
	struct patched_child *child, uint64_t address, uint32_t *number)
{
	enum prof_obstacle obstacle;

	ck_assert_ok(prof_patches_add(child->patches, address, child->kind, number, &obstacle));
	ck_assert_int_eq(*number == 0, obstacle != PROF_OBSTACLE_NONE);
	return obstacle;
}

/* Adds FUNCTION, which can be patched; its number. */
static inline uint32_t patched_child_add(struct patched_child *child, const void *function)
{
	uint32_t number;

	ck_assert_int_eq(
		patched_child_try(child, (uintptr_t)function, &number), PROF_OBSTACLE_NONE);
	return number;
}

static inline uint64_t patched_child_counted(const struct patched_child *child, uint32_t number)
{
	static uint64_t counts[PATCHED_CHILD_MOST];
	uint32_t count = prof_patches_count(child->patches);

	ck_assert_uint_le(number, count);
	ck_assert_ok(prof_patch_counts_read(&child->memory, &child->settings, counts, count));
	return counts[number - 1];
}

/* Has it the LENGTH bytes at FUNCTION that this program has? */
static inline bool patched_child_same(
	const struct patched_child *child, const void *function, size_t length)
{
	unsigned char bytes[64];

	ck_assert_uint_le(length, sizeof bytes);
	ck_assert(prof_process_read(child->pid, (uintptr_t)function, bytes, length));
	return !memcmp(bytes, function, length);
}

/* Lets it end by itself, which must go well. */
static inline void patched_child_finish(struct patched_child *child)
{
	int status;

	patched_child_go(child);
	ck_assert_int_eq(waitpid(child->pid, &status, 0), child->pid);
	ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status), "status %x", status);
	prof_patches_destroy(child->patches);
}

#endif
