/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/walker.h"

#include "recording/look.h"
#include "recording/queue.h"
#include "sample_child.h"
#include "target/arch.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DEPTH = 64 };

/* A child that sleeps in a call of its own, and a walker for it. */
struct scene {
	pid_t child;
	struct prof_queue *queue;
	struct prof_walker *walker;
	struct prof_stack stack;
};

static __attribute__((noinline)) void sleep_deep(int depth)
{
	if (depth)
		sleep_deep(depth - 1);
	else
		pause();
	__asm__ volatile("" ::: "memory");
}

static void sleep_in_ten(void)
{
	sleep_deep(9);
	__asm__ volatile("" ::: "memory");
}

static struct scene start(size_t max_depth)
{
	struct scene scene = {.child = child_start(sleep_in_ten)};

	child_await(scene.child, 'S');
	ck_assert_ok(prof_queue_create(1 << 20, &scene.queue));
	ck_assert_ok(prof_walker_create(scene.child, max_depth, scene.queue, &scene.walker));
	ck_assert_uint_eq(prof_walker_max_depth(scene.walker), max_depth);
	ck_assert_ok(prof_stack_init(&scene.stack, max_depth));
	return scene;
}

static void finish(struct scene *scene)
{
	prof_stack_deinit(&scene->stack);
	prof_walker_destroy(scene->walker);
	prof_queue_destroy(scene->queue);
	children_end();
}

/* The registers of THREAD of PROCESS, which sleeps. */
static struct prof_registers asleep(pid_t process, pid_t thread)
{
	struct prof_wait wait;
	AUTO_CLOSE int fd = prof_procfs_open(process, thread, "syscall");

	ck_assert_int_ge(fd, 0);
	ck_assert(prof_wait_read(fd, prof_arch_native(), &wait));
	return prof_walker_asleep(wait.sp, wait.pc);
}

/* How many frames of STACK are in the function around ADDRESS. */
static size_t count_in(struct scene *scene, const void *function)
{
	uint64_t low, high;
	size_t count = 0;

	ck_assert(prof_walker_bounds(scene->walker, (uint64_t)(uintptr_t)function, &low, &high));
	for (size_t i = 0; i < scene->stack.depth; i++)
		count += scene->stack.frames[i] >= low && scene->stack.frames[i] < high;
	return count;
}

START_TEST(sleeping_thread_is_walked_without_being_touched)
{
	struct scene scene = start(DEPTH);
	uint64_t slices = thread_schedstat(scene.child, scene.child).slices;
	struct prof_registers registers = asleep(scene.child, scene.child);

	prof_walker_walk(scene.walker, &registers, &scene.stack);
	ck_assert_int_eq(scene.stack.end, PROF_STACK_WHOLE);
	ck_assert_uint_eq(scene.stack.frames[0], registers.pc);
	ck_assert_uint_eq(count_in(&scene, (void *)sleep_deep), 10);
	ck_assert_uint_eq(count_in(&scene, (void *)sleep_in_ten), 1);
	ck_assert_uint_eq(thread_schedstat(scene.child, scene.child).slices, slices);
	finish(&scene);
}
END_TEST

START_TEST(deeper_stack_than_there_is_room_is_truncated)
{
	struct scene scene = start(3);
	struct prof_registers registers = asleep(scene.child, scene.child);

	prof_walker_walk(scene.walker, &registers, &scene.stack);
	ck_assert_uint_eq(scene.stack.depth, 3);
	ck_assert_int_eq(scene.stack.end, PROF_STACK_TRUNCATED);
	finish(&scene);
}
END_TEST

/* Takes all messages: how many there are of each kind; the last look in *LOOK. */
static void take(struct scene *scene, unsigned counts[], struct prof_message *look)
{
	struct prof_message message;
	const void *data;

	memset(counts, 0, (PROF_MESSAGE_FIGURES + 1) * sizeof *counts);
	while (prof_queue_take(scene->queue, &message, &data)) {
		counts[message.kind]++;
		if (message.kind != PROF_MESSAGE_LOOK)
			continue;
		*look = message;
		ck_assert_uint_eq(message.size, message.look.depth * sizeof(uint64_t));
		ck_assert_int_eq(memcmp(data, scene->stack.frames, message.size), 0);
	}
}

START_TEST(what_is_mapped_is_told_once_before_the_first_look)
{
	struct scene scene = start(DEPTH);
	struct prof_registers registers = asleep(scene.child, scene.child);
	struct prof_look look = {.thread = scene.child, .samples = 7};
	struct prof_message last;
	unsigned counts[PROF_MESSAGE_FIGURES + 1];

	prof_walker_walk(scene.walker, &registers, &scene.stack);
	prof_walker_put(scene.walker, &look, &scene.stack);
	take(&scene, counts, &last);
	ck_assert_uint_eq(counts[PROF_MESSAGE_UNMAP], 1);
	ck_assert_uint_gt(counts[PROF_MESSAGE_MAPPING], 1);
	ck_assert_uint_eq(counts[PROF_MESSAGE_LOOK], 1);
	ck_assert_uint_eq(last.look.samples, 7);
	ck_assert_uint_eq(last.look.depth, scene.stack.depth);

	prof_walker_put(scene.walker, &look, &scene.stack);
	take(&scene, counts, &last);
	ck_assert_uint_eq(counts[PROF_MESSAGE_UNMAP] + counts[PROF_MESSAGE_MAPPING], 0);
	ck_assert_uint_eq(counts[PROF_MESSAGE_LOOK], 1);

	/* Read again, it is the same. */
	prof_walker_flush(scene.walker);
	prof_walker_walk(scene.walker, &registers, &scene.stack);
	prof_walker_put(scene.walker, &look, &scene.stack);
	take(&scene, counts, &last);
	ck_assert_uint_eq(counts[PROF_MESSAGE_UNMAP] + counts[PROF_MESSAGE_MAPPING], 0);
	finish(&scene);
}
END_TEST

START_TEST(knows_what_is_mapped_where)
{
	struct scene scene = start(DEPTH);
	uint64_t address = (uint64_t)(uintptr_t)sleep_deep;
	char path[4096] = "";

	ck_assert_int_gt(readlink("/proc/self/exe", path, sizeof path - 1), 0);
	ck_assert(prof_walker_maps(scene.walker, address, path));
	ck_assert(!prof_walker_maps(scene.walker, address, "/bin/true"));
	ck_assert(!prof_walker_maps(scene.walker, 1, path));
	finish(&scene);
}
END_TEST

static struct scene shared_scene;

static void *walk_many(void *registers)
{
	struct prof_stack stack;

	ck_assert_ok(prof_stack_init(&stack, DEPTH));
	for (int i = 0; i < 2000; i++) {
		prof_walker_walk(shared_scene.walker, registers, &stack);
		ck_assert_uint_eq(stack.depth, shared_scene.stack.depth);
		ck_assert_int_eq(memcmp(stack.frames, shared_scene.stack.frames,
					 stack.depth * sizeof *stack.frames),
			0);
		if (i % 100 == 0)
			prof_walker_flush(shared_scene.walker);
	}
	prof_stack_deinit(&stack);
	return NULL;
}

START_TEST(two_threads_walk_at_once)
{
	pthread_t thread;

	shared_scene = start(DEPTH);
	struct prof_registers registers = asleep(shared_scene.child, shared_scene.child);
	prof_walker_walk(shared_scene.walker, &registers, &shared_scene.stack);
	ck_assert_int_eq(pthread_create(&thread, NULL, walk_many, &registers), 0);
	walk_many(&registers);
	pthread_join(thread, NULL);
	finish(&shared_scene);
}
END_TEST

START_TEST(process_that_is_gone_has_no_stack_but_its_place)
{
	struct scene scene = start(DEPTH);
	struct prof_registers registers = asleep(scene.child, scene.child);

	children_end();
	prof_walker_walk(scene.walker, &registers, &scene.stack);
	ck_assert_uint_le(scene.stack.depth, 1);
	finish(&scene);
}
END_TEST

START_TEST(frames_are_pushed_inside_of_others)
{
	const uint64_t inner[] = {11, 12, 13, 14, 15, 16, 17, 18, 19};
	const uint64_t first[] = {11, 12, 1, 2}, second[] = {11, 11, 12, 1};
	struct prof_stack stack = {.depth = 0};

	ck_assert_ok(prof_stack_init(&stack, 4));
	stack.depth = 2;
	stack.frames[0] = 1;
	stack.frames[1] = 2;
	prof_stack_push(&stack, inner, 2);
	ck_assert_uint_eq(stack.depth, 4);
	ck_assert_mem_eq(stack.frames, first, sizeof first);
	ck_assert_int_eq(stack.end, PROF_STACK_WHOLE);
	/* The outermost one goes. */
	prof_stack_push(&stack, inner, 1);
	ck_assert_uint_eq(stack.depth, 4);
	ck_assert_mem_eq(stack.frames, second, sizeof second);
	ck_assert_int_eq(stack.end, PROF_STACK_TRUNCATED);
	prof_stack_push(&stack, inner, 9);
	ck_assert_uint_eq(stack.depth, 4);
	ck_assert_mem_eq(stack.frames, inner, sizeof first);
	prof_stack_deinit(&stack);
}
END_TEST

/* This program once more, as code. */
static void *map_code(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);
	AUTO_CLOSE int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	ck_assert_int_gt(length, 0);
	ck_assert_ptr_ne(code, MAP_FAILED);
	path[length] = '\0';
	return code;
}

START_TEST(what_was_mapped_is_kept_until_it_is_read_again)
{
	struct prof_queue *queue;
	struct prof_walker *walker;
	char path[4096];

	ck_assert_ok(prof_queue_create(1 << 20, &queue));
	ck_assert_ok(prof_walker_create(getpid(), DEPTH, queue, &walker));
	prof_walker_read(walker);
	prof_walker_freeze(walker);
	uint64_t code = (uint64_t)(uintptr_t)map_code(path, sizeof path);
	prof_walker_flush(walker);
	ck_assert(!prof_walker_maps(walker, code, path));
	prof_walker_read(walker);
	ck_assert(prof_walker_maps(walker, code, path));
	/* Before, it is read when it is needed. */
	code = (uint64_t)(uintptr_t)map_code(path, sizeof path);
	ck_assert(!prof_walker_maps(walker, code, path));
	prof_walker_flush(walker);
	ck_assert(prof_walker_maps(walker, code, path));
	prof_walker_destroy(walker);
	prof_queue_destroy(queue);
}
END_TEST

RUN_TESTS("walker", frames_are_pushed_inside_of_others,
	sleeping_thread_is_walked_without_being_touched,
	deeper_stack_than_there_is_room_is_truncated,
	what_is_mapped_is_told_once_before_the_first_look, knows_what_is_mapped_where,
	what_was_mapped_is_kept_until_it_is_read_again, two_threads_walk_at_once,
	process_that_is_gone_has_no_stack_but_its_place)
