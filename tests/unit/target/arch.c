/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/arch.h"

#include "base/compiler.h"
#include "suite.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <unistd.h>

#ifndef SYS_futex_waitv /* the headers are older than Linux 5.16 */
#define SYS_futex_waitv 449
#endif

START_TEST(every_register_of_the_kernel_finds_its_number)
{
	struct user_regs_struct user = {
		.rax = 100,
		.rdx = 101,
		.rcx = 102,
		.rbx = 103,
		.rsi = 104,
		.rdi = 105,
		.rbp = 106,
		.rsp = 107,
		.r8 = 108,
		.r9 = 109,
		.r10 = 110,
		.r11 = 111,
		.r12 = 112,
		.r13 = 113,
		.r14 = 114,
		.r15 = 115,
		.rip = 116,
	};
	struct prof_registers registers = {0};

	ck_assert(prof_arch_x86_64.read_registers(&user, sizeof user, &registers));
	for (unsigned i = 0; i < prof_arch_x86_64.registers; i++)
		ck_assert_uint_eq(registers.value[i], 100 + i);
	ck_assert_uint_eq(registers.pc, 116);
	ck_assert_uint_eq(registers.valid, 0x1ffff);
}
END_TEST

START_TEST(an_argument_is_found_before_the_call)
{
	static const struct {
		unsigned char bytes[PROF_ARCH_ARGUMENT];
		uint64_t address; /* of a call before 0x1000; 0: none is found */
	} cases[] = {
		/* nop ...; lea 0x100(%rip),%rdi; mov %ebx,%esi; call */
		{{[10] = 0x48, 0x8d, 0x3d, 0, 1, 0, 0, 0x89, 0xde, 0xe8}, 0xff9 + 0x100},
		/* Right before it, and at the very beginning. */
		{{[12] = 0x48, 0x8d, 0x3d, 0xf0, 0xff, 0xff, 0xff, 0xe8}, 0xffb - 16},
		{{0x48, 0x8d, 0x3d, 0, 1, 0, 0, [19] = 0xe8}, 0xfef + 0x100},
		/* The last one counts. */
		{{0x48, 0x8d, 0x3d, 1, 1, 0, 0, 0x48, 0x8d, 0x3d, 2, 1, 0, 0, [19] = 0xe8},
			0xff6 + 0x102},
		/* mov $0x403c40,%edi; call, and an lea of another register */
		{{[14] = 0xbf, 0x40, 0x3c, 0x40, 0, 0xe8}, 0x403c40},
		{{[2] = 0x48, 0x8d, 0x35, 0, 1, 0, 0, [14] = 0xbf, 0x40, 0x3c, 0x40, 0, 0xe8},
			0x403c40},
		/* Too close to be of an instruction before the call. */
		{{[15] = 0xbf, 0x40, 0x3c, 0x40, 0xe8}, 0},
		{{[19] = 0xe8}, 0},
	};

	for (size_t i = 0; i < PROF_COUNT(cases); i++) {
		uint64_t address = 0;
		bool found = prof_arch_x86_64.loads_argument(cases[i].bytes, 0x1000, &address);
		ck_assert_msg(found == (cases[i].address != 0) && address == cases[i].address,
			"%zu: %#lx", i, (unsigned long)address);
	}
}
END_TEST

START_TEST(a_register_set_that_is_too_short_is_refused)
{
	struct prof_registers registers;

	ck_assert(!prof_arch_x86_64.read_registers("", 0, &registers));
}
END_TEST

START_TEST(a_call_that_a_signal_cuts_short_is_made_again)
{
	const struct {
		int64_t call, result;
		bool again;
	} rows[] = {
		{SYS_epoll_wait, -EINTR, true}, {SYS_semtimedop, -EINTR, true},
		{SYS_epoll_wait, -EAGAIN, false}, {SYS_epoll_wait, 4, false},
		{SYS_close, -EINTR, false}, {-1, -EINTR, false}, /* stopped in its own code */
	};

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		struct user_regs_struct user = {
			.orig_rax = (uint64_t)rows[i].call,
			.rax = (uint64_t)rows[i].result,
			.rip = 116,
			.r15 = 117,
		};
		struct user_regs_struct expected = user;
		/* What the kernel itself puts there for pause(). */
		if (rows[i].again)
			expected.rax = (uint64_t)-514;
		ck_assert(prof_arch_x86_64.retry_call(&user, sizeof user) == rows[i].again);
		ck_assert(!memcmp(&user, &expected, sizeof user));
		ck_assert(!prof_arch_x86_64.retry_call(&user, sizeof user - 1));
	}
}
END_TEST

START_TEST(a_machine_is_found_by_its_number)
{
	ck_assert_ptr_eq(prof_arch_find(EM_X86_64), &prof_arch_x86_64);
	ck_assert_ptr_null(prof_arch_find(EM_NONE));
}
END_TEST

struct call {
	unsigned char bytes[PROF_ARCH_CALL];
	bool is;
	uint64_t destination;
};

static const struct call calls[] = {
	{{0x90, 0x90, 0xe8, 0x00, 0x01, 0x00, 0x00}, true, 0x1100}, /* call +0x100 */
	{{0x90, 0x90, 0xe8, 0xff, 0xff, 0xff, 0xff}, true, 0x0fff}, /* call -1 */
	{{0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0}, true, 0},      /* call *%rax */
	{{0x90, 0x90, 0x90, 0x90, 0x41, 0xff, 0xd4}, true, 0},      /* call *%r12 */
	{{0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0x10}, true, 0},      /* call *(%rax) */
	{{0x90, 0x90, 0x90, 0x90, 0xff, 0x50, 0x08}, true, 0},      /* call *8(%rax) */
	{{0x90, 0xff, 0x15, 0x00, 0x01, 0x00, 0x00}, true, 0},      /* call *0x100(%rip) */
	{{0xff, 0x94, 0xc3, 0x00, 0x01, 0x00, 0x00}, true, 0},      /* *0x100(%rbx,%rax,8) */
	{{0xff, 0x14, 0xc5, 0x00, 0x01, 0x00, 0x00}, true, 0},      /* call *0x100(,%rax,8) */
	{{0x90, 0x90, 0x90, 0x90, 0xff, 0x14, 0xc3}, true, 0},      /* call *(%rbx,%rax,8) */
	{{0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xe0}, false, 0},     /* jmp *%rax */
	{{0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0x50}, false, 0},     /* half of one */
	{{0x90, 0x90, 0xe9, 0x00, 0x01, 0x00, 0x00}, false, 0},     /* jmp +0x100 */
	{{0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90}, false, 0},
};

START_TEST(a_program_tells_its_machine)
{
	ck_assert_ptr_eq(prof_arch_of_file("/proc/self/exe"), prof_arch_native());
	ck_assert_ptr_eq(prof_arch_of_file("/proc/self/nothing"), prof_arch_native());
	ck_assert_ptr_eq(prof_arch_of_file("/dev/null"), prof_arch_native());

	char path[] = "/tmp/target_arch.XXXXXX";
	Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32}, .e_machine = EM_386};
	int fd = mkstemp(path);
	ck_assert_int_eq(write(fd, &header, sizeof header), sizeof header);
	ck_assert_ptr_null(prof_arch_of_file(path));
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_machine = EM_AARCH64;
	ck_assert_int_eq(pwrite(fd, &header, sizeof header, 0), sizeof header);
	ck_assert_ptr_eq(prof_arch_of_file(path), &prof_arch_aarch64);
	close(fd);
	unlink(path);
}
END_TEST

START_TEST(calls_are_told_from_other_instructions)
{
	for (size_t i = 0; i < PROF_COUNT(calls); i++) {
		uint64_t destination = 1;
		bool is = prof_arch_x86_64.ends_in_call(calls[i].bytes, 0x1000, &destination);
		ck_assert_msg(is == calls[i].is, "row %zu", i);
		ck_assert_uint_eq(destination, calls[i].destination);
	}
}
END_TEST

enum { PC = PROF_ARCH_CODE_PAST };

struct stub {
	unsigned char code[PROF_ARCH_CODE]; /* around the program counter */
	int pushed;
};

static const struct stub stubs[] = {
	{{[PC] = 0xff, 0x25, 0, 1, 0, 0, 0x68, 1, 0, 0, 0, 0xe9}, 0},       /* jmp *GOT */
	{{[PC - 6] = 0xff, 0x25, 0, 1, 0, 0, 0x68, 1, 0, 0, 0, 0xe9}, 0},   /* push $1 */
	{{[PC - 6] = 0x25, 0x68, 1, 0, 0, 0, 0xe9}, 1},                     /* jmp, after it */
	{{[PC] = 0xff, 0x35, 0, 1, 0, 0, 0xff, 0x25}, 1},                   /* push GOT+8 */
	{{[PC - 6] = 0xff, 0x35, 0, 1, 0, 0, 0xff, 0x25}, 2},               /* jmp, after it */
	{{[PC - 6] = 0xff, 0x35, 0, 1, 0, 0, 0xf2, 0xff, 0x25}, 2},         /* bnd jmp, after it */
	{{[PC] = 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25}, 0},             /* endbr64; bnd jmp */
	{{[PC] = 0xf3, 0x0f, 0x1e, 0xfa, 0x68, 1, 0, 0, 0, 0xf2, 0xe9}, 0}, /* endbr64; push */
	{{[PC] = 0xe9, 0, 1, 0, 0}, -1},                                    /* any jmp */
	{{[PC] = 0x68, 1, 0, 0, 0, 0xe8}, -1},                              /* push, call */
	{{[PC] = 0x55, 0x48, 0x89, 0xe5}, -1},                              /* a function */
};

START_TEST(stubs_of_the_linkage_table_are_told_from_functions)
{
	for (size_t i = 0; i < PROF_COUNT(stubs); i++) {
		int pushed = prof_arch_x86_64.count_pushed(stubs[i].code);
		ck_assert_msg(pushed == stubs[i].pushed, "row %zu: %d", i, pushed);
	}
}
END_TEST

/* _init of two C libraries, and what is pushed at the instructions. */
struct edge {
	const char *code;
	int pushed[20]; /* 9: no instruction begins there */
};

static const struct edge edges[] = {
	{"\xf3\x0f\x1e\xfa\x48\x83\xec\x08\xff\xd0\x48\x83\xc4\x08\xc3",
		{0, 9, 9, 9, 0, 9, 9, 9, 1, 1, 1, 9, 9, 9, 0}},
	{"\x50\xe8\x01\x01\x01\xc3\x58\xc3", {0, 1, 9, 9, 9, 1, 1, 0}},
	{"\x48\x83\xec\x08\x48\x83\xc4\x08\xc3", {0, 9, 9, 9, 1, 9, 9, 9, 0}},
	{"\x55\x48\x89\xe5\xff\xd0\xc3", {-1, -1, 9, 9, -1, -1, -1}},     /* by no library */
	{"\x48\x83\xec\x08\x48\x83\xc4\x08", {-1, 9, 9, 9, -1, 9, 9, 9}}, /* cut */
	{"\x48\x83\xec\x08", {-1, 9, 9, 9}},
	{"\xf3\x0f\x1e\xfa", {-1, 9, 9, 9}},
};

START_TEST(init_and_fini_are_known_by_their_look)
{
	for (size_t i = 0; i < PROF_COUNT(edges); i++) {
		const unsigned char *code = (const unsigned char *)edges[i].code;
		size_t size = strlen(edges[i].code);
		for (size_t at = 0; at < size; at++) {
			int pushed = prof_arch_x86_64.count_edge(code, size, at);
			ck_assert_msg(edges[i].pushed[at] == 9 || edges[i].pushed[at] == pushed,
				"row %zu, byte %zu: %d", i, at, pushed);
		}
		ck_assert_int_eq(prof_arch_x86_64.count_edge(code, size, size), -1);
	}
}
END_TEST

START_TEST(what_handlers_return_to_is_known_by_its_look)
{
	const unsigned char bytes[3 * PROF_ARCH_CODE] = {
		[PROF_ARCH_CODE] = 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05};
	const unsigned char *first = bytes + PROF_ARCH_CODE - PC;

	/* The instructions themselves, and what is looked up for a return to the first. */
	ck_assert(prof_arch_x86_64.is_signal_return(first));
	ck_assert(prof_arch_x86_64.is_signal_return(first + 7));
	ck_assert(prof_arch_x86_64.is_signal_return(first - 1));
	ck_assert(!prof_arch_x86_64.is_signal_return(first - 2));
	ck_assert(!prof_arch_x86_64.is_signal_return(first + 9));
}
END_TEST

START_TEST(knows_the_system_calls_of_this_machine)
{
	const struct prof_arch *arch = prof_arch_native();

	ck_assert_ptr_nonnull(arch);
	ck_assert_int_eq(arch->syscalls.futex, SYS_futex);
	ck_assert_int_eq(arch->syscalls.futex_waitv, SYS_futex_waitv);
	ck_assert_int_eq(arch->syscalls.restart_syscall, SYS_restart_syscall);
	ck_assert_int_eq(arch->syscalls.sigtimedwait, SYS_rt_sigtimedwait);
}
END_TEST

RUN_TESTS("arch", every_register_of_the_kernel_finds_its_number,
	an_argument_is_found_before_the_call, a_register_set_that_is_too_short_is_refused,
	a_call_that_a_signal_cuts_short_is_made_again, a_machine_is_found_by_its_number,
	a_program_tells_its_machine, calls_are_told_from_other_instructions,
	stubs_of_the_linkage_table_are_told_from_functions, init_and_fini_are_known_by_their_look,
	what_handlers_return_to_is_known_by_its_look, knows_the_system_calls_of_this_machine)
