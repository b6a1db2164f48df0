/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that are counted by caller, of random call graphs: the functions count themselves, too, and
 * know who has called them.
 */
#include "patching/patch_counts.h"

#include "decoder.h"
#include "patched_program.h"

#ifdef __x86_64__

#include "stepped.h"
#include "target/process.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLEES = 8, SITES = 5000, SITE = 16, BEHIND = 2, LARGE = 1 << 14, SMALL = 256 };

/* Calls FUNCTION with ARGUMENT from the call instruction NUMBER of SITES, each of which has SITE
 * bytes. */
uint64_t call_from(uint64_t number, uint64_t (*function)(uint64_t argument), uint64_t argument);
extern const char call_sites[];
/* Has odd() find 0 where its return address would be. */
uint64_t calling_odd(uint64_t argument);
uint64_t odd(uint64_t argument);

__asm__(".text\n"
	".type call_from,@function\n"
	"call_from:\n	.cfi_startproc\n"
	"	sub $8,%rsp\n	.cfi_def_cfa_offset 16\n"
	"	shl $4,%rdi\n	lea call_sites(%rip),%rax\n	add %rdi,%rax\n"
	"	mov %rdx,%rdi\n	jmp *%rax\n"
	"	.balign 16\n"
	"call_sites:\n"
	"	.rept 5000\n	call *%rsi\n	add $8,%rsp\n	ret\n	.balign 16\n	.endr\n"
	"	.cfi_endproc\n	.size call_from,.-call_from\n"
	".type calling_odd,@function\n"
	"calling_odd:\n	.cfi_startproc\n"
	"	pushq $0\n	jmp odd\n	.cfi_endproc\n	.size calling_odd,.-calling_odd\n"
	".type odd,@function\n"
	"odd:\n	.cfi_startproc\n"
	"	lea 7(%rdi),%rax\n	inc %rax\n	add $8,%rsp\n	ret\n"
	"	.cfi_endproc\n	.size odd,.-odd\n");

/* What the functions have counted, by number of the function and the call site. */
static uint64_t own[CALLEES][SITES];
static uint64_t (*const callees[CALLEES])(uint64_t depth);
/* Calls come from so many sites. */
static unsigned sites_used;
static __thread uint64_t seed;

static unsigned draw(unsigned below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 32) % below;
}

/* Some call sites are used more often than others. */
static uint64_t call_any(uint64_t depth)
{
	unsigned site = draw(draw(sites_used) + 1);

	return call_from(site, callees[draw(CALLEES)], depth);
}

KEPT static uint64_t go_on(unsigned callee, const void *caller, uint64_t depth)
{
	uint64_t calls = 1;
	size_t site = ((uintptr_t)caller - (uintptr_t)call_sites) / SITE;

	__atomic_fetch_add(&own[callee][site], 1, __ATOMIC_RELAXED);
	for (unsigned i = depth ? draw(4) : 0; i > 0; i--)
		calls += call_any(depth - 1);
	return calls;
}

#define CALLEE(number)                                                    \
	KEPT static uint64_t callee##number(uint64_t depth)               \
	{                                                                 \
		return go_on(number, __builtin_return_address(0), depth); \
	}
CALLEE(0)
CALLEE(1)
CALLEE(2)
CALLEE(3)
CALLEE(4)
CALLEE(5)
CALLEE(6)
CALLEE(7)

static uint64_t (*const callees[CALLEES])(uint64_t depth) = {
	callee0, callee1, callee2, callee3, callee4, callee5, callee6, callee7};

static uint64_t caller_of(size_t site)
{
	return (uintptr_t)call_sites + site * SITE + BEHIND;
}

/* All callees have stubs that count by caller, with a table of so many CALLERS. */
static struct patched *begin_sized(uint32_t records, uint32_t callers)
{
	struct patched *patched = patched_open_sized((const void *)call_from, records, callers);

	memset(own, 0, sizeof own);
	for (uint32_t i = 0; i < CALLEES; i++)
		ck_assert_uint_eq(
			patched_add(patched, (const void *)callees[i], PROF_STUB_COUNT_CALLERS),
			i + 1);
	patched_begin(patched);
	return patched;
}

static struct patched *begin(uint32_t callers)
{
	return begin_sized(0, callers);
}

/* So many calls of the callees, at least, from SITES_OF call sites. */
static void call_some(uint64_t calls, unsigned sites_of)
{
	sites_used = sites_of;
	for (uint64_t done = 0; done < calls;)
		done += call_any(12);
}

struct outcome {
	unsigned known, unknown; /* pairs */
};

/* Compares the counts of one thread, which has one table: a pair is counted exactly, or is unknown.
 */
static struct outcome check_pairs(const struct patched *patched)
{
	PROF_AUTO(prof_patch_callers_deinit) struct prof_patch_callers read = {0};
	struct prof_process process;
	struct outcome outcome = {0};

	ck_assert(!patched_first(patched) || !patched_next(patched_first(patched)));
	prof_process_init(&process, getpid());
	const struct prof_target memory = prof_process_target(&process);
	ck_assert_ok(prof_patch_counts_read_callers(&memory, &patched->settings, CALLEES, &read));
	for (uint32_t i = 0; i < CALLEES; i++) {
		uint64_t missing = 0;
		for (size_t j = 0; j < SITES; j++) {
			uint64_t calls = prof_patch_callers_calls(&read, i + 1, caller_of(j));
			outcome.known += calls != 0;
			outcome.unknown += own[i][j] && !calls;
			missing += calls ? 0 : own[i][j];
			ck_assert_msg(!calls || calls == own[i][j], "%u from %zu: %lu, %lu", i, j,
				(unsigned long)calls, (unsigned long)own[i][j]);
		}
		ck_assert_uint_eq(prof_patch_callers_calls(&read, i + 1, 0), missing);
		ck_assert_uint_eq(patched_unknown(patched, i + 1), missing);
	}
	ck_assert_uint_le(outcome.known, read.items.count);
	ck_assert_uint_le(read.items.count, outcome.known + CALLEES);
	return outcome;
}

START_TEST(random_calls_are_counted_by_caller)
{
	enum { ROUNDS = 10, CALLS = 100000, FEW = 300 };

	for (unsigned round = 1; round <= ROUNDS; round++) {
		seed = round * UINT64_C(0x9e3779b97f4a7c15);
		struct patched *patched = begin(LARGE);
		call_some(CALLS, FEW);
		patched_end(patched);
		struct outcome outcome = check_pairs(patched);
		ck_assert_uint_gt(outcome.known, FEW * CALLEES / 2);
		ck_assert_uint_le(outcome.unknown, outcome.known / 100);
		patched_close(patched);
	}
}
END_TEST

START_TEST(a_full_table_loses_callers_and_no_calls)
{
	enum { CALLS = 400000 };

	seed = 42;
	struct patched *patched = begin(SMALL);
	call_some(CALLS, SITES);
	patched_end(patched);
	struct outcome outcome = check_pairs(patched);
	ck_assert_uint_gt(outcome.known, SMALL * 9 / 10);
	ck_assert_uint_le(outcome.known, SMALL + PROF_STUB_PROBES);
	ck_assert_uint_gt(outcome.unknown, SITES);
	patched_close(patched);
}
END_TEST

static volatile unsigned handled;

static void handle_alarm(int number)
{
	uint64_t interrupted = seed;

	(void)number;
	call_any(4);
	seed = interrupted * 5 + 1;
	handled++;
}

static void check_signals(uint32_t callers)
{
	enum { SIGNALS = 1000, PERIOD_US = 50, CALLS = 1000, MOST = 20000 };
	struct sigaction action = {.sa_handler = handle_alarm, .sa_flags = SA_RESTART};
	const struct itimerval period = {{0, PERIOD_US}, {0, PERIOD_US}}, none = {{0, 0}, {0, 0}};

	seed = 7;
	sites_used = SITES;
	handled = 0;
	struct patched *patched = begin(callers);
	/* A signal that comes while a thread gets its block may give it two. */
	call_any(0);
	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &period, NULL), 0);
	for (unsigned i = 0; handled < SIGNALS && i < MOST; i++)
		call_some(CALLS, SITES);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &none, NULL), 0);
	patched_end(patched);
	ck_assert_uint_gt(handled, 0);
	check_pairs(patched);
	patched_close(patched);
}

START_TEST(signals_come_at_any_time)
{
	check_signals(LARGE);
	check_signals(SMALL);
}
END_TEST

/* At which instruction in the island the handler does something, and what. */
static const struct patched *stepped_in;
static unsigned long island_steps, chosen_step;
static unsigned handler_callee, handler_site, handler_calls;
static bool handler_leaves;
static sigjmp_buf left;

static void do_at_step(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	if (stepped_pc(context) - stepped_in->island.address >= stepped_in->island.code.count ||
		island_steps++ != chosen_step)
		return;
	if (handler_leaves)
		siglongjmp(left, 1);
	for (unsigned i = 0; i < handler_calls; i++)
		call_from(handler_site + i, callees[handler_callee], 0);
}

static uint64_t call_first(uint64_t argument)
{
	return call_from(0, callees[0], argument);
}

/* The entries of the table that have callers. */
static size_t count_entries(const struct patched *patched)
{
	const struct prof_stub_caller *table = patched_table(patched, patched_first(patched));
	size_t used = 0;

	for (size_t i = 0; i < prof_stub_caller_count(&patched->settings); i++)
		used += table[i].caller != 0;
	return used;
}

/* Has the handler make CALLS of CALLEE, from SITE on. */
static void choose(const struct patched *patched, unsigned callee, unsigned site, unsigned calls)
{
	stepped_in = patched;
	handler_callee = callee;
	handler_site = site;
	handler_calls = calls;
	handler_leaves = false;
	stepped_handle(do_at_step);
}

/* Calls callee0() by call_first(), after all entries were set to FILLING, but for that at FREE. */
static void step_once(struct patched *patched, struct prof_stub_caller filling, size_t free_at)
{
	struct prof_stub_caller *table = patched_table(patched, patched_first(patched));

	for (size_t i = 0; i < prof_stub_caller_count(&patched->settings); i++)
		table[i] = filling;
	table[free_at] = (struct prof_stub_caller){0, 0};
	memset(own, 0, sizeof own);
	for (uint32_t i = 1; i <= CALLEES; i++)
		*(uint64_t *)((char *)(uintptr_t)patched_first(patched) +
			prof_stub_counter(&patched->settings, i)) = 0;
	island_steps = 0;
	ck_assert_uint_eq(stepped_call(call_first, 0), 1);
	check_pairs(patched);
}

/* The handler calls CALLEE from the same site at each instruction of the first call of callee0().
 */
static void check_steps(unsigned callee)
{
	const struct prof_stub_caller none = {0, 0};
	struct patched *patched = begin(SMALL);

	call_first(0);
	choose(patched, callee, 0, 1);
	for (chosen_step = island_steps = 0; island_steps >= chosen_step; chosen_step++) {
		step_once(patched, none, 0);
		ck_assert_uint_eq(patched_called(patched, 1, caller_of(0)), own[0][0]);
		/* No pair has two entries. */
		ck_assert_uint_eq(count_entries(patched), callee && own[callee][0] ? 2 : 1);
	}
	ck_assert_uint_gt(chosen_step, 40);
	patched_end(patched);
	patched_close(patched);
}

START_TEST(a_handler_may_make_the_same_entry)
{
	check_steps(0);
	check_steps(1);
}
END_TEST

START_TEST(a_handler_may_take_the_last_free_entry)
{
	enum { MANY = 1000 };
	/* What no call of the test has. */
	const struct prof_stub_caller other = {1, (uint64_t)(CALLEES + 1) << PROF_STUB_CALLS_BITS};
	struct patched *patched = begin(SMALL);
	unsigned taken = 0;
	size_t own_entry = 0;

	call_first(0);
	while (patched_table(patched, patched_first(patched))[own_entry].caller != caller_of(0))
		own_entry++;
	choose(patched, 1, 1, MANY);
	for (chosen_step = island_steps = 0; island_steps >= chosen_step; chosen_step++) {
		step_once(patched, other, own_entry);
		taken += patched_unknown(patched, 1) != 0;
	}
	ck_assert_uint_gt(taken, 20);
	patched_end(patched);
	patched_close(patched);
}
END_TEST

START_TEST(a_stub_may_be_left_at_each_instruction)
{
	struct patched *patched = begin(SMALL);
	volatile bool goes_on = true;

	stepped_in = patched;
	handler_leaves = true;
	stepped_handle(do_at_step);
	for (chosen_step = 0; goes_on; chosen_step++) {
		island_steps = 0;
		/* Others from the same place take over what was left. */
		handler_callee = chosen_step % CALLEES;
		if (!sigsetjmp(left, 1))
			goes_on = stepped_call(call_first, 0) && island_steps > chosen_step;
		uint64_t calls = patched_called(patched, handler_callee + 1, caller_of(0));
		for (int i = 0; i < 2; i++)
			call_from(0, callees[handler_callee], 0);
		ck_assert_uint_eq(
			patched_called(patched, handler_callee + 1, caller_of(0)), calls + 2);
		ck_assert_uint_le(count_entries(patched), CALLEES);
	}
	ck_assert_uint_gt(chosen_step, 20);
	patched_end(patched);
	patched_close(patched);
}
END_TEST

enum { THREADS = 8, THREAD_CALLS = 50000, THREAD_SITES = 500 };

static void *run_thread(void *number)
{
	seed = *(const uint64_t *)number;
	call_some(THREAD_CALLS, THREAD_SITES);
	return NULL;
}

static void call_in_threads(void)
{
	pthread_t threads[THREADS];
	uint64_t seeds[THREADS];

	for (size_t i = 0; i < THREADS; i++) {
		seeds[i] = (i + 1) * 1000003;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, run_thread, &seeds[i]), 0);
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* The counts of several threads, each of which has a table: sums are exact. */
static void check_sums(const struct patched *patched)
{
	for (uint32_t i = 0; i < CALLEES; i++) {
		uint64_t sum = 0;
		for (size_t j = 0; j < THREAD_SITES; j++)
			sum += own[i][j];
		ck_assert_uint_eq(patched_counted(patched, i + 1), sum);
		ck_assert_uint_le(patched_unknown(patched, i + 1), sum / 10);
		for (size_t j = 0; j < THREAD_SITES; j += 50)
			ck_assert_uint_le(patched_called(patched, i + 1, caller_of(j)), own[i][j]);
	}
}

START_TEST(threads_have_tables_of_their_own)
{
	struct patched *patched = begin(LARGE);

	call_in_threads();
	patched_end(patched);
	check_sums(patched);
	patched_close(patched);
}
END_TEST

/* Makes calls of one function only, between two meetings with the others. */
static pthread_barrier_t barrier;

static void *run_without_block(void *number)
{
	enum { CALLS = 5000, FEW = 100 };
	const unsigned own_callee = *(const unsigned *)number;

	seed = own_callee + 1;
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	for (unsigned i = 0; i < CALLS; i++)
		call_from(draw(FEW), callees[own_callee], 0);
	pthread_barrier_wait(&barrier);
	return NULL;
}

/* Bytes for records that make a block too large for half as much, which is left to all others. */
enum { WIDE = 1 << 30 };

/* Bytes that are mapped in this process. */
static rlim_t mapped(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%lu", &pages), 1);
	fclose(file);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Has threads that were made before memory is short share what is there for all. */
static void call_without_blocks(unsigned count)
{
	const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
	unsigned numbers[THREADS];
	pthread_t threads[THREADS];

	ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, count + 1), 0);
	for (unsigned i = 0; i < count; i++) {
		numbers[i] = i;
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, run_without_block, &numbers[i]), 0);
	}
	pthread_barrier_wait(&barrier);
	const struct rlimit some = {mapped() + WIDE / 2, RLIM_INFINITY};
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &some), 0);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &all), 0);
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

START_TEST(threads_without_blocks_share_a_table)
{
	struct patched *patched = begin_sized(WIDE, LARGE);

	call_without_blocks(1);
	patched_end(patched);
	ck_assert_ptr_null(patched_first(patched));
	ck_assert_uint_eq(check_pairs(patched).unknown, 0);
	patched_close(patched);

	/* Calls may be lost, but none is found that was not made. */
	patched = begin_sized(WIDE, SMALL);
	call_without_blocks(THREADS);
	patched_end(patched);
	ck_assert_ptr_null(patched_first(patched));
	const struct prof_stub_caller *table =
		patched_table(patched, (const void *)(patched->control + PROF_STUB_CONTROL));
	for (size_t i = 0; i < prof_stub_caller_count(&patched->settings); i++) {
		uint32_t function = prof_stub_caller_function(&table[i]);
		size_t site = (table[i].caller - (uintptr_t)call_sites) / SITE;
		if (table[i].caller && function)
			ck_assert_uint_le(
				prof_stub_caller_calls(&table[i]), own[function - 1][site]);
	}
	patched_close(patched);
}
END_TEST

START_TEST(children_count_for_themselves)
{
	enum { CALLS = 20000, FEW = 100 };
	struct patched *patched = begin(LARGE);
	int status;

	seed = 99;
	call_some(CALLS, FEW);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		call_in_threads();
		call_some(CALLS, FEW);
		patched_end(patched);
		check_sums(patched);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	call_some(CALLS, FEW);
	patched_end(patched);
	check_pairs(patched);
	patched_close(patched);
}
END_TEST

START_TEST(without_a_return_address_the_caller_is_unknown)
{
	enum { CALLS = 5 };
	struct patched *patched = patched_open_sized((const void *)odd, 0, SMALL);
	uint32_t number = patched_add(patched, (const void *)odd, PROF_STUB_COUNT_CALLERS);

	patched_begin(patched);
	for (uint64_t i = 0; i < CALLS; i++)
		ck_assert_uint_eq(calling_odd(i), i + 8);
	patched_end(patched);
	ck_assert_uint_eq(patched_unknown(patched, number), CALLS);
	ck_assert_uint_eq(patched_called(patched, number, 0), 0);
	patched_close(patched);
}
END_TEST

RUN_DECODER_TESTS("stub_callers", random_calls_are_counted_by_caller,
	a_full_table_loses_callers_and_no_calls, signals_come_at_any_time,
	a_handler_may_make_the_same_entry, a_handler_may_take_the_last_free_entry,
	a_stub_may_be_left_at_each_instruction, threads_have_tables_of_their_own,
	threads_without_blocks_share_a_table, children_count_for_themselves,
	without_a_return_address_the_caller_is_unknown)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
