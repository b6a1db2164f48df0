/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the functions of a traced child have recorded: how often each has begun and ended. */
#ifndef PROF_TESTS_PATCHED_RECORDED_H
#define PROF_TESTS_PATCHED_RECORDED_H

#include "patched_child.h"
#include "patching/patch_calls.h"
#include "patching/patch_records.h"

enum { RECORDED_FUNCTIONS = 8, RECORDED_BYTES = 1 << 26 };

static struct recorded {
	pid_t process;
	struct prof_patch_records records;
	struct prof_patch_calls calls;
	uint64_t begun[RECORDED_FUNCTIONS], ended[RECORDED_FUNCTIONS], left;
} recorded;

static inline bool recorded_count(void *context, const struct prof_patch_event *event)
{
	struct recorded *counts = context;

	/* An assertion makes a system call, and there are millions of events. */
	if (event->function >= RECORDED_FUNCTIONS)
		return false;
	counts->begun[event->function] += event->kind == PROF_PATCH_CALL;
	counts->ended[event->function] += event->kind == PROF_PATCH_END;
	counts->left += event->kind == PROF_PATCH_LEAVE;
	return true;
}

static inline bool recorded_take(void *context, const struct prof_patch_record *record)
{
	struct recorded *counts = context;

	return prof_patch_calls_add(&counts->calls, record);
}

static inline bool recorded_write(void *context, uint64_t address, uint64_t value)
{
	const struct recorded *counts = context;
	struct prof_error *error =
		prof_process_write(counts->process, address, &value, sizeof value);

	prof_error_destroy(error);
	return !error;
}

/* Before the first record of a child. */
static inline void recorded_begin(void)
{
	prof_patch_records_deinit(&recorded.records);
	prof_patch_calls_deinit(&recorded.calls);
	recorded = (struct recorded){.calls = {.take = recorded_count, .context = &recorded}};
}

/* Reads what is new in CHILD. */
static inline void recorded_read(const struct patched_child *child)
{
	const struct prof_patch_records_process process = {
		.target = &child->memory,
		.settings = &child->settings,
		.write = recorded_write,
		.take = recorded_take,
		.context = &recorded,
	};

	recorded.process = child->pid;
	ck_assert_ok(prof_patch_records_read(&recorded.records, &process));
	ck_assert_uint_eq(recorded.records.lost, 0);
}

/* All calls of FUNCTION, COUNT of them, were recorded, and have ended. */
static inline void recorded_check(
	const struct patched_child *child, uint32_t function, uint64_t count)
{
	recorded_read(child);
	ck_assert_uint_eq(recorded.begun[function], count);
	ck_assert_uint_eq(recorded.ended[function], count);
	ck_assert_uint_eq(recorded.left, 0);
	ck_assert_uint_eq(recorded.calls.returns, 0);
}

#endif
