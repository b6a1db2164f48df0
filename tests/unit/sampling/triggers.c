/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/triggers.h"
#include "target/instruction.h"

#include "recording/look.h"
#include "recording/queue.h"
#include "sampling/counter.h"
#include "sampling/perf_ring.h"
#include "sampling/walker.h"
#include "suite.h"

#include <stdio.h>
#include <unistd.h>

#ifdef __x86_64__

/* Code that nobody calls. */
__asm__(".pushsection .text\n"
	".type searched, @function\n"
	"searched: .cfi_startproc\n"
	"searched_load: mov 8(%rbx,%rcx,4), %rdx\n"
	"searched_store: mov %rdx, 16(%rdi)\n"
	"searched_add: add $1, %rdi\n"
	"searched_nop: nop\n"
	"searched_end: ret\n"
	".cfi_endproc\n"
	".size searched, . - searched\n"
	".popsection\n");
#define CODE(name) extern const char name[] __attribute__((visibility("hidden")))
CODE(searched_load);
CODE(searched_store);
CODE(searched_add);
CODE(searched_nop);
CODE(searched_end);

enum { RDX = 1, RCX, RBX, RDI = 5 };

/* The counters of a recording. */
enum { LOADS, STORES, PRECISE, FAULTS };
static const struct prof_counter counters[] = {
	[LOADS] = {.access = PROF_ACCESS_LOAD, .search = true},
	[STORES] = {.access = PROF_ACCESS_STORE, .search = true},
	[PRECISE] = {.access = PROF_ACCESS_STORE, .search = true, .precise = 1},
	[FAULTS] = {.access = PROF_ACCESS_LOAD_STORE, .search = true, .restarts = true},
};

/* Where the load and the store go with the registers of interrupted_at(). */
static const uint64_t loaded = 0x1000 + 4 * 5 + 8, stored = 0x2000 + 16;

static struct {
	struct prof_queue *queue;
	struct prof_walker *walker;
	struct prof_triggers *triggers;
	/* What was found last. */
	struct prof_look look;
	uint64_t pc;
} scene;

static void start(void)
{
	ck_assert_ok(prof_queue_create(1 << 20, &scene.queue));
	ck_assert_ok(prof_walker_create(getpid(), 8, scene.queue, &scene.walker));
	scene.triggers = prof_triggers_create(scene.walker);
	ck_assert_ptr_nonnull(scene.triggers);
}

static void finish(void)
{
	prof_triggers_destroy(scene.triggers);
	prof_walker_destroy(scene.walker);
	prof_queue_destroy(scene.queue);
}

static struct prof_perf_record interrupted_at(const char *pc)
{
	struct prof_perf_record record = {.kind = PROF_PERF_SAMPLE_TAKEN};

	record.registers.pc = (uintptr_t)pc;
	record.registers.valid = 0xffff;
	record.registers.value[RBX] = 0x1000;
	record.registers.value[RCX] = 5;
	record.registers.value[RDI] = 0x2000;
	return record;
}

/* Finds the trigger of RECORD twice: what was found is remembered. */
static void find(const struct prof_perf_record *record, uint32_t counter)
{
	for (int i = 0; i < 2; i++) {
		struct prof_look look = {.counter = counter + 1};
		scene.pc = record->registers.pc;
		prof_triggers_find(scene.triggers, record, &counters[counter], &look, &scene.pc);
		if (i)
			ck_assert_uint_eq(look.trigger, scene.look.trigger);
		scene.look = look;
	}
}

static void assert_trigger(enum prof_trigger trigger, enum prof_access access, const char *pc)
{
	ck_assert_str_eq(prof_trigger_names[scene.look.trigger], prof_trigger_names[trigger]);
	ck_assert_str_eq(prof_access_names[scene.look.access], prof_access_names[access]);
	ck_assert_uint_eq(scene.pc, (uintptr_t)pc);
}

static void assert_address(uint64_t address)
{
	ck_assert(scene.look.addressed);
	ck_assert_uint_eq(scene.look.address, address);
}

static void assert_no_address(void)
{
	ck_assert(!scene.look.addressed);
	ck_assert_uint_eq(scene.look.address, 0);
}

/* The kernel tells where a fault was, and what of. */
START_TEST(faults_are_at_their_instruction)
{
	struct prof_perf_record record = interrupted_at(searched_load);

	start();
	record.address = loaded + 3;
	find(&record, FAULTS);
	assert_trigger(PROF_TRIGGER_EXACT, PROF_ACCESS_LOAD, searched_load);
	assert_address(loaded + 3);
	record.address = (uintptr_t)searched_load;
	find(&record, FAULTS);
	assert_trigger(PROF_TRIGGER_EXACT, PROF_ACCESS_FETCH, searched_load);
	record.address = loaded + 8;
	find(&record, FAULTS);
	assert_trigger(PROF_TRIGGER_EXACT, PROF_ACCESS_NONE, searched_load);
	assert_address(loaded + 8);
	record.registers.pc = (uintptr_t)searched_store;
	record.address = stored;
	find(&record, FAULTS);
	assert_trigger(PROF_TRIGGER_EXACT, PROF_ACCESS_STORE, searched_store);
	finish();
}
END_TEST

START_TEST(skid_is_searched_through)
{
	struct prof_perf_record record = interrupted_at(searched_add);

	start();
	find(&record, STORES);
	assert_trigger(PROF_TRIGGER_FOUND, PROF_ACCESS_STORE, searched_store);
	assert_address(stored);
	ck_assert_uint_eq(scene.look.skid, 1);
	find(&record, LOADS);
	assert_trigger(PROF_TRIGGER_FOUND, PROF_ACCESS_LOAD, searched_load);
	assert_address(loaded);
	ck_assert_uint_eq(scene.look.skid, 2);
	finish();
}
END_TEST

START_TEST(addresses_by_changed_registers_are_not_told)
{
	struct prof_perf_record record = interrupted_at(searched_nop);

	start();
	find(&record, STORES);
	assert_trigger(PROF_TRIGGER_FOUND, PROF_ACCESS_STORE, searched_store);
	assert_no_address();
	/* But what the CPU tells is true. */
	record.address = 0x7777;
	find(&record, STORES);
	assert_trigger(PROF_TRIGGER_FOUND, PROF_ACCESS_STORE, searched_store);
	assert_address(0x7777);
	finish();
}
END_TEST

/* It was another instruction that has accessed what the CPU tells. */
START_TEST(addresses_can_refute_what_was_found)
{
	struct prof_perf_record record = interrupted_at(searched_add);

	start();
	record.address = stored + 8;
	find(&record, STORES);
	assert_trigger(PROF_TRIGGER_UNRESOLVABLE, PROF_ACCESS_NONE, searched_add);
	assert_address(stored + 8);
	record.address = stored + 7;
	find(&record, STORES);
	assert_trigger(PROF_TRIGGER_FOUND, PROF_ACCESS_STORE, searched_store);
	finish();
}
END_TEST

START_TEST(exact_samples_are_checked)
{
	struct prof_perf_record record = interrupted_at(searched_load);

	start();
	record.exact = true;
	record.address = 0x8888;
	find(&record, LOADS);
	assert_trigger(PROF_TRIGGER_EXACT, PROF_ACCESS_LOAD, searched_load);
	assert_address(0x8888);
	record.address = 0;
	find(&record, LOADS);
	assert_trigger(PROF_TRIGGER_EXACT, PROF_ACCESS_LOAD, searched_load);
	/* Its registers may be those of before, or of after. */
	assert_no_address();
	record.registers.pc = (uintptr_t)searched_add;
	record.address = 0x8888;
	find(&record, LOADS);
	assert_trigger(PROF_TRIGGER_UNSPECIFIED, PROF_ACCESS_NONE, searched_add);
	assert_no_address();
	finish();
}
END_TEST

/* A precise CPU tells the instruction after the trigger: none before that is considered. */
START_TEST(precise_samples_are_one_instruction_late)
{
	struct prof_perf_record record = interrupted_at(searched_add);

	start();
	find(&record, PRECISE);
	assert_trigger(PROF_TRIGGER_FOUND, PROF_ACCESS_STORE, searched_store);
	assert_no_address();
	record.address = 0x6666;
	find(&record, PRECISE);
	assert_trigger(PROF_TRIGGER_FOUND, PROF_ACCESS_STORE, searched_store);
	assert_address(0x6666);
	record.registers.pc = (uintptr_t)searched_end;
	find(&record, PRECISE);
	assert_trigger(PROF_TRIGGER_UNRESOLVABLE, PROF_ACCESS_NONE, searched_end);
	finish();
}
END_TEST

/* Whatever instruction it was. */
START_TEST(what_the_cpu_tells_of_the_data_is_kept)
{
	struct prof_perf_record record = interrupted_at(searched_load);

	start();
	record.address = 0x9000;
	find(&record, STORES);
	assert_trigger(PROF_TRIGGER_UNRESOLVABLE, PROF_ACCESS_NONE, searched_load);
	assert_address(0x9000);
	record.address = 0;
	find(&record, STORES);
	assert_no_address();
	finish();
}
END_TEST

START_TEST(the_kernels_own_accesses_are_known_as_such)
{
	struct prof_perf_record record = interrupted_at(searched_add);

	start();
	record.registers.within = PROF_WITHIN_CALL;
	record.address = 0x9999;
	find(&record, FAULTS);
	assert_trigger(PROF_TRIGGER_CALL, PROF_ACCESS_NONE, searched_add);
	assert_address(0x9999);
	record.address = 0;
	find(&record, LOADS);
	assert_trigger(PROF_TRIGGER_CALL, PROF_ACCESS_NONE, searched_add);
	assert_no_address();
	finish();
}
END_TEST

START_TEST(code_that_is_not_known_verifies_nothing)
{
	struct prof_perf_record record = interrupted_at((const char *)16);

	start();
	find(&record, STORES);
	assert_trigger(PROF_TRIGGER_UNVERIFIABLE, PROF_ACCESS_NONE, (const char *)16);
	/* The kernel is right all the same. */
	record.address = 0x5000;
	find(&record, FAULTS);
	assert_trigger(PROF_TRIGGER_EXACT, PROF_ACCESS_NONE, (const char *)16);
	assert_address(0x5000);
	finish();
}
END_TEST

int main(void)
{
	const TTest *tests[] = {faults_are_at_their_instruction, skid_is_searched_through,
		addresses_by_changed_registers_are_not_told, addresses_can_refute_what_was_found,
		exact_samples_are_checked, precise_samples_are_one_instruction_late,
		what_the_cpu_tells_of_the_data_is_kept, the_kernels_own_accesses_are_known_as_such,
		code_that_is_not_known_verifies_nothing};
	struct prof_error *error = prof_instruction_available();

	if (!error)
		return run_tests("triggers", tests, PROF_COUNT(tests));
	printf("1..0 # SKIP %s\n", prof_error_message(error));
	prof_error_destroy(error);
	return 0;
}

#else

int main(void)
{
	puts("1..0 # SKIP the code is that of x86-64");
	return 0;
}

#endif
