/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/walk.h"

#include "agent_session.h"

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

/*
 * Functions of known shapes: each tells its return address, has a frame of its kind and of a size
 * as wanted, and calls what it is given.  void shape(next, argument, room, &ret)
 */
#define BEGIN(name)                                             \
	".text\n.globl shape_" name "\n.globl after_" name "\n" \
	"shape_" name ":\n"                                     \
	"	mov (%rsp), %rax\n	mov %rax, (%rcx)\n"
#define NEXT(name) \
	"	mov %rdi, %rax\n	mov %rsi, %rdi\n	call *%rax\nafter_" name ":\n"

__asm__(BEGIN("plain") "	sub $24, %rsp\n" NEXT("plain") "	add $24, %rsp\n	ret\n");
__asm__(BEGIN("large") "	sub $20008, %rsp\n" NEXT(
	"large") "	add $20008, %rsp\n	ret\n");
/* The frame pointer is in use for something else. */
__asm__(BEGIN("clobber") "	push %rbp\n	mov $77, %ebp\n	sub $32, %rsp\n" NEXT(
	"clobber") "	add $32, %rsp\n	pop %rbp\n	ret\n");
/* As with alloca(): the size of the frame is known to the frame pointer only. */
__asm__(BEGIN("pointer") "	push %rbp\n	mov %rsp, %rbp\n	sub %rdx, %rsp\n" NEXT(
	"pointer") "	leave\n	ret\n");
/* The stack was aligned: the frame pointer leads to where the CFA is. */
__asm__(BEGIN("aligned") "	lea 8(%rsp), %r10\n	and $-64, %rsp\n"
			 "	push -8(%r10)\n	push %rbp\n	mov %rsp, %rbp\n	push %r10\n"
			 "	sub $40, %rsp\n" NEXT(
				 "aligned") "	mov -8(%rbp), %r10\n	leave\n"
					    "	lea -8(%r10), %rsp\n	ret\n");
/* What they call is called by signal handlers. */
__asm__(BEGIN("trap") "	sub $24, %rsp\n	mov %rdi, next_handled(%rip)\n"
		      "	mov %rsi, argument_handled(%rip)\n"
		      "after_trap:\n	hlt\n	add $24, %rsp\n	ret\n");
__asm__(BEGIN("elsewhere") "	sub $40, %rsp\n	mov %rdi, next_handled(%rip)\n"
			   "	mov %rsi, argument_handled(%rip)\n"
			   "after_elsewhere:\n	ud2\n	add $40, %rsp\n	ret\n");

typedef void next_function(void *argument);
typedef void shape_function(next_function *next, void *argument, size_t room, uint64_t *ret);

#define DECLARE(name)                       \
	extern shape_function shape_##name; \
	extern const unsigned char after_##name[];
DECLARE(plain)
DECLARE(large)
DECLARE(clobber)
DECLARE(pointer)
DECLARE(aligned)
DECLARE(trap)
DECLARE(elsewhere)

next_function *next_handled;
void *argument_handled;

static const struct shape {
	shape_function *function;
	const unsigned char *after;
	struct prof_row_rule rule;
	bool signal;
} shapes[] = {
	{shape_plain, after_plain, {PROF_ROW_SP, 32, false, 0}, false},
	{shape_clobber, after_clobber, {PROF_ROW_SP, 48, true, -16}, false},
	{shape_pointer, after_pointer, {PROF_ROW_FP, 16, true, -16}, false},
	{shape_aligned, after_aligned, {PROF_ROW_AT_FP, -8, true, 0}, false},
	{shape_large, after_large, {PROF_ROW_SP, 20016, false, 0}, false},
	{shape_trap, after_trap, {PROF_ROW_SP, 32, false, 0}, true},
	{shape_elsewhere, after_elsewhere, {PROF_ROW_SP, 48, false, 0}, true},
};

enum {
	SHAPES = sizeof shapes / sizeof *shapes,
	PLAIN = SHAPES - 2, /* those that raise no signal */
	DEEP = 30000,
};

/* What the stack is, the outermost frame first. */
static struct {
	uint64_t pc;
	bool exact; /* pc is where a signal came, no return address */
	struct prof_row_rule rule;
} truth[DEEP];
static unsigned depth;

static uint64_t key_of(unsigned index)
{
	return truth[index].pc - !truth[index].exact;
}

static uint64_t seed;

static unsigned choose(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % below;
}

/* Has SHAPE, with a frame that has ROOM, call NEXT with ARGUMENT for a function with our frame. */
static inline __attribute__((always_inline)) void pass(
	const struct shape *shape, next_function *next, void *argument, size_t room)
{
	unsigned here = depth;

	truth[here].exact = false;
	truth[here].rule = here ? (struct prof_row_rule){PROF_ROW_FP, 16, true, -16}
				: (struct prof_row_rule){.kind = PROF_ROW_OUTERMOST};
	truth[here + 1].pc = (uintptr_t)shape->after;
	truth[here + 1].exact = shape->signal;
	truth[here + 1].rule = shape->rule;
	depth = here + 2;
	shape->function(next, argument, room, &truth[here].pc);
	depth = here;
}

static struct reader reader;
static unsigned raws, walked;
static unsigned deepest = DEEP; /* frames of a stack that are kept */
static bool checked = true;

/* What gdbprof does with a raw stack: it adds the rows, of which one was missing. */
static void take_raw(const struct event *event)
{
	const uint64_t *words = (const uint64_t *)event->raw;
	bool missing = false;

	raws++;
	must(event->pc == truth[depth - 1].pc);
	must(event->length % 8 == 0 && event->length <= PROF_RING_RAW_MOST);
	/* The shape's own frame and the return address above it. */
	must(truth[depth - 1].rule.kind != PROF_ROW_SP ||
		words[truth[depth - 1].rule.offset / 8 - 1] == truth[depth - 2].pc);
	for (unsigned i = 0; i < depth; i++) {
		if (prof_rows_find(prof_ring_rows(ring), key_of(i)) != PROF_ROW_NONE)
			continue;
		missing = true;
		add_row(key_of(i), truth[i].rule);
	}
	must(missing);
}

/* The node NODE must be the stack as it is, up to the frames that are kept. */
static void compare(uint32_t node)
{
	const _Atomic uint64_t *table = prof_ring_nodes(ring);
	const struct prof_row *rows = prof_ring_rows(ring);
	unsigned index = depth;

	for (; node != PROF_NODE_EMPTY; node = (uint32_t)(table[node] >> 32)) {
		must(index > 0);
		must(rows[(uint32_t)table[node] - 1].pc == key_of(--index));
	}
	must(deepest >= depth ? index == 0 : depth - index == deepest);
	walked++;
}

/* Takes what a call has written, which is a single record. */
static void take(void)
{
	struct prof_ring_thread *slot = find_slot((uint32_t)gettid());
	struct event event, none;

	must(slot && next_event(&reader, slot, true, &event));
	if (checked && event.node == PROF_NODE_NONE)
		take_raw(&event);
	else if (checked)
		compare(event.node);
	must(!next_event(&reader, slot, true, &none));
	must(!slot->lost);
}

static bool sites;           /* stacks are also found by their call sites */
static unsigned sites_found; /* so many */

/* It stands for malloc(): what it is called by is looked at after each call. */
static __attribute__((noinline)) void *look(size_t size)
{
	(void)size;
	if (sites) {
		const struct prof_walk_start start = prof_walk_start(prof_agent_self->inside);
		uint32_t node = prof_walk_site(prof_agent_self, &start);
		if (node != PROF_NODE_NONE) {
			compare(node);
			walked--;
			sites_found++;
		}
	}
	return (void *)16;
}

/* A shape's own call of malloc() is the innermost frame. */
static inline __attribute__((always_inline)) void allocate_by(
	const struct shape *shape, size_t room)
{
	unsigned here = depth;

	pass(shape, (next_function *)(void *)prof_agent_malloc, (void *)1, room);
	depth = here + 2;
	take();
	depth = here;
}

static __attribute__((noinline)) void wander(void *argument)
{
	uintptr_t levels = (uintptr_t)argument;
	unsigned calls = 1 + choose(3);

	for (unsigned i = 0; i < calls; i++) {
		const struct shape *shape = &shapes[choose(SHAPES)];
		size_t room = 16 * (size_t)(1 + choose(4));
		if (levels && choose(4))
			pass(shape, wander, (void *)(levels - 1), room);
		else
			allocate_by(&shapes[choose(PLAIN)], room);
	}
}

/* Handles what a shape has raised: by calling what it would have. */
static __attribute__((noinline)) void handle(int number, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;
	unsigned here = depth;

	(void)info;
	truth[here].pc = (uintptr_t)__builtin_return_address(0);
	truth[here].exact = false;
	truth[here].rule = (struct prof_row_rule){.kind = PROF_ROW_SIGNAL};
	depth = here + 1;
	pass(&shapes[0], next_handled, argument_handled, 16);
	depth = here;
	/* Behind ud2, and hlt. */
	interrupted->uc_mcontext.gregs[REG_RIP] += number == SIGILL ? 2 : 1;
}

static void handle_signals(void)
{
	static char other[1 << 20];
	stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};

	ck_assert_int_eq(sigaltstack(&stack, NULL), 0);
	ck_assert_int_eq(sigaction(SIGSEGV, &action, NULL), 0);
	action.sa_flags |= SA_ONSTACK;
	ck_assert_int_eq(sigaction(SIGILL, &action, NULL), 0);
}

static void begin_walks(void)
{
	begin_heap();
	prof_agent_hooks[PROF_HOOK_malloc].real = (void *)look;
	depth = 0;
}

static void wander_often(void)
{
	begin_walks();
	handle_signals();
	for (seed = 1; seed < 300; seed++) {
		uint64_t before = seed;
		pass(&shapes[choose(PLAIN)], wander, (void *)(uintptr_t)choose(14), 32);
		seed = before;
	}
	ck_assert_uint_gt(walked, 10000);
	ck_assert_uint_lt(raws, 100);
}

START_TEST(nodes_are_the_stacks_as_they_are)
{
	wander_often();
}
END_TEST

START_TEST(nodes_of_call_sites_are_the_stacks_as_they_are)
{
	sites = true;
	wander_often();
	ck_assert_uint_gt(sites_found, 10000);
}
END_TEST

static __attribute__((noinline)) void recurse(void *argument)
{
	uintptr_t levels = (uintptr_t)argument;

	if (levels)
		pass(&shapes[levels % 3], recurse, (void *)(levels - 1), 16);
	else
		allocate_by(&shapes[0], 16);
}

static void recurse_to(uintptr_t levels)
{
	pass(&shapes[0], recurse, (void *)levels, 16);
}

/* Two frames a level, and two more at the end, and at the beginning. */
START_TEST(deep_stacks_are_cut_at_their_outer_end)
{
	begin_walks();
	for (unsigned i = 0; i < 4; i++)
		recurse_to(3);
	unsigned before = walked;
	for (unsigned i = 0; i < 3; i++)
		recurse_to(PROF_AGENT_DEEPEST / 2 - 4);
	ck_assert_uint_eq(walked, before + 3);
	deepest = PROF_AGENT_KEPT;
	recurse_to(PROF_AGENT_DEEPEST / 2);
	recurse_to(PROF_AGENT_DEEPEST);
	recurse_to(PROF_AGENT_DEEPEST / 2 + 1);
	ck_assert_uint_eq(walked, before + 6);
	deepest = DEEP;
	recurse_to(PROF_AGENT_DEEPEST / 2 - 10);
	recurse_to(20);
	ck_assert_uint_eq(walked, before + 8);
}
END_TEST

static void lose_a_row(void)
{
	begin_walks();
	for (unsigned i = 0; i < 3; i++)
		recurse_to(2);
	ck_assert_uint_eq(raws, 1);
	ck_assert_uint_eq(walked, 2);
	struct prof_row *rows = prof_ring_rows(ring);
	uint32_t row = prof_rows_find(rows, (uintptr_t)after_clobber - 1);
	ck_assert_uint_ne(row, PROF_ROW_NONE);
	atomic_store(&rows[row].pc, PROF_ROW_GONE);
	atomic_fetch_add(&ring->gone, 1);
	recurse_to(2);
	ck_assert_uint_eq(raws, 2);
	recurse_to(2);
	ck_assert_uint_eq(raws, 2);
}

START_TEST(a_row_that_is_gone_is_not_used_again)
{
	lose_a_row();
}
END_TEST

START_TEST(a_call_site_with_a_row_that_is_gone_is_not_used_again)
{
	sites = true;
	lose_a_row();
	ck_assert_uint_eq(sites_found, 3);
}
END_TEST

/* What is told by a rule may be wrong: nothing is read that is not there. */
START_TEST(wrong_rows_lead_nowhere)
{
	static const struct prof_row_rule wrong[] = {{PROF_ROW_SP, 1 << 30, false, 0},
		{PROF_ROW_SP, -64, false, 0}, {PROF_ROW_SP, 9, false, 0},
		{PROF_ROW_STUCK, 0, false, 0}, {PROF_ROW_FP, INT32_MAX, true, -8},
		{PROF_ROW_AT_FP, 1 << 24, true, 0}, {PROF_ROW_SP, 32, true, INT16_MIN},
		{PROF_ROW_SIGNAL, 0, false, 0}, {(enum prof_row_kind)99, 0, false, 0},
		{PROF_ROW_SP, 1 << 22, false, 0}};

	begin_walks();
	recurse_to(1);
	ck_assert_uint_eq(raws, 1);
	struct prof_row *rows = prof_ring_rows(ring);
	uint32_t row = prof_rows_find(rows, (uintptr_t)after_clobber - 1);
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		atomic_store(&rows[row].rule, prof_row_pack(wrong[i]));
		checked = false;
		atomic_fetch_add(&ring->gone, 1);
		recurse_to(1);
		recurse_to(1);
	}
	checked = true;
}
END_TEST

enum { STACK = 1 << 18, BESIDE = 1 << 16 };

static void *know_all(void *argument)
{
	struct prof_agent_thread *thread = calloc(1, sizeof *thread);
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	ck_assert_ptr_nonnull(thread);
	*(uintptr_t *)argument = here + prof_walk_known(thread, here, BESIDE);
	free(thread);
	return NULL;
}

/* Memory above it may be another thread's stack, which that thread's end unmaps. */
START_TEST(nothing_is_read_above_the_stack_of_a_thread)
{
	char *place = mmap(
		NULL, STACK + BESIDE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;
	uintptr_t until;

	ck_assert_ptr_ne(place, MAP_FAILED);
	pthread_attr_init(&attributes);
	ck_assert_int_eq(pthread_attr_setstack(&attributes, place, STACK), 0);
	ck_assert_int_eq(pthread_create(&thread, &attributes, know_all, &until), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	pthread_attr_destroy(&attributes);
	ck_assert_uint_gt(until, (uintptr_t)place);
	ck_assert_uint_le(until, (uintptr_t)place + STACK);
}
END_TEST

RUN_TESTS("agent walk", nodes_are_the_stacks_as_they_are,
	nodes_of_call_sites_are_the_stacks_as_they_are, deep_stacks_are_cut_at_their_outer_end,
	a_row_that_is_gone_is_not_used_again, a_call_site_with_a_row_that_is_gone_is_not_used_again,
	wrong_rows_lead_nowhere, nothing_is_read_above_the_stack_of_a_thread)
