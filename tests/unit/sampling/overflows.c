/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/overflows.h"
#include "target/instruction.h"

#include "../../gdb/pmu/pmu.c"
#include "recording/look.h"
#include "recording/queue.h"
#include "sample_child.h"
#include "sampling/counter.h"
#include "sampling/walker.h"
#include "target/arch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

/* OWN: so many pages at the most a child touches besides, most of them for a sanitizer. */
enum { PAGE = 4096, PAGES = 200, TURNS = 5, OWN = 100, STORES = 50, FEW = 20 };

/* What a child and its parent tell each other. */
static struct {
	atomic_int go, done;
	volatile char *memory; /* that was touched last */
} * shared;

/* A child whose counters overflow; nobody traces it. */
struct scene {
	pid_t child;
	struct prof_queue *queue;
	struct prof_walker *walker;
	struct prof_counters counters;
	struct prof_overflows *overflows;

	/* What was told: events by counter, of them without a stack, and threads. */
	int64_t events[2], unknown, touches; /* TOUCHES: with their callers */
	uint64_t told[2], lost, named;
	/* Of looks at data: all, and those at what is known to be accessed, once each. */
	uint32_t triggers[PROF_TRIGGERS];
	uint32_t stores, pages;
	bool touched[PAGES];
};

__attribute__((noinline)) static void touch(long pages)
{
	volatile char *memory = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	shared->memory = memory;
	madvise((void *)memory, (size_t)pages * PAGE, MADV_NOHUGEPAGE);
	for (long i = 0; i < pages; i++)
		memory[i * PAGE] = 1;
	munmap((void *)memory, (size_t)pages * PAGE);
}

/* Touches pages whenever it is told to. */
static void touch_when_told(void)
{
	for (int turn = 1;; turn++) {
		while (atomic_load(&shared->go) < turn)
			;
		touch(PAGES);
		atomic_store(&shared->done, turn);
	}
}

/* Touches some, and is another program before anybody looks. */
static void touch_and_exec(void)
{
	while (!atomic_load(&shared->go))
		;
	touch(FEW);
	execl("/bin/sleep", "sleep", "1000", (char *)NULL);
	_exit(1);
}

static void *touch_once(void *context)
{
	touch(PAGES);
	return context;
}

static void *touch_and_stay(void *context)
{
	touch(FEW);
	atomic_store(&shared->done, 1);
	child_sleep();
	return context;
}

static void touch_in_threads(void)
{
	pthread_t thread;

	while (!atomic_load(&shared->go))
		;
	for (int i = 0; i < TURNS; i++) {
		pthread_create(&thread, NULL, touch_once, NULL);
		pthread_join(thread, NULL);
		pause_ms(10);
	}
	touch(FEW);
	/* Names are those of threads that still live when samples are read. */
	pthread_create(&thread, NULL, touch_and_stay, NULL);
	child_sleep();
}

/* What is stored to. */
static volatile uint64_t slots[2];

/* Stores, and the address that the first counter has is not that of the second. */
static void store_when_told(void)
{
	for (int turn = 1;; turn++) {
		while (atomic_load(&shared->go) < turn)
			;
		for (int i = 0; i < STORES; i++) {
			slots[0] = (uint64_t)i;
			slots[1] = (uint64_t)i;
		}
		atomic_store(&shared->done, turn);
	}
}

static bool can_decode(void)
{
	struct prof_error *error = prof_instruction_available();

	prof_error_destroy(error);
	return !error;
}

/* Has this machine data breakpoints? */
static bool has_breakpoints(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof attr,
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)&slots[0],
		.bp_len = HW_BREAKPOINT_LEN_8,
		.sample_period = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1};
	AUTO_CLOSE int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	return fd >= 0;
}

/* False: the kernel permits nothing here. */
static bool start(struct scene *scene, void (*function)(void), const char *counters)
{
	struct prof_error *why;
	enum prof_perf_scope scope = prof_perf_scope(prof_arch_native(), &why);

	prof_error_destroy(why);
	if (scope == PROF_PERF_NOTHING)
		return false;
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*scene = (struct scene){.child = child_start(function)};
	ck_assert_ok(prof_counters_read(counters, &scene->counters));
	ck_assert_ok(prof_queue_create(1 << 24, &scene->queue));
	ck_assert_ok(prof_walker_create(scene->child, 64, scene->queue, &scene->walker));
	const struct prof_overflows_options options = {
		.process = scene->child,
		.counters = &scene->counters,
		.scope = scope,
		.names = true,
		.walker = scene->walker,
		.queue = scene->queue,
	};
	ck_assert_ok(prof_overflows_create(&options, &scene->overflows));
	return true;
}

static void finish(struct scene *scene)
{
	prof_overflows_destroy(scene->overflows);
	prof_walker_destroy(scene->walker);
	prof_queue_destroy(scene->queue);
	prof_counters_deinit(&scene->counters);
	children_end();
	munmap(shared, PAGE);
}

/* Fails unless there is a store to the first slot at ADDRESS of the child, whose code is ours. */
static void check_store(uint64_t address)
{
	const struct prof_registers none = {0};
	struct prof_instruction store;
	uint64_t to;

	ck_assert(prof_instruction_decode((const unsigned char *)address, 15, address, &store));
	ck_assert_uint_eq(store.access, PROF_ACCESS_STORE);
	if (prof_operand_address(&store.operands[0], &none, 0, &to))
		ck_assert_uint_eq(to, (uintptr_t)&slots[0]);
}

/* Takes what LOOK tells of data, which it was at FRAME. */
static void take_data(struct scene *scene, const struct prof_look *look, const uint64_t *frames)
{
	uint64_t page = (look->address - (uintptr_t)shared->memory) / PAGE;

	scene->triggers[look->trigger]++;
	if (!look->addressed)
		return;
	if (page < PAGES && look->address % PAGE == 0 && !scene->touched[page]) {
		scene->touched[page] = true;
		scene->pages++;
		if (can_decode())
			ck_assert_uint_eq(look->access, PROF_ACCESS_STORE);
		ck_assert_uint_eq(look->trigger, PROF_TRIGGER_EXACT);
		ck_assert_uint_eq(look->skid, 0);
	}
	if (look->address == (uintptr_t)&slots[0] && look->trigger == PROF_TRIGGER_FOUND) {
		scene->stores++;
		ck_assert_uint_eq(look->access, PROF_ACCESS_STORE);
		ck_assert_uint_eq(look->skid, 1);
		check_store(*frames);
	}
}

/* Is the innermost of FRAMES, of the child before it was another program, in touch()? */
static bool is_in_touch(const uint64_t *frames)
{
	return *frames - (uintptr_t)touch < 4096;
}

static void take(struct scene *scene)
{
	struct prof_message message;
	const void *data;

	while (prof_queue_take(scene->queue, &message, &data)) {
		if (message.kind == PROF_MESSAGE_LOOK) {
			ck_assert_int_eq(message.look.process, scene->child);
			ck_assert_uint_gt(message.look.counter, 0);
			ck_assert_uint_eq(message.look.samples, 0);
			scene->events[message.look.counter - 1] += message.look.value;
			if (!message.look.depth)
				scene->unknown += message.look.value;
			if (message.look.depth > 2 && is_in_touch(data))
				scene->touches += message.look.value;
			if (message.look.trigger)
				take_data(scene, &message.look, data);
		} else if (message.kind == PROF_MESSAGE_OVERFLOWS) {
			scene->told[message.overflows.counter] += message.overflows.overflows;
			scene->lost += message.overflows.lost;
		} else if (message.kind == PROF_MESSAGE_THREAD) {
			scene->named++;
		}
	}
}

/* Has the child do the work number TURN, counted or not. */
static void work(const struct scene *scene, int turn, bool counted)
{
	if (counted)
		prof_overflows_release(scene->overflows);
	atomic_store(&shared->go, turn);
	while (atomic_load(&shared->done) < turn)
		pause_ms(1);
	prof_overflows_hold(scene->overflows);
}

START_TEST(each_fault_is_a_sample)
{
	struct scene scene;

	if (!start(&scene, touch_when_told, "page-faults"))
		return;
	work(&scene, 1, false);
	take(&scene);
	ck_assert_int_eq(scene.events[0], 0);
	for (int turn = 2; turn < 2 + TURNS; turn++)
		work(&scene, turn, true);
	take(&scene);
	ck_assert_int_ge(scene.events[0], TURNS * PAGES);
	ck_assert_int_le(scene.events[0], TURNS * PAGES + OWN);
	ck_assert_int_eq(scene.unknown, (int64_t)scene.lost);
	ck_assert_uint_eq(scene.told[0], (uint64_t)scene.events[0]);
	ck_assert_uint_eq(scene.named, 1);
	finish(&scene);
}
END_TEST

START_TEST(threads_inherit_the_counters)
{
	struct scene scene;

	if (!start(&scene, touch_in_threads, "page-faults"))
		return;
	work(&scene, 1, true);
	take(&scene);
	ck_assert_int_ge(scene.events[0], TURNS * PAGES + 2 * FEW);
	ck_assert_uint_ge(scene.named, 2);
	finish(&scene);
}
END_TEST

START_TEST(a_sample_stands_for_an_interval)
{
	struct scene scene;

	if (!start(&scene, touch_when_told, "page-faults:7,minor-faults:50"))
		return;
	for (int turn = 1; turn <= TURNS; turn++)
		work(&scene, turn, true);
	take(&scene);
	for (int i = 0; i < 2; i++) {
		int64_t interval = scene.counters.list.items[i].interval;
		ck_assert_int_eq(scene.events[i], (int64_t)scene.told[i] * interval);
		ck_assert_int_gt(scene.events[i], TURNS * PAGES - interval - 1);
		ck_assert_int_le(scene.events[i], TURNS * PAGES + OWN);
	}
	finish(&scene);
}
END_TEST

/* Faults that come faster than the kernel samples are known by their number. */
START_TEST(what_is_left_out_is_told)
{
	struct scene scene;

	if (!start(&scene, touch_when_told, "page-faults"))
		return;
	prof_overflows_release(scene.overflows);
	for (int turn = 1; turn <= 100; turn++) {
		atomic_store(&shared->go, turn);
		while (atomic_load(&shared->done) < turn)
			;
	}
	prof_overflows_hold(scene.overflows);
	take(&scene);
	ck_assert_int_ge(scene.events[0], 100 * PAGES);
	ck_assert_int_le(scene.events[0], 100 * PAGES + OWN);
	ck_assert_int_eq(scene.unknown, (int64_t)scene.lost);
	finish(&scene);
}
END_TEST

/* Each fault is at its instruction, and at its page. */
START_TEST(faults_have_the_address_of_the_data)
{
	struct scene scene;

	if (!start(&scene, touch_when_told, "+page-faults"))
		return;
	work(&scene, 1, true);
	/* The memory is there no more, but where it was is. */
	take(&scene);
	ck_assert_uint_ge(scene.pages + scene.lost, PAGES);
	ck_assert_uint_eq(scene.triggers[PROF_TRIGGER_EXACT] + scene.triggers[PROF_TRIGGER_CALL],
		(uint64_t)scene.events[0] - (uint64_t)scene.unknown);
	finish(&scene);
}
END_TEST

/* A store is met an instruction late, by a breakpoint, and found again. */
START_TEST(stores_are_searched_for)
{
	struct scene scene;

	pmu_stored = (uintptr_t)&slots[0];
	if (!can_decode() || !has_breakpoints() || !start(&scene, store_when_told, "+dcw:1"))
		return;
	work(&scene, 1, true);
	take(&scene);
	ck_assert_uint_eq(scene.stores + scene.lost, STORES);
	ck_assert_uint_eq(scene.triggers[PROF_TRIGGER_FOUND], scene.stores);
	finish(&scene);
}
END_TEST

/* Counters that were not asked for it have no data. */
START_TEST(data_is_told_only_when_it_is_asked_for)
{
	struct scene scene;

	if (!start(&scene, touch_when_told, "page-faults"))
		return;
	work(&scene, 1, true);
	take(&scene);
	ck_assert_int_ge(scene.events[0], PAGES);
	ck_assert_uint_eq(scene.pages, 0);
	for (size_t i = 0; i < PROF_TRIGGERS; i++)
		ck_assert_uint_eq(scene.triggers[i], 0);
	finish(&scene);
}
END_TEST

START_TEST(what_was_before_an_exec_has_its_stacks)
{
	struct scene scene;
	char name[PROF_THREAD_NAME] = "";

	if (!start(&scene, touch_and_exec, "page-faults"))
		return;
	prof_walker_read(scene.walker);
	prof_overflows_release(scene.overflows);
	atomic_store(&shared->go, 1);
	while (strcmp(name, "sleep") != 0) {
		pause_ms(1);
		prof_procfs_name(scene.child, scene.child, name);
	}
	prof_overflows_hold(scene.overflows);
	take(&scene);
	ck_assert_int_ge(scene.touches, FEW);
	finish(&scene);
}
END_TEST

RUN_TESTS("overflows", each_fault_is_a_sample, threads_inherit_the_counters,
	a_sample_stands_for_an_interval, what_is_left_out_is_told,
	faults_have_the_address_of_the_data, stores_are_searched_for,
	data_is_told_only_when_it_is_asked_for, what_was_before_an_exec_has_its_stacks)
