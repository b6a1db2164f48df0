/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent_session.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static struct event events[EVENTS];

static void *volatile kept;

/*
 * One allocation, always from the same place: since gcc 16, calls with a constant would have a copy
 * of the function.
 */
static __attribute__((noinline, noclone)) void allocate(size_t size)
{
	kept = CALL(malloc, size);
}

static __attribute__((noinline)) void release(void *block)
{
	CALL(free, block);
	kept = NULL;
}

/* allocate() is known from now on, and is all of a stack. */
static void know_allocate(void)
{
	allocate(1);
	ck_assert_uint_ge(read_own(events), 1);
	ck_assert_uint_eq(events[0].node, PROF_NODE_NONE);
	add_row(events[0].pc - 1, (struct prof_row_rule){.kind = PROF_ROW_OUTERMOST});
	release(kept);
}

static unsigned count_own(void)
{
	return read_own(events);
}

START_TEST(sleeps_until_it_is_asked)
{
	stage_count = 0;
	prof_agent_begin();
	ck_assert_uint_eq(stage_count, 1);
	ck_assert_uint_eq(stages[0], PROF_AGENT_LOADED);
	ck_assert_uint_eq(prof_agent.version, PROF_RING_VERSION);
	ck_assert_ptr_null(prof_agent.ring);
}
END_TEST

START_TEST(makes_a_ring_and_closes_its_file)
{
	begin((struct prof_agent){
		.families = PROF_FAMILY_HEAP, .chunks = 5, .threshold = 17, .counter = 1});
	ck_assert_uint_eq(stage_count, 2);
	ck_assert_uint_eq(stages[1], PROF_AGENT_READY);
	ck_assert_uint_eq(ring->magic, PROF_RING_MAGIC);
	ck_assert_uint_eq(ring->version, PROF_RING_VERSION);
	ck_assert_uint_eq(ring->chunks, 5);
	ck_assert_uint_eq(ring->threshold, 17);
	ck_assert_uint_eq(ring->families, PROF_FAMILY_HEAP);
	ck_assert_int_eq(fcntl(ring_file, F_GETFD), -1);
	ck_assert_uint_eq(prof_agent.hook_count, PROF_HOOK_COUNT);
	for (unsigned i = 0; i < PROF_HOOK_MPI; i++) {
		ck_assert_ptr_nonnull(prof_agent.hooks[i].real);
		ck_assert_ptr_nonnull(prof_agent.hooks[i].wrapper);
	}
}
END_TEST

START_TEST(counts_what_has_no_room_and_goes_on_when_there_is)
{
	enum { SENT = 20000 };

	begin((struct prof_agent){.families = PROF_FAMILY_HEAP, .chunks = 3, .counter = 1});
	know_allocate();
	struct prof_ring_thread *slot = find_slot((uint32_t)gettid());
	struct reader reader = {0};
	struct event event;
	uint64_t got = 0, sent = 2;
	for (unsigned i = 0; i < SENT; i++, sent++)
		allocate(0);
	ck_assert_uint_gt(slot->lost, 0);
	while (next_event(&reader, slot, true, &event))
		got++;
	ck_assert_uint_eq(got + slot->lost, sent);
	uint64_t lost = slot->lost;
	for (unsigned round = 0; round < 100; round++) {
		for (unsigned i = 0; i < 1000; i++, sent++)
			allocate(0);
		while (next_event(&reader, slot, true, &event))
			got++;
	}
	ck_assert_uint_eq(slot->lost, lost);
	ck_assert_uint_eq(got + lost, sent);
	ck_assert_uint_eq(atomic_load(&ring->fresh), 3);
}
END_TEST

static void *allocate_once(void *context)
{
	(void)context;
	allocate(3);
	kept = prof_agent_self;
	return NULL;
}

static void run_thread(void *(*function)(void *))
{
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, function, NULL), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

START_TEST(what_a_finished_thread_had_is_used_again)
{
	begin_heap();
	for (unsigned i = 0; i < PROF_RING_THREADS; i++)
		atomic_store(&prof_ring_threads(ring)[i].state,
			i == 7 ? PROF_RING_THREAD_FREE : PROF_RING_THREAD_USED);
	uint64_t claimed = ring->claimed;
	run_thread(allocate_once);
	ck_assert_uint_eq(ring->claimed, claimed + 1);
	void *first = kept;
	ck_assert_uint_eq(prof_ring_threads(ring)[7].state, PROF_RING_THREAD_USED);
	ck_assert_uint_eq(ring->homeless, 0);
	run_thread(allocate_once);
	ck_assert_ptr_null(kept);
	ck_assert_uint_eq(ring->homeless, 1);
	ck_assert_uint_eq(ring->claimed, claimed + 1);
	prof_ring_give(ring, prof_ring_threads(ring)[7].first);
	atomic_store(&prof_ring_threads(ring)[7].state, PROF_RING_THREAD_FREE);
	run_thread(allocate_once);
	ck_assert_ptr_eq(kept, first);
	ck_assert_uint_eq(ring->homeless, 1);
}
END_TEST

/* Ends this process, a child, with 0 if it is not traced and has no ring. */
static void end_child(void)
{
	allocate(5);
	_exit(prof_agent_process->session || !kept || msync(prof_agent.ring, 4096, MS_ASYNC) == 0);
}

static void expect_good_end(pid_t child)
{
	int status;

	ck_assert_int_gt(child, 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}

START_TEST(children_are_not_traced)
{
	begin_heap();
	allocate(1);
	unsigned before = count_own();
	pid_t child = fork();
	if (!child)
		end_child();
	expect_good_end(child);
	child = (pid_t)syscall(SYS_fork);
	if (!child)
		end_child();
	expect_good_end(child);
	child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child)
		end_child();
	expect_good_end(child);
	ck_assert_uint_eq(count_own(), before);
	allocate(1);
	ck_assert_uint_eq(count_own(), before + 1);
}
END_TEST

START_TEST(a_child_can_be_traced_by_itself)
{
	begin_heap();
	allocate(1);
	pid_t child = fork();
	if (!child) {
		begin_heap();
		allocate(1);
		_exit(count_own() != 1);
	}
	expect_good_end(child);
	ck_assert_uint_eq(count_own(), 1);
}
END_TEST

static void allocate_in_shared_memory(void)
{
	pid_t child = vfork();

	if (!child) {
		allocate(2);
		_exit(0);
	}
	expect_good_end(child);
}

/* It runs in this process' memory, in place of this thread: what it does is done by that. */
START_TEST(a_child_that_shares_memory_does_no_harm)
{
	begin_heap();
	allocate_in_shared_memory();
	allocate(1);
	ck_assert_uint_eq(count_own(), 1);
	allocate_in_shared_memory();
	allocate(1);
	ck_assert_uint_eq(count_own(), 3);
	ck_assert_uint_eq(ring->homeless, 0);
}
END_TEST

static void allocate_on_signal(int number)
{
	(void)number;
	allocate(77);
}

static void handle(int number, void (*function)(int), int flags)
{
	struct sigaction action = {.sa_handler = function, .sa_flags = flags};

	ck_assert_int_eq(sigaction(number, &action, NULL), 0);
}

START_TEST(signal_handlers_are_traced_also_on_a_stack_of_their_own)
{
	static char other[1 << 16];
	stack_t stack = {.ss_sp = other, .ss_size = sizeof other};

	begin_heap();
	know_allocate();
	unsigned before = count_own();
	handle(SIGUSR1, allocate_on_signal, 0);
	raise(SIGUSR1);
	ck_assert_int_eq(sigaltstack(&stack, NULL), 0);
	handle(SIGUSR1, allocate_on_signal, SA_ONSTACK);
	raise(SIGUSR1);
	allocate(1);
	ck_assert_uint_eq(count_own(), before + 3);
	for (unsigned i = before; i < before + 3; i++)
		ck_assert_uint_ne(events[i].node, PROF_NODE_NONE);
}
END_TEST

static volatile unsigned signals;

/* Instead of the real malloc(), which a handler must not call. */
static void *make_the_same(size_t size)
{
	(void)size;
	return (void *)16;
}

static void count_signal(int number)
{
	(void)number;
	signals++;
	allocate(9);
}

/* Whenever the handler comes, also in the middle of a record: nothing is damaged or forgotten. */
START_TEST(a_signal_in_the_middle_of_a_record_is_counted)
{
	enum { ENOUGH = 200 };
	struct itimerspec often = {{0, 50000}, {0, 50000}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct reader reader = {0};
	timer_t timer;
	uint64_t got = 0, sent = 0;
	struct event found;

	begin_heap();
	know_allocate();
	struct prof_ring_thread *slot = find_slot((uint32_t)gettid());
	while (next_event(&reader, slot, true, &found))
		;
	prof_agent_hooks[PROF_HOOK_malloc].real = (void *)make_the_same;
	handle(SIGUSR1, count_signal, 0);
	ck_assert_int_eq(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	ck_assert_int_eq(timer_settime(timer, 0, &often, NULL), 0);
	while (signals < ENOUGH) {
		allocate(4);
		sent++;
		while (next_event(&reader, slot, true, &found)) {
			got++;
			must(found.kind == PROF_RING_ALLOC &&
				(found.values[2] == 4 || found.values[2] == 9));
		}
	}
	ck_assert_int_eq(timer_delete(timer), 0);
	while (next_event(&reader, slot, true, &found))
		got++;
	/* A call within the real malloc() is part of that. */
	ck_assert_uint_le(got + slot->lost, sent + signals);
	ck_assert_uint_ge(got, sent);
}
END_TEST

static sigjmp_buf out;

static void jump_out(int number)
{
	(void)number;
	siglongjmp(out, 1);
}

static void *raise_signal(size_t size)
{
	(void)size;
	raise(SIGUSR1);
	return NULL;
}

static __attribute__((noinline)) void allocate_and_jump(void)
{
	void *real = prof_agent_hooks[PROF_HOOK_malloc].real;

	prof_agent_hooks[PROF_HOOK_malloc].real = (void *)raise_signal;
	if (!sigsetjmp(out, 1)) {
		allocate(1);
		ck_abort();
	}
	prof_agent_hooks[PROF_HOOK_malloc].real = real;
}

START_TEST(a_jump_out_of_a_call_does_not_end_the_tracing)
{
	begin_heap();
	know_allocate();
	handle(SIGUSR1, jump_out, SA_NODEFER);
	allocate_and_jump();
	allocate(1);
	allocate(2);
	unsigned count = count_own();
	ck_assert_uint_eq(count, 4);
	ck_assert_uint_eq(events[2].values[2], 1);
	ck_assert_uint_eq(events[3].values[2], 2);
}
END_TEST

START_TEST(begins_again_with_another_ring)
{
	begin_heap();
	know_allocate();
	struct prof_ring *first = ring;
	struct prof_ring *theirs = prof_agent.ring;
	allocate(1);
	unsigned before = count_own();
	atomic_store(&ring->families, 0);
	allocate(1);
	ck_assert_uint_eq(count_own(), before);
	begin_heap();
	ck_assert_ptr_ne(prof_agent.ring, theirs);
	allocate(1);
	ck_assert_uint_eq(count_own(), 1);
	ck_assert_uint_eq(theirs->magic, 0);
	if (first != theirs) {
		ring = first;
		ck_assert_uint_eq(count_own(), before);
	}
}
END_TEST

RUN_TESTS("agent threads", sleeps_until_it_is_asked, makes_a_ring_and_closes_its_file,
	counts_what_has_no_room_and_goes_on_when_there_is, what_a_finished_thread_had_is_used_again,
	children_are_not_traced, a_child_can_be_traced_by_itself,
	a_child_that_shares_memory_does_no_harm,
	signal_handlers_are_traced_also_on_a_stack_of_their_own,
	a_signal_in_the_middle_of_a_record_is_counted,
	a_jump_out_of_a_call_does_not_end_the_tracing, begins_again_with_another_ring)
