/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/family.h"

#include "base/search.h"
#include "sampling/perf_task.h"

#include <stdlib.h>
#include <string.h>

/* Both tables are arrays of pointers to structs that begin with an id, sorted by that. */
static pid_t id_of(void *const *items, size_t index)
{
	return *(const pid_t *)items[index];
}

/* How many of the COUNT ITEMS have smaller ids than ID. */
static size_t below(void *const *items, size_t count, pid_t id)
{
	size_t smaller;

	PROF_SEARCH(smaller, count, i, id_of(items, i) < id);
	return smaller;
}

static void *find(void *const *items, size_t count, pid_t id)
{
	size_t at = below(items, count, id);

	return at < count && id_of(items, at) == id ? items[at] : NULL;
}

/* Inserts ITEM, which has ID, into the COUNT ITEMS, which have room for it. */
static void insert(void **items, size_t *count, pid_t id, void *item)
{
	size_t at = below(items, *count, id);

	memmove(items + at + 1, items + at, (*count - at) * sizeof *items);
	items[at] = item;
	(*count)++;
}

static void take_out(void **items, size_t *count, pid_t id)
{
	size_t at = below(items, *count, id);

	memmove(items + at, items + at + 1, (--*count - at) * sizeof *items);
}

struct prof_member *prof_family_find(const struct prof_family *family, pid_t process)
{
	return find((void *const *)family->members.items, family->members.count, process);
}

struct prof_member_thread *prof_family_thread(const struct prof_family *family, pid_t thread)
{
	return find((void *const *)family->threads.items, family->threads.count, thread);
}

static void remove_member(struct prof_family *family, struct prof_member *member)
{
	take_out((void **)family->members.items, &family->members.count, member->process);
	prof_maps_deinit(&member->maps);
	free(member);
}

void prof_family_remove(struct prof_family *family, struct prof_member_thread *thread)
{
	struct prof_member *member = thread->member;

	take_out((void **)family->threads.items, &family->threads.count, thread->thread);
	free(thread);
	if (!--member->threads)
		remove_member(family, member);
}

/* Removes MEMBER and its threads. */
static void discard(struct prof_family *family, struct prof_member *member)
{
	/* One reference more, so that MEMBER is not freed with its last thread. */
	member->threads++;
	for (size_t i = family->threads.count; i > 0; i--) {
		if (family->threads.items[i - 1]->member == member)
			prof_family_remove(family, family->threads.items[i - 1]);
	}
	remove_member(family, member);
}

void prof_family_deinit(struct prof_family *family)
{
	while (family->threads.count)
		prof_family_remove(family, family->threads.items[0]);
	free(family->threads.items);
	free(family->members.items);
	*family = (struct prof_family){0};
}

/*
 * A new thread of MEMBER, called NAME, born at BORN (0: before).  An older thread with that id has
 * ended unnoticed.
 */
static struct prof_error *add_thread(struct prof_family *family, struct prof_member *member,
	pid_t id, const char *name, int64_t born)
{
	struct prof_member_thread *old = prof_family_thread(family, id);
	struct prof_member_thread *thread = calloc(1, sizeof *thread);

	member->threads++;
	if (old)
		prof_family_remove(family, old);
	if (!thread || !prof_array_reserve(&family->threads, 1)) {
		free(thread);
		member->threads--;
		return prof_error_nomem();
	}
	thread->thread = id;
	thread->member = member;
	strncpy(thread->name, name, sizeof thread->name - 1);
	prof_off_cpu_newborn(&thread->off_cpu, born);
	insert((void **)family->threads.items, &family->threads.count, id, thread);
	return NULL;
}

/* A new member, without threads, whose mappings are MAPS; NULL: none. */
static struct prof_error *add_member(struct prof_family *family, pid_t process,
	const struct prof_maps *maps, struct prof_member **ret)
{
	struct prof_member *member = calloc(1, sizeof *member);

	if (!member || !prof_array_reserve(&family->members, 1)) {
		free(member);
		return prof_error_nomem();
	}
	struct prof_error *error = maps ? prof_maps_copy(&member->maps, maps) : NULL;
	if (error) {
		free(member);
		return error;
	}
	member->process = process;
	insert((void **)family->members.items, &family->members.count, process, member);
	*ret = member;
	return NULL;
}

struct adding {
	struct prof_family *family;
	struct prof_member *member;
	struct prof_error *error;
};

static void add_present(void *context, pid_t thread)
{
	struct adding *adding = context;
	char name[PROF_THREAD_NAME];

	if (adding->error)
		return;
	prof_procfs_name(adding->member->process, thread, name);
	adding->error = add_thread(adding->family, adding->member, thread, name, 0);
}

struct prof_error *prof_family_add(
	struct prof_family *family, pid_t process, struct prof_member **ret)
{
	struct adding adding = {.family = family, .member = prof_family_find(family, process)};

	if (adding.member) {
		*ret = adding.member;
		return NULL;
	}
	struct prof_error *error = add_member(family, process, NULL, &adding.member);
	if (error)
		return error;
	error = prof_maps_read(&adding.member->maps, process);
	if (!error) {
		prof_procfs_threads(process, add_present, &adding);
		error = adding.error;
	}
	if (!error && !adding.member->threads)
		error = prof_error_create(
			PROF_ERROR_SYSTEM, "The process %d has ended.", (int)process);
	if (error)
		discard(family, adding.member);
	else
		*ret = adding.member;
	return error;
}

static struct prof_error *make(struct prof_family *family, const struct prof_perf_task *task)
{
	const struct prof_member *maker = prof_family_find(family, task->maker);
	const struct prof_member_thread *thread = prof_family_thread(family, task->maker_thread);
	struct prof_member *member = prof_family_find(family, task->process);
	const char *name = thread ? thread->name : "";

	if (task->process == task->maker)
		return member ? add_thread(family, member, task->thread, name, task->time) : NULL;
	if (!maker)
		return NULL;
	/* The record of its end was lost, with others. */
	if (member)
		discard(family, member);
	struct prof_error *error = add_member(family, task->process, &maker->maps, &member);
	if (error)
		return error;
	error = add_thread(family, member, task->thread, name, task->time);
	if (error)
		discard(family, member);
	return error;
}

/* All threads of MEMBER but the first have ended, because it executes a program. */
static void remove_others(struct prof_family *family, struct prof_member *member)
{
	for (size_t i = family->threads.count; i > 0; i--) {
		struct prof_member_thread *thread = family->threads.items[i - 1];
		if (thread->member == member && thread->thread != member->process &&
			member->threads > 1)
			prof_family_remove(family, thread);
	}
}

/* The mappings of MEMBER are other ones now. */
static void forget_layout(struct prof_member *member)
{
	member->layout = NULL;
	member->reported = false;
}

static struct prof_error *rename_thread(
	struct prof_family *family, const struct prof_perf_task *task)
{
	struct prof_member *member = prof_family_find(family, task->process);
	struct prof_error *error = NULL;

	if (!member)
		return NULL;
	if (task->kind == PROF_PERF_TASK_EXECUTED) {
		/* The thread that executes the program gets the process's id. */
		if (!prof_family_thread(family, task->process))
			error = add_thread(family, member, task->process, "", 0);
		if (error)
			return error;
		remove_others(family, member);
		prof_maps_deinit(&member->maps);
		forget_layout(member);
	}
	struct prof_member_thread *thread = prof_family_thread(family, task->thread);
	if (thread && task->kind == PROF_PERF_TASK_EXECUTED)
		prof_off_cpu_forget(&thread->off_cpu);
	if (thread) {
		thread->named &= !strncmp(thread->name, task->name, sizeof thread->name - 1);
		strncpy(thread->name, task->name, sizeof thread->name - 1);
	}
	return NULL;
}

static struct prof_error *map(struct prof_family *family, const struct prof_perf_task *task)
{
	struct prof_member *member = prof_family_find(family, task->process);

	if (!member)
		return NULL;
	forget_layout(member);
	return prof_maps_map(&member->maps, &task->mapping);
}

struct prof_error *prof_family_apply(struct prof_family *family, const struct prof_perf_task *task)
{
	struct prof_member_thread *thread;

	switch (task->kind) {
	case PROF_PERF_TASK_MADE:
		return make(family, task);
	case PROF_PERF_TASK_NAMED:
	case PROF_PERF_TASK_EXECUTED:
		return rename_thread(family, task);
	case PROF_PERF_TASK_MAPPED:
		return map(family, task);
	case PROF_PERF_TASK_ENDED:
		thread = prof_family_thread(family, task->thread);
		if (thread) {
			thread->ended = 1;
			thread->end = task->time;
		}
		return NULL;
	case PROF_PERF_TASK_COUNTED:
		thread = prof_family_thread(family, task->thread);
		if (thread)
			thread->counted += task->count;
		return NULL;
	default:
		return NULL;
	}
}

size_t prof_family_living(const struct prof_family *family)
{
	size_t count = 0;

	for (size_t i = 0; i < family->members.count; i++) {
		const struct prof_member *member = family->members.items[i];
		bool lives = false;
		for (size_t j = 0; j < family->threads.count && !member->apart && !lives; j++)
			lives = family->threads.items[j]->member == member &&
				!family->threads.items[j]->ended;
		count += lives;
	}
	return count;
}
