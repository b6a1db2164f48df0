#include "target/process.h"
#include "target/unwind.h"

#include "suite.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/*
 * The stacks that are walked are those of children, which are this program itself: an address of a
 * function here is its address there.  A child stops where it shall be looked at by int3.
 */

enum { DEPTH = 4096, RSP = 7, RBP = 6, RIP = 16 };

#define KEPT __attribute__((noinline))

static volatile int sink;

static inline __attribute__((always_inline)) void stop_here(void)
{
	__asm__ volatile("int3" ::: "memory");
}

/* A call that no compiler sees through, and that is no tail call. */
#define CALL(function, ...)                                               \
	do {                                                              \
		__typeof__(*(function)) *volatile function_ = (function); \
		function_(__VA_ARGS__);                                   \
		sink++;                                                   \
	} while (0)

struct child {
	pid_t pid;
	struct prof_process process;
	struct prof_target target;
	struct prof_unwinder *unwinder;
	int signal; /* that it stopped with */
};

struct stack {
	uint64_t frames[DEPTH];
	size_t count;
	enum prof_stack_end end;
};

/* Runs CHILD on with REQUEST until the thread LWP stops. */
static void run_on(struct child *child, int request, pid_t lwp, int signal)
{
	int status;

	ck_assert_int_eq(ptrace(request, lwp, NULL, (void *)(intptr_t)signal), 0);
	ck_assert_int_eq(waitpid(lwp, &status, __WALL), lwp);
	ck_assert(WIFSTOPPED(status));
	child->signal = WSTOPSIG(status);
}

/* Starts a child that runs FUNCTION, up to its first stop. */
static void start(struct child *child, void (*function)(void))
{
	int status;

	child->pid = fork();
	if (!child->pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		CALL(function);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child->pid, &status, 0), child->pid);
	ptrace(PTRACE_SETOPTIONS, child->pid, NULL, (void *)(PTRACE_O_EXITKILL));
	prof_process_init(&child->process, child->pid);
	child->target = prof_process_target(&child->process);
	ck_assert_ok(prof_unwinder_create(child->pid, &child->target, &child->unwinder));
	run_on(child, PTRACE_CONT, child->pid, 0);
}

static void finish(struct child *child)
{
	kill(child->pid, SIGKILL);
	/* The leader of traced threads can only be had after them. */
	while (waitpid(-1, NULL, __WALL) > 0)
		;
	prof_unwinder_destroy(child->unwinder);
}

static void walk_registers(
	struct child *child, const struct prof_registers *registers, struct stack *stack)
{
	stack->end = -1;
	stack->count =
		prof_unwinder_walk(child->unwinder, registers, stack->frames, DEPTH, &stack->end);
	ck_assert_uint_ge(stack->count, 1);
	ck_assert_uint_le(stack->count, DEPTH);
}

static void walk(struct child *child, struct stack *stack)
{
	struct prof_registers registers;

	ck_assert_ok(prof_process_registers(child->pid, &registers));
	walk_registers(child, &registers, stack);
}

/* Whether the lookup address FRAME lies in FUNCTION. */
static bool is_in(struct child *child, uint64_t frame, const void *function)
{
	uint64_t low, high;

	return prof_unwinder_bounds(child->unwinder, frame, &low, &high) &&
		low == (uintptr_t)function && low <= frame && frame < high;
}

/* Checks that the frames of STACK from *AT on are of FUNCTIONS, and moves *AT behind them. */
static void expect(struct child *child, const struct stack *stack, size_t *at,
	const void *const *functions, size_t count)
{
	for (size_t i = 0; i < count; i++, (*at)++) {
		ck_assert_uint_lt(*at, stack->count);
		ck_assert_msg(is_in(child, stack->frames[*at], functions[i]),
			"frame %zu of %zu, %#lx, is not in function %zu", *at, stack->count,
			(unsigned long)stack->frames[*at], i);
	}
}

#define EXPECT(child, stack, at, ...)                                         \
	do {                                                                  \
		const void *const functions_[] = {__VA_ARGS__};               \
		expect(child, stack, at, functions_, PROF_COUNT(functions_)); \
	} while (0)

/* The first frame of STACK in FUNCTION, or its count. */
static size_t find_frame(struct child *child, const struct stack *stack, const void *function)
{
	size_t i = 0;

	while (i < stack->count && !is_in(child, stack->frames[i], function))
		i++;
	return i;
}

/* Whole stacks end in start(), its callers, main() and what comes before it. */
static void expect_whole(struct child *child, const struct stack *stack)
{
	ck_assert_int_eq(stack->end, PROF_STACK_WHOLE);
	size_t begin = find_frame(child, stack, (const void *)start);
	ck_assert_uint_lt(begin, stack->count);
	ck_assert_uint_lt(find_frame(child, stack, (const void *)run_tests), stack->count);
}

static KEPT void recurse(int depth)
{
	if (depth)
		CALL(recurse, depth - 1);
	else
		stop_here();
	sink++;
}

static KEPT void recurse_deep(void)
{
	CALL(recurse, 2000);
}

START_TEST(walks_a_deep_recursion_to_its_end)
{
	struct child child;
	struct stack stack;
	size_t at = 0;

	start(&child, recurse_deep);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	for (int i = 0; i <= 2000; i++)
		EXPECT(&child, &stack, &at, (const void *)recurse);
	EXPECT(&child, &stack, &at, (const void *)recurse_deep, (const void *)start);
	finish(&child);
}
END_TEST

START_TEST(keeps_the_innermost_frames_of_what_is_too_deep)
{
	struct prof_registers registers;
	struct child child;
	struct stack whole;
	uint64_t frames[DEPTH];
	enum prof_stack_end end;

	start(&child, recurse_deep);
	walk(&child, &whole);
	ck_assert_ok(prof_process_registers(child.pid, &registers));
	const size_t depths[] = {0, 1, 2, 10, whole.count - 1, whole.count, whole.count + 1};
	for (size_t i = 0; i < PROF_COUNT(depths); i++) {
		size_t count =
			prof_unwinder_walk(child.unwinder, &registers, frames, depths[i], &end);
		bool fits = depths[i] >= whole.count;
		ck_assert_uint_eq(count, fits ? whole.count : depths[i]);
		ck_assert_int_eq(end, fits ? PROF_STACK_WHOLE : PROF_STACK_TRUNCATED);
		ck_assert_mem_eq(frames, whole.frames, count * sizeof *frames);
	}
	finish(&child);
}
END_TEST

struct counted {
	struct prof_target target;
	unsigned reads;
	size_t bytes;
};

static size_t count_read(void *context, uint64_t address, void *buffer, size_t length)
{
	struct counted *counted = context;

	counted->reads++;
	counted->bytes += length;
	return counted->target.read_memory(counted->target.context, address, buffer, length);
}

START_TEST(reads_a_stack_at_once_when_it_knows_how_deep_they_are)
{
	struct prof_registers registers;
	struct counted counted = {0};
	struct child child;
	struct stack first, second;

	start(&child, recurse_deep);
	counted.target = child.target;
	prof_unwinder_destroy(child.unwinder);
	const struct prof_target target = {count_read, &counted};
	ck_assert_ok(prof_unwinder_create(child.pid, &target, &child.unwinder));
	ck_assert_ok(prof_process_registers(child.pid, &registers));
	walk_registers(&child, &registers, &first);
	counted.reads = 0;
	counted.bytes = 0;
	walk_registers(&child, &registers, &second);
	ck_assert_uint_eq(counted.reads, 1);
	ck_assert_uint_eq(first.count, second.count);
	ck_assert_mem_eq(first.frames, second.frames, first.count * sizeof *first.frames);
	finish(&child);
}
END_TEST

static KEPT void recurse_wide(int depth)
{
	char bytes[1000];

	memset(bytes, depth, sizeof bytes);
	if (depth)
		CALL(recurse_wide, depth - 1);
	else
		stop_here();
	sink += bytes[sink % 1000];
}

static KEPT void recurse_far(void)
{
	CALL(recurse_wide, 3000);
}

START_TEST(walks_stacks_of_many_megabytes)
{
	struct child child;
	struct stack stack;
	size_t at = 3001;

	start(&child, recurse_far);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)recurse_far, (const void *)start);
	finish(&child);
}
END_TEST

static KEPT void fill_much(void)
{
	char bytes[300000];

	memset(bytes, sink, sizeof bytes);
	CALL(recurse, 3);
	sink += bytes[sink % 1000];
}

static KEPT void fill_more(void)
{
	char bytes[3000000];

	memset(bytes, sink, sizeof bytes);
	CALL(fill_much);
	sink += bytes[sink % 1000];
}

START_TEST(crosses_large_frames)
{
	struct child child;
	struct stack stack;
	size_t at = 4;

	start(&child, fill_more);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)fill_much, (const void *)fill_more,
		(const void *)start);
	finish(&child);
}
END_TEST

/*
 * trap_first() begins with what raises SIGILL: one byte before it lies another function.
 * end_in_call() calls as the last thing it does: the return address lies in another function.
 * bare_frame(), bare_stub() and bare_restore() have no call frame information.
 */
__asm__(".text\n"
	"trap_first: .cfi_startproc\n"
	"	ud2\n	ret\n"
	"	.cfi_endproc\n"
	"end_in_call: .cfi_startproc\n"
	"	sub $8, %rsp\n	.cfi_def_cfa_offset 16\n	call *%rdi\n"
	"	.cfi_endproc\n"
	"after_call: .cfi_startproc\n"
	"	push %rbx\n	.cfi_def_cfa_offset 16\n	.cfi_offset rbx, -16\n	ret\n"
	"	.cfi_endproc\n"
	"bare_frame:\n"
	"	push %rbp\n	mov %rsp, %rbp\n	sub $64, %rsp\n	call *%rdi\n"
	"	leave\n	ret\n"
	"bare_frame_end:\n"
	"	nop\n"
	"bare_restore:\n"
	"	mov $15, %rax\n	syscall\n"
	/* A table of stubs as linkers make it: the first one resolves, the second is lazy. */
	"	.balign 16\n"
	"bare_table:\n"
	"	push stub_word(%rip)\n	jmp *stub_resolver(%rip)\n	.balign 16\n"
	"bare_stub:\n"
	"	jmp *stub_goal(%rip)\n	.byte 0x68\n	.long 1\n	.byte 0xe9\n"
	"	.long bare_table - . - 4\n"
	"resolve: .cfi_startproc\n	.cfi_def_cfa_offset 24\n"
	"	add $16, %rsp\n	.cfi_def_cfa_offset 8\n	ret\n"
	"	.cfi_endproc\n"
	".data\n"
	"stub_word: .quad 7\n"
	"stub_resolver: .quad resolve\n"
	"stub_goal: .quad bare_stub + 6\n"
	".text\n");

extern void trap_first(void), end_in_call(void (*function)(void)), bare_frame(void (*)(void));
extern void bare_stub(void), bare_restore(void);
extern const char bare_frame_end[];

static void handle(int signal)
{
	(void)signal;
	stop_here();
	sink++;
}

static KEPT void take_signal(void)
{
	static char bytes[65536];
	const stack_t alternate = {.ss_sp = bytes, .ss_size = sizeof bytes};
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};

	sigaltstack(&alternate, NULL);
	sigaction(SIGILL, &action, NULL);
	CALL(trap_first);
}

START_TEST(passes_a_signal_handler_on_another_stack)
{
	struct child child;
	struct stack stack;
	size_t at = 0;

	start(&child, take_signal);
	ck_assert_int_eq(child.signal, SIGILL);
	run_on(&child, PTRACE_CONT, child.pid, SIGILL);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)handle);
	at++; /* __restore_rt */
	ck_assert_uint_eq(stack.frames[at], (uintptr_t)trap_first);
	EXPECT(&child, &stack, &at, (const void *)trap_first, (const void *)take_signal,
		(const void *)start);
	finish(&child);
}
END_TEST

/* As C libraries do that don't describe what their handlers return to. */
static KEPT void take_signal_bare(void)
{
	const struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} action = {handle, 0x04000000 /* SA_RESTORER */, bare_restore, 0};

	ck_assert_int_eq(syscall(SYS_rt_sigaction, SIGILL, &action, NULL, sizeof action.mask), 0);
	CALL(trap_first);
}

START_TEST(passes_a_signal_handler_that_returns_to_who_knows_what)
{
	struct child child;
	struct stack stack;
	size_t at = 0;

	start(&child, take_signal_bare);
	run_on(&child, PTRACE_CONT, child.pid, SIGILL);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)handle);
	ck_assert_uint_eq(stack.frames[at++], (uintptr_t)bare_restore - 1);
	ck_assert_uint_eq(stack.frames[at], (uintptr_t)trap_first);
	EXPECT(&child, &stack, &at, (const void *)trap_first, (const void *)take_signal_bare,
		(const void *)start);
	finish(&child);
}
END_TEST

static KEPT void call_nothing(void)
{
	void (*volatile nothing)(void) = NULL;

	nothing();
	sink++;
}

static KEPT void call_data(void)
{
	void (*volatile data)(void) = (void (*)(void))(uintptr_t)&sink;

	data();
	sink++;
}

static KEPT void call_nothing_handled(void)
{
	struct sigaction action = {.sa_handler = handle};

	sigaction(SIGSEGV, &action, NULL);
	CALL(call_nothing);
}

START_TEST(finds_who_called_address_zero)
{
	struct child child;
	struct stack stack;
	size_t at = 1;

	start(&child, call_nothing);
	ck_assert_int_eq(child.signal, SIGSEGV);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	ck_assert_uint_eq(stack.frames[0], 0);
	EXPECT(&child, &stack, &at, (const void *)call_nothing, (const void *)start);
	finish(&child);
}
END_TEST

START_TEST(finds_who_called_data)
{
	struct child child;
	struct stack stack;
	size_t at = 1;

	start(&child, call_data);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	ck_assert_uint_eq(stack.frames[0], (uintptr_t)&sink);
	EXPECT(&child, &stack, &at, (const void *)call_data, (const void *)start);
	finish(&child);
}
END_TEST

START_TEST(passes_a_handler_of_a_call_of_address_zero)
{
	struct child child;
	struct stack stack;
	size_t at = 2;

	start(&child, call_nothing_handled);
	run_on(&child, PTRACE_CONT, child.pid, SIGSEGV);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	ck_assert(is_in(&child, stack.frames[0], (const void *)handle));
	ck_assert_uint_eq(stack.frames[at++], 0);
	EXPECT(&child, &stack, &at, (const void *)call_nothing, (const void *)call_nothing_handled,
		(const void *)start);
	finish(&child);
}
END_TEST

static int compare(const void *left, const void *right)
{
	if (!sink++)
		stop_here();
	return *(const int *)left - *(const int *)right;
}

static KEPT void sort(void)
{
	int numbers[] = {4, 3, 2, 1};

	qsort(numbers, PROF_COUNT(numbers), sizeof *numbers, compare);
	sink += numbers[0];
}

START_TEST(comes_back_from_the_library_into_the_program)
{
	struct child child;
	struct stack stack;

	start(&child, sort);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	ck_assert(is_in(&child, stack.frames[0], (const void *)compare));
	size_t at = find_frame(&child, &stack, (const void *)sort);
	ck_assert_uint_ge(at, 2);
	EXPECT(&child, &stack, &at, (const void *)sort, (const void *)start);
	finish(&child);
}
END_TEST

static void *run_thread(void *argument)
{
	CALL(recurse, 2);
	return argument;
}

static KEPT void start_thread(void)
{
	pthread_t thread;

	stop_here();
	pthread_create(&thread, NULL, run_thread, NULL);
	pthread_join(thread, NULL);
}

START_TEST(walks_a_thread_to_its_end)
{
	struct prof_registers registers;
	struct child child;
	struct stack stack;
	unsigned long lwp = 0;
	size_t at = 0;
	int status;

	start(&child, start_thread);
	ptrace(PTRACE_SETOPTIONS, child.pid, NULL,
		(void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE));
	run_on(&child, PTRACE_CONT, child.pid, 0);
	ck_assert_int_eq(ptrace(PTRACE_GETEVENTMSG, child.pid, NULL, &lwp), 0);
	ck_assert_int_eq(waitpid((pid_t)lwp, &status, __WALL), (pid_t)lwp);
	run_on(&child, PTRACE_CONT, (pid_t)lwp, 0);
	ck_assert_ok(prof_process_registers((pid_t)lwp, &registers));
	walk_registers(&child, &registers, &stack);
	EXPECT(&child, &stack, &at, (const void *)recurse, (const void *)recurse,
		(const void *)recurse, (const void *)run_thread);
	ck_assert_int_eq(stack.end, PROF_STACK_WHOLE);
	ck_assert_uint_le(stack.count, at + 3);
	finish(&child);
}
END_TEST

static KEPT void call_noreturn(void)
{
	CALL(end_in_call, recurse_deep);
}

START_TEST(a_call_that_ends_a_function_counts_for_it)
{
	struct child child;
	struct stack stack;
	size_t at = 2001;

	start(&child, call_noreturn);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)recurse_deep, (const void *)end_in_call,
		(const void *)call_noreturn, (const void *)start);
	finish(&child);
}
END_TEST

static ucontext_t outside, inside;

static KEPT void run_coroutine(void)
{
	CALL(recurse, 1);
}

static KEPT void switch_stacks(void)
{
	static char bytes[65536];

	getcontext(&inside);
	inside.uc_stack.ss_sp = bytes;
	inside.uc_stack.ss_size = sizeof bytes;
	inside.uc_link = &outside;
	makecontext(&inside, run_coroutine, 0);
	swapcontext(&outside, &inside);
}

START_TEST(a_coroutine_has_a_stack_of_its_own)
{
	struct child child;
	struct stack stack;
	size_t at = 0;

	start(&child, switch_stacks);
	walk(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)recurse, (const void *)recurse,
		(const void *)run_coroutine);
	ck_assert_int_eq(stack.end, PROF_STACK_WHOLE);
	ck_assert_uint_eq(stack.count, at + 1);
	/* What it returns to was never called, and is told by its first byte. */
	EXPECT(&child, &stack, &at, (const void *)(uintptr_t)stack.frames[at]);
	finish(&child);
}
END_TEST

static KEPT void call_bare(void)
{
	CALL(bare_frame, run_coroutine);
}

START_TEST(follows_frame_pointers_where_nothing_else_is_known)
{
	struct child child;
	struct stack stack;
	size_t at = 3;

	start(&child, call_bare);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	ck_assert_uint_ge(stack.frames[at], (uintptr_t)bare_frame);
	ck_assert_uint_lt(stack.frames[at], (uintptr_t)bare_frame_end);
	at++;
	EXPECT(&child, &stack, &at, (const void *)call_bare, (const void *)start);
	finish(&child);
}
END_TEST

static KEPT int inner(int a, int b, int c, int d)
{
	int e = a * b, f = c * d;

	CALL(sort);
	return a + b + c + d + e + f;
}

static KEPT void step_calls(void)
{
	int (*volatile call)(int, int, int, int) = inner;

	sink = 1;
	stop_here();
	sink += call(sink, sink, sink, sink);
	stop_here();
}

static KEPT void step_lazy(void)
{
	stop_here();
	sink += (int)a64l("zzzz");
	stop_here();
}

static KEPT void step_vdso(void)
{
	struct timespec now;

	stop_here();
	clock_gettime(CLOCK_MONOTONIC, &now);
	sink += (int)now.tv_sec;
	stop_here();
}

static KEPT void step_stub(void)
{
	stop_here();
	CALL(bare_stub);
	stop_here();
}

/* Lookup addresses between which one is to be seen as the innermost, and how often it was. */
struct seen {
	uint64_t low, high;
	unsigned count;
};

/*
 * Steps the child that runs FUNCTION from its first stop to its second: at every instruction, the
 * stack must be FUNCTION's callers, under a frame of FUNCTION, under at most a few others.
 */
static void step_through(void (*function)(void), struct seen *seen)
{
	struct prof_registers registers;
	struct child child;
	struct stack first, now;
	unsigned steps = 0;

	start(&child, function);
	walk(&child, &first);
	expect_whole(&child, &first);
	ck_assert(is_in(&child, first.frames[0], (const void *)function));
	for (bool done = false; !done; steps++) {
		ck_assert_uint_lt(steps, 20000);
		run_on(&child, PTRACE_SINGLESTEP, child.pid, 0);
		walk(&child, &now);
		ck_assert_int_eq(now.end, PROF_STACK_WHOLE);
		ck_assert_msg(now.count >= first.count && now.count <= first.count + 20,
			"step %u at %#lx: %zu frames", steps, (unsigned long)now.frames[0],
			now.count);
		size_t above = now.count - first.count;
		ck_assert_msg(is_in(&child, now.frames[above], (const void *)function),
			"step %u at %#lx", steps, (unsigned long)now.frames[0]);
		ck_assert_mem_eq(now.frames + above + 1, first.frames + 1,
			(first.count - 1) * sizeof *now.frames);
		seen->count += now.frames[0] >= seen->low && now.frames[0] < seen->high;
		ck_assert_ok(prof_process_registers(child.pid, &registers));
		unsigned char before;
		ck_assert_uint_eq(child.target.read_memory(
					  child.target.context, registers.pc - 1, &before, 1),
			1);
		done = steps && !above && before == 0xcc;
	}
	ck_assert_uint_gt(steps, 5);
	finish(&child);
}

START_TEST(is_right_at_every_instruction_of_a_call)
{
	struct seen seen = {(uintptr_t)inner, (uintptr_t)inner + 1, 0};

	step_through(step_calls, &seen);
	ck_assert_uint_eq(seen.count, 1);
}
END_TEST

START_TEST(is_right_all_through_a_lazy_binding)
{
	struct seen seen = {(uintptr_t)a64l, (uintptr_t)a64l + 1, 0};

	step_through(step_lazy, &seen);
}
END_TEST

START_TEST(is_right_in_the_vdso)
{
	uint64_t vdso = getauxval(AT_SYSINFO_EHDR);
	struct seen seen = {vdso, vdso + 0x2000, 0};

	step_through(step_vdso, &seen);
	ck_assert(!vdso || seen.count);
}
END_TEST

START_TEST(is_right_in_stubs_that_nothing_describes)
{
	struct seen seen = {(uintptr_t)bare_stub, (uintptr_t)bare_stub + 16, 0};

	step_through(step_stub, &seen);
	ck_assert_uint_eq(seen.count, 3);
}
END_TEST

static KEPT void sleep_in_frame(int size)
{
	char *bytes = __builtin_alloca((size_t)size); /* takes a frame pointer */

	memset(bytes, 0, (size_t)size);
	stop_here();
	sink += bytes[size / 2];
}

static KEPT void sleep_in_frames(void)
{
	char *bytes = __builtin_alloca((size_t)sink + 300);

	memset(bytes, 0, 300);
	CALL(sleep_in_frame, 1000);
	sink += bytes[7];
}

START_TEST(finds_frames_with_a_stack_pointer_alone)
{
	struct prof_registers registers;
	struct child child;
	struct stack full, sparse;

	start(&child, sleep_in_frames);
	walk(&child, &full);
	expect_whole(&child, &full);
	ck_assert_ok(prof_process_registers(child.pid, &registers));
	registers.valid = 1 << RSP;
	registers.value[RBP] = 0x5555;
	walk_registers(&child, &registers, &sparse);
	ck_assert_int_eq(sparse.end, PROF_STACK_WHOLE);
	ck_assert_uint_eq(sparse.count, full.count);
	ck_assert_mem_eq(sparse.frames, full.frames, full.count * sizeof *full.frames);
	finish(&child);
}
END_TEST

START_TEST(broken_registers_give_a_short_stack_and_no_harm)
{
	struct prof_registers good, bad;
	struct child child;
	struct stack stack;
	uint64_t state = 1;

	start(&child, recurse_deep);
	ck_assert_ok(prof_process_registers(child.pid, &good));
	for (unsigned i = 0; i < 3000; i++) {
		bad = good;
		for (unsigned j = 0; j <= RIP; j++) {
			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			unsigned what = state >> 60;
			if (what < 4)
				bad.value[j] = state;
			else if (what < 8)
				bad.value[j] = good.value[RSP] + (state >> 33) % 8192;
			else if (what < 9)
				bad.value[j] = UINT64_MAX - (state >> 33) % 16;
		}
		bad.pc = good.pc + (state >> 40) % 4096 - 2048;
		walk_registers(&child, &bad, &stack);
		ck_assert_uint_eq(stack.frames[0], bad.pc);
	}
	finish(&child);
}
END_TEST

START_TEST(a_stack_that_is_not_there_fails)
{
	static const uint64_t places[] = {0, 8, 0x800000000000, UINT64_MAX - 7, UINT64_MAX};
	struct prof_registers registers;
	struct child child;
	struct stack stack;

	start(&child, recurse_deep);
	ck_assert_ok(prof_process_registers(child.pid, &registers));
	for (size_t i = 0; i < PROF_COUNT(places); i++) {
		registers.value[RSP] = places[i];
		registers.value[RBP] = places[i];
		walk_registers(&child, &registers, &stack);
		ck_assert_int_eq(stack.end, PROF_STACK_FAILED);
		ck_assert_uint_eq(stack.count, 1);
		ck_assert_uint_eq(stack.frames[0], registers.pc);
	}
	finish(&child);
}
END_TEST

START_TEST(a_process_that_is_not_there_has_no_stack)
{
	struct prof_process process;
	struct prof_unwinder *unwinder = NULL;
	struct prof_registers registers = {.pc = 0x1000, .valid = 0x1ffff};
	uint64_t frame;
	enum prof_stack_end end;

	prof_process_init(&process, 0x7fffffff);
	struct prof_target target = prof_process_target(&process);
	ck_assert_ok(prof_unwinder_create(0x7fffffff, &target, &unwinder));
	ck_assert_uint_eq(prof_unwinder_walk(unwinder, &registers, &frame, 1, &end), 1);
	ck_assert_int_eq(end, PROF_STACK_FAILED);
	ck_assert_uint_eq(prof_unwinder_maps(unwinder)->mappings.count, 0);
	prof_unwinder_destroy(unwinder);
	prof_unwinder_destroy(NULL);
	struct prof_error *error = prof_process_registers(0x7fffffff, &registers);
	ck_assert_ptr_nonnull(error);
	prof_error_destroy(error);
}
END_TEST

RUN_TESTS("target_unwind", walks_a_deep_recursion_to_its_end,
	keeps_the_innermost_frames_of_what_is_too_deep,
	reads_a_stack_at_once_when_it_knows_how_deep_they_are, walks_stacks_of_many_megabytes,
	crosses_large_frames, passes_a_signal_handler_on_another_stack,
	passes_a_signal_handler_that_returns_to_who_knows_what, finds_who_called_address_zero,
	finds_who_called_data, passes_a_handler_of_a_call_of_address_zero,
	comes_back_from_the_library_into_the_program, walks_a_thread_to_its_end,
	a_call_that_ends_a_function_counts_for_it, a_coroutine_has_a_stack_of_its_own,
	follows_frame_pointers_where_nothing_else_is_known, is_right_at_every_instruction_of_a_call,
	is_right_all_through_a_lazy_binding, is_right_in_the_vdso,
	is_right_in_stubs_that_nothing_describes, finds_frames_with_a_stack_pointer_alone,
	broken_registers_give_a_short_stack_and_no_harm, a_stack_that_is_not_there_fails,
	a_process_that_is_not_there_has_no_stack)
