/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/detour.h"

#include "suite.h"
#include "target/process.h"
#include "target/procfs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__LP64__)
#include <elf.h>

enum { PAGE = 4096 };

/* A traced child, a detour in it, and a pipe that its calls write to. */
static struct {
	pid_t child;
	struct prof_detour detour;
	int ends[2];
} test;

static void await_stop(int number)
{
	int status;

	ck_assert_int_eq(waitpid(test.child, &status, 0), test.child);
	ck_assert_msg(WIFSTOPPED(status), "status %x", status);
	ck_assert_int_eq(WSTOPSIG(status), number);
}

/* Starts a child that stops and then runs FUNCTION; the result of that is its exit code. */
static void start(int (*function)(void))
{
	unsigned char code[PROF_DETOUR_CODE];
	char *memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	ck_assert_int_eq(pipe(test.ends), 0);
	test.child = fork();
	if (!test.child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (int i = 1; i < NSIG; i++)
			signal(i, SIG_DFL);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		kill(getpid(), SIGSTOP); /* raise() blocks signals in older C libraries */
		_exit(function());
	}
	await_stop(SIGSTOP);
	test.detour = (struct prof_detour){
		.process = test.child,
		.code = (uintptr_t)memory,
		.data = (uintptr_t)memory + PAGE,
		.marks = true,
	};
	prof_detour_build(&test.detour, code);
	struct prof_error *error =
		prof_process_write(test.child, test.detour.code, code, sizeof code);
	ck_assert_ptr_null(error);
}

static void go_on(int signal)
{
	ck_assert_int_eq(ptrace(PTRACE_CONT, test.child, NULL, (void *)(intptr_t)signal), 0);
}

static struct user_regs_struct registers(void)
{
	struct user_regs_struct set;
	struct iovec into = {&set, sizeof set};

	ck_assert_int_eq(ptrace(PTRACE_GETREGSET, test.child, NT_PRSTATUS, &into), 0);
	return set;
}

/* The child's exit code. */
static int finish(void)
{
	int status;

	ck_assert_int_eq(waitpid(test.child, &status, 0), test.child);
	ck_assert_msg(WIFEXITED(status), "status %x", status);
	return WEXITSTATUS(status);
}

static void end(void)
{
	kill(test.child, SIGKILL);
	waitpid(test.child, NULL, 0);
}

static void signal_child(int number)
{
	ck_assert_int_eq(syscall(SYS_tgkill, test.child, test.child, number), 0);
}

static void await_state(char wanted)
{
	char path[32], state = 0;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)test.child);
	while (state != wanted) {
		FILE *file = fopen(path, "r");
		ck_assert_ptr_nonnull(file);
		ck_assert_int_eq(fscanf(file, "%*d %*s %c", &state), 1);
		fclose(file);
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
}

/* A call that writes the SIZE bytes at OFFSET of the payload to the pipe. */
static struct prof_detour_call to_write(size_t offset, size_t size)
{
	return (struct prof_detour_call){SYS_write,
		{(uint64_t)test.ends[1], prof_detour_payload(&test.detour) + offset, size}};
}

static bool enter(size_t count)
{
	const struct prof_detour_call calls[] = {to_write(0, 2), to_write(2, 2), to_write(4, 2)};

	return prof_detour_enter(&test.detour, test.child, calls, count, "abcdef", 6);
}

/* What the calls have written. */
static const char *written(void)
{
	static char text[16];
	struct pollfd file = {.fd = test.ends[0], .events = POLLIN};
	ssize_t got = poll(&file, 1, 0) ? read(test.ends[0], text, sizeof text - 1) : 0;

	ck_assert_int_ge(got, 0);
	text[got] = '\0';
	return text;
}

static uint64_t done(void)
{
	uint64_t word;
	struct iovec local = {&word, sizeof word};
	struct iovec remote = {
		(void *)(uintptr_t)(test.detour.data + offsetof(struct prof_detour_data, done)),
		sizeof word};

	ck_assert_int_eq(process_vm_readv(test.child, &local, 1, &remote, 1, 0), sizeof word);
	return word;
}

/* Returns 1 when a register, or a flag, is not what it was; 0 when the signal SIGUSR1 has come. */
static volatile sig_atomic_t told;

static void report(int number)
{
	(void)number;
	told = 1;
}

static int watch_registers(void)
{
	signal(SIGUSR1, report);
	while (!told) {
		uint64_t wrong = 1;
		__asm__ volatile(
			"mov $0x1111, %%rax; mov $0x2222, %%rcx; mov $0x3333, %%rdx\n"
			"mov $0x4444, %%rsi; mov $0x5555, %%rdi; mov $0x6666, %%r8\n"
			"mov $0x7777, %%r9; mov $0x8888, %%r10; mov $0x9999, %%r11\n"
			"mov $2000000, %%r12\n"
			"stc\n"
			"1: lea -1(%%r12), %%r12; xchg %%rcx, %%r12; jrcxz 2f\n"
			"xchg %%rcx, %%r12; jmp 1b\n"
			"2: xchg %%rcx, %%r12; jnc 3f\n"
			"cmp $0x1111, %%rax; jne 3f; cmp $0x2222, %%rcx; jne 3f\n"
			"cmp $0x3333, %%rdx; jne 3f; cmp $0x4444, %%rsi; jne 3f\n"
			"cmp $0x5555, %%rdi; jne 3f; cmp $0x6666, %%r8; jne 3f\n"
			"cmp $0x7777, %%r9; jne 3f; cmp $0x8888, %%r10; jne 3f\n"
			"cmp $0x9999, %%r11; jne 3f\n"
			"xor %%ebx, %%ebx\n"
			"3:\n"
			: "+b"(wrong)
			:
			: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "cc");
		if (wrong)
			return 1;
	}
	return 0;
}

static int spin(void)
{
	while (!told)
		__asm__ volatile("");
	return 0;
}

START_TEST(it_makes_its_calls_and_changes_nothing)
{
	static const char *const expected[] = {"", "ab", "abcd", "abcdef"};

	start(watch_registers);
	for (int i = 0; i < 300; i++) {
		size_t count = (size_t)i % 3 + 1;
		go_on(0);
		nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
		signal_child(SIGURG);
		await_stop(SIGURG);
		ck_assert(enter(count));
		ck_assert_uint_eq(done(), 0);
		go_on(0);
		while (!done())
			nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
		ck_assert_str_eq(written(), expected[count]);
		signal_child(SIGURG);
		await_stop(SIGURG);
	}
	signal_child(SIGUSR1);
	go_on(0);
	await_stop(SIGUSR1);
	go_on(SIGUSR1);
	ck_assert_int_eq(finish(), 0);
}
END_TEST

/* Its tracer is gone as soon as it goes on. */
START_TEST(it_needs_nobody_to_come_back)
{
	start(watch_registers);
	go_on(0);
	nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
	signal_child(SIGURG);
	await_stop(SIGURG);
	ck_assert(enter(3));
	ck_assert_int_eq(ptrace(PTRACE_DETACH, test.child, NULL, NULL), 0);
	while (!done())
		nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
	ck_assert_str_eq(written(), "abcdef");
	signal_child(SIGUSR1);
	ck_assert_int_eq(finish(), 0);
}
END_TEST

static void ignore(int number)
{
	(void)number;
}

static int wait_in_pause(void)
{
	signal(SIGUSR1, ignore);
	return pause() == -1 && errno == EINTR ? 0 : 1;
}

static int wait_in_poll(void)
{
	signal(SIGUSR1, ignore);
	return poll(NULL, 0, 100000) == -1 && errno == EINTR ? 0 : 1;
}

static int wait_in_epoll(void)
{
	struct epoll_event event;

	signal(SIGUSR1, ignore);
	return epoll_wait(epoll_create1(0), &event, 1, -1) == -1 && errno == EINTR ? 0 : 1;
}

static int sleep_to_the_end(void)
{
	struct timespec begin, end, span = {.tv_nsec = 300000000};

	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (nanosleep(&span, NULL))
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &end);
	double ms = (double)(end.tv_sec - begin.tv_sec) * 1e3 +
		(double)(end.tv_nsec - begin.tv_nsec) / 1e6;
	return ms >= 300 ? 0 : 2;
}

/* A handler that restarts calls runs, then the pipe is written to. */
static int wait_in_read(void)
{
	struct sigaction action = {.sa_handler = report, .sa_flags = SA_RESTART};
	char byte;

	sigaction(SIGUSR1, &action, NULL);
	return read(test.ends[0], &byte, 1) == 1 && byte == 'x' && told ? 0 : 1;
}

/* Has the child, in a system call, stop by a signal of ours, which it is not to notice. */
static void disturb(void)
{
	await_state('S');
	signal_child(SIGURG);
	await_stop(SIGURG);
	struct user_regs_struct set = registers();
	if ((int64_t)set.rax == -EINTR) {
		struct prof_registers known;
		ck_assert_ptr_null(prof_process_registers(test.child, &known));
		ck_assert(prof_process_retry(test.child, &known));
	}
}

/* FUNCTION waits in a call, which is made again after the detour, and ended by a handler. */
static void check_wait(int (*function)(void))
{
	for (int before = 0; before < 2; before++) {
		start(function);
		go_on(0);
		disturb();
		ck_assert(enter(2));
		/* The signal comes before the calls, or after. */
		if (before)
			signal_child(SIGUSR1);
		go_on(0);
		if (!before) {
			while (!done())
				nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
			ck_assert_str_eq(written(), "abcd");
			await_state('S');
			signal_child(SIGUSR1);
		}
		await_stop(SIGUSR1);
		go_on(SIGUSR1);
		ck_assert_int_eq(finish(), 0);
	}
}

START_TEST(a_call_that_waits_is_made_again_or_ended_by_a_handler)
{
	check_wait(wait_in_pause);
	check_wait(wait_in_poll);
	check_wait(wait_in_epoll);
}
END_TEST

START_TEST(a_call_that_sleeps_does_so_to_the_end)
{
	start(sleep_to_the_end);
	go_on(0);
	for (int i = 0; i < 5; i++) {
		disturb();
		ck_assert(enter(3));
		go_on(0);
		while (!done())
			nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
		ck_assert_str_eq(written(), "abcdef");
	}
	ck_assert_int_eq(finish(), 0);
}
END_TEST

START_TEST(a_call_goes_on_after_a_handler_that_restarts_it)
{
	start(wait_in_read);
	go_on(0);
	disturb();
	ck_assert(prof_detour_enter(
		&test.detour, test.child, &(struct prof_detour_call){SYS_getpid, {0}}, 1, NULL, 0));
	signal_child(SIGUSR1);
	go_on(0);
	await_stop(SIGUSR1);
	go_on(SIGUSR1);
	while (!done())
		nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
	await_state('S');
	ck_assert_int_eq(write(test.ends[1], "x", 1), 1);
	ck_assert_int_eq(finish(), 0);
}
END_TEST

static void check_registers(const struct user_regs_struct *before)
{
	struct user_regs_struct now = registers();

	now.eflags = before->eflags;
	now.orig_rax = before->orig_rax;
	ck_assert_mem_eq(&now, before, sizeof now);
}

/* Wherever it is stopped, it stands where it was sent from. */
START_TEST(it_is_left_at_any_instruction)
{
	bool inside = true;

	start(spin);
	go_on(0);
	nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
	signal_child(SIGURG);
	await_stop(SIGURG);
	struct user_regs_struct before = registers();
	for (int steps = 0; inside; steps++) {
		ck_assert(enter(3));
		for (int i = 0; i < steps; i++) {
			ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, test.child, NULL, NULL), 0);
			await_stop(SIGTRAP);
		}
		inside = prof_detour_leave(&test.detour, test.child);
		if (inside)
			check_registers(&before);
		ck_assert(inside || steps > 30);
		written();
	}
	ck_assert(!prof_detour_leave(&test.detour, test.child));
	end();
}
END_TEST

/* The kernel has not had the call made again when it is left. */
START_TEST(a_call_that_waits_goes_on_when_the_detour_is_left)
{
	int (*const functions[])(void) = {wait_in_pause, wait_in_poll, wait_in_epoll};

	for (size_t i = 0; i < 3; i++) {
		start(functions[i]);
		go_on(0);
		disturb();
		ck_assert(enter(2));
		/* As a debugger's own comes, before it has executed anything. */
		signal_child(SIGSTOP);
		go_on(0);
		await_stop(SIGSTOP);
		ck_assert(prof_detour_leave(&test.detour, test.child));
		ck_assert_uint_eq(done(), 1);
		go_on(0);
		await_state('S');
		ck_assert_str_eq(written(), "");
		signal_child(SIGUSR1);
		await_stop(SIGUSR1);
		go_on(SIGUSR1);
		ck_assert_int_eq(finish(), 0);
	}
}
END_TEST

START_TEST(a_call_can_be_made_at_once)
{
	int64_t result = 0;
	struct prof_detour_call call = {SYS_getpid, {0}};

	start(wait_in_pause);
	struct user_regs_struct before = registers();
	ck_assert(prof_detour_call_now(&test.detour, test.child, &call, &result));
	ck_assert_int_eq(result, test.child);
	check_registers(&before);
	go_on(0);
	disturb();
	before = registers();
	ck_assert(prof_detour_call_now(&test.detour, test.child, &call, &result));
	ck_assert_int_eq(result, test.child);
	check_registers(&before);
	ck_assert_uint_eq(registers().orig_rax, SYS_pause);
	go_on(0);
	await_state('S');
	signal_child(SIGUSR1);
	await_stop(SIGUSR1);
	go_on(SIGUSR1);
	ck_assert_int_eq(finish(), 0);
}
END_TEST

/* Its signal is to reach the debugger, which waits for the thread afterwards. */
START_TEST(a_signal_that_comes_first_stays_the_debuggers)
{
	int64_t result;
	struct prof_detour_call call = {SYS_getpid, {0}};

	start(spin);
	signal_child(SIGUSR1);
	struct user_regs_struct before = registers();
	ck_assert(!prof_detour_call_now(&test.detour, test.child, &call, &result));
	await_stop(SIGUSR1);
	check_registers(&before);
	end();
}
END_TEST

static int block_trap(void)
{
	sigset_t trap;

	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	sigprocmask(SIG_BLOCK, &trap, NULL);
	return spin();
}

START_TEST(who_blocks_traps_is_not_stepped)
{
	int64_t result;
	struct prof_detour_call call = {SYS_getpid, {0}};
	struct prof_signals signals = {0};

	start(block_trap);
	go_on(0);
	while (!(signals.blocked >> (SIGTRAP - 1) & 1))
		ck_assert(prof_procfs_signals(test.child, test.child, &signals));
	signal_child(SIGURG);
	await_stop(SIGURG);
	ck_assert(!prof_detour_call_now(&test.detour, test.child, &call, &result));
	end();
}
END_TEST

struct rseq_answer {
	uint64_t area;
	uint32_t size, signature, flags, pad;
};

/* The kernel would no more see that the sequence was interrupted. */
START_TEST(a_thread_in_a_restartable_sequence_is_not_sent_away)
{
	struct rseq_answer answer;

	start(spin);
	if (ptrace((enum __ptrace_request)0x420f, test.child, sizeof answer, &answer) < 0 ||
		!answer.area) {
		end();
		return;
	}
	uint64_t section[4] = {0, registers().rip - 4, 8, registers().rip + 100};
	uint64_t at = test.detour.data + 1024;
	ck_assert_ptr_null(prof_process_write(test.child, at, section, sizeof section));
	ck_assert_ptr_null(prof_process_write(test.child, answer.area + 8, &at, sizeof at));
	ck_assert(!enter(1));
	section[1] += 100;
	ck_assert_ptr_null(prof_process_write(test.child, at, section, sizeof section));
	ck_assert(enter(1));
	end();
}
END_TEST

/* An event of a call that is under way: the kernel would write its result over the registers. */
START_TEST(a_thread_within_a_call_is_not_sent_away)
{
	int status;

	start(wait_in_pause);
	ck_assert_int_eq(ptrace(PTRACE_SYSCALL, test.child, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(test.child, &status, 0), test.child);
	ck_assert(WIFSTOPPED(status));
	ck_assert(!enter(1));
	end();
}
END_TEST

RUN_TESTS("detour", it_makes_its_calls_and_changes_nothing, it_needs_nobody_to_come_back,
	a_call_that_waits_is_made_again_or_ended_by_a_handler,
	a_call_that_sleeps_does_so_to_the_end, a_call_goes_on_after_a_handler_that_restarts_it,
	it_is_left_at_any_instruction, a_call_that_waits_goes_on_when_the_detour_is_left,
	a_call_can_be_made_at_once, a_signal_that_comes_first_stays_the_debuggers,
	who_blocks_traps_is_not_stepped, a_thread_in_a_restartable_sequence_is_not_sent_away,
	a_thread_within_a_call_is_not_sent_away)

#else

START_TEST(there_is_none_on_this_machine)
{
	ck_assert(!prof_detour_is_possible());
}
END_TEST

RUN_TESTS("detour", there_is_none_on_this_machine)

#endif
