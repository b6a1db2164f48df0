/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/detour.h"

#include "target/process.h"

#if defined(__x86_64__) && defined(__LP64__)

#include "base/compiler.h"
#include "target/restart.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

enum { CALL_RESTART = 219, CALL_X32 = 0x40000000, CODE_64 = 0x33, SYSCALL_LENGTH = 2 };

/* ptrace()'s request, which older C libraries lack, and its answer. */
#define GET_RSEQ 0x420f
struct rseq_answer {
	uint64_t area;
	uint32_t size, signature, flags, pad;
};

/* A restartable sequence: see rseq(2). */
struct rseq_section {
	uint32_t version, flags;
	uint64_t start, length, abort;
};

/*
 * The code.  No instruction changes flags or uses the stack.
 *
 *     point 0:      syscall
 *                   lea rcx, [rax + EINTR]; jrcxz interrupted
 *                   load the registers of the next call
 *     point 1:      syscall; the same
 *                   jmp next
 *     interrupted:  load the registers but rax; done = 1; jmp [interrupted]
 *     next:         load the registers of the next call
 *     point 2:      syscall; the same
 *                   load all registers; done = 1; jmp [resume]
 *
 * None of the calls fails with EINTR by itself.  COUNT calls begin at point 3 - COUNT.
 */
enum {
	LOAD = 7,
	CALL = 8,
	NEXT = PROF_DETOUR_LATER * LOAD,
	MARK = 10,
	JUMP = 6,
	POINT_1 = CALL + NEXT,
	INTERRUPTED = POINT_1 + CALL + 2,
	POINT_2 = INTERRUPTED + 8 * LOAD + MARK + JUMP + NEXT,
};
static const uint64_t points[PROF_DETOUR_CALLS] = {0, POINT_1, POINT_2};

/* The registers in the order of struct prof_detour_data, as instructions number them. */
enum { RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11, REGISTERS };
static const unsigned char numbers[REGISTERS] = {0, 1, 2, 6, 7, 8, 9, 10, 11};

/* Those of a later call. */
static const unsigned char later[PROF_DETOUR_LATER] = {RAX, RDI, RSI, RDX, R10};

bool prof_detour_is_possible(void)
{
	return true;
}

struct writer {
	const struct prof_detour *detour;
	unsigned char *code;
	size_t size;
};

static void put(struct writer *writer, const void *bytes, size_t size)
{
	memcpy(writer->code + writer->size, bytes, size);
	writer->size += size;
}

/*
 * The displacement of OFFSET in the data, from an instruction that is followed by BEHIND more
 * bytes.
 */
static void put_offset(struct writer *writer, size_t offset, size_t behind)
{
	uint64_t end = writer->detour->code + writer->size + sizeof(int32_t) + behind;
	int32_t displacement = (int32_t)(writer->detour->data + offset - end);

	put(writer, &displacement, sizeof displacement);
}

/* Loads REGISTER from OFFSET of the data. */
static void put_load(struct writer *writer, unsigned reg, size_t offset)
{
	unsigned number = numbers[reg];
	const unsigned char bytes[] = {
		number < 8 ? 0x48 : 0x4c, 0x8b, (unsigned char)(5 | (number & 7) << 3)};

	put(writer, bytes, sizeof bytes);
	put_offset(writer, offset, 0);
}

static void put_loads(struct writer *writer, unsigned first)
{
	for (unsigned i = first; i < REGISTERS; i++)
		put_load(writer, i,
			offsetof(struct prof_detour_data, registers) + i * sizeof(uint64_t));
}

static void put_next(struct writer *writer, unsigned index)
{
	size_t offset = offsetof(struct prof_detour_data, later) +
		index * PROF_DETOUR_LATER * sizeof(uint64_t);

	for (unsigned i = 0; i < PROF_DETOUR_LATER; i++)
		put_load(writer, later[i], offset + i * sizeof(uint64_t));
}

static void put_call(struct writer *writer)
{
	static const unsigned char bytes[] = {0x0f, 0x05, 0x48, 0x8d, 0x48, EINTR, 0xe3};

	put(writer, bytes, sizeof bytes);
	unsigned char distance = (unsigned char)(INTERRUPTED - (int)writer->size - 1);
	put(writer, &distance, 1);
}

/* Ends the detour: continues at the address that is at OFFSET of the data. */
static void put_end(struct writer *writer, size_t offset)
{
	static const unsigned char mark[] = {0xc7, 0x05}, jump[] = {0xff, 0x25};
	static const unsigned char nothing[MARK] = {
		0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00};
	static const uint32_t one = 1;

	if (writer->detour->marks) {
		put(writer, mark, sizeof mark);
		put_offset(writer, offsetof(struct prof_detour_data, done), sizeof one);
		put(writer, &one, sizeof one);
	} else {
		put(writer, nothing, sizeof nothing);
	}
	put(writer, jump, sizeof jump);
	put_offset(writer, offset, 0);
}

void prof_detour_build(const struct prof_detour *detour, unsigned char code[PROF_DETOUR_CODE])
{
	static const unsigned char over[] = {0xeb, 8 * LOAD + MARK + JUMP};
	struct writer writer = {.detour = detour, .code = code};

	memset(code, 0xcc, PROF_DETOUR_CODE);
	put_call(&writer);
	put_next(&writer, 0);
	put_call(&writer);
	put(&writer, over, sizeof over);
	put_loads(&writer, RCX);
	put_end(&writer, offsetof(struct prof_detour_data, interrupted));
	put_next(&writer, 1);
	put_call(&writer);
	put_loads(&writer, RAX);
	put_end(&writer, offsetof(struct prof_detour_data, resume));
}

uint64_t prof_detour_argument(const struct prof_detour *detour, size_t index, size_t count)
{
	size_t at = PROF_DETOUR_CALLS - count + index - 1;

	return detour->data + offsetof(struct prof_detour_data, later) +
		(at * PROF_DETOUR_LATER + 1) * sizeof(uint64_t);
}

uint64_t prof_detour_payload(const struct prof_detour *detour)
{
	return detour->data + offsetof(struct prof_detour_data, payload);
}

static bool read_registers(pid_t thread, struct user_regs_struct *ret)
{
	struct iovec set = {ret, sizeof *ret};

	return !ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &set) && set.iov_len == sizeof *ret;
}

static bool write_registers(pid_t thread, struct user_regs_struct *registers)
{
	struct iovec set = {registers, sizeof *registers};

	return !ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &set);
}

static bool write_memory(pid_t process, uint64_t address, void *bytes, size_t length)
{
	struct iovec local = {bytes, length};
	struct iovec remote = {(void *)(uintptr_t)address, length};

	if (process_vm_writev(process, &local, 1, &remote, 1, 0) == (ssize_t)length)
		return true;
	AUTO_ERROR struct prof_error *error = prof_process_write(process, address, bytes, length);
	return !error;
}

/* Will the kernel restart the call that THREAD was in? */
static bool restarts(const struct user_regs_struct *registers)
{
	switch (-(int64_t)registers->rax) {
	case ERESTARTSYS:
	case ERESTARTNOINTR:
	case ERESTARTNOHAND:
	case ERESTART_RESTARTBLOCK:
		return (int64_t)registers->orig_rax >= 0;
	default:
		return false;
	}
}

/* Was it made by a syscall instruction, like those of the detour? */
static bool is_syscall(pid_t process, const struct user_regs_struct *registers)
{
	unsigned char code[SYSCALL_LENGTH];

	return !(registers->orig_rax & CALL_X32) &&
		prof_process_read(process, registers->rip - sizeof code, code, sizeof code) &&
		code[0] == 0x0f && code[1] == 0x05;
}

/*
 * In a restartable sequence, the kernel must see where THREAD was when it goes on.  If that is
 * unknown, assume that THREAD is in one.
 */
static bool is_in_sequence(pid_t process, pid_t thread, uint64_t pc)
{
	struct rseq_answer answer;
	struct rseq_section section;
	uint64_t current;

	if (ptrace((enum __ptrace_request)GET_RSEQ, thread, sizeof answer, &answer) !=
		sizeof answer)
		return true;
	if (!answer.area)
		return false;
	if (!prof_process_read(process, answer.area + sizeof(uint64_t), &current, sizeof current))
		return true;
	return current &&
		(!prof_process_read(process, current, &section, sizeof section) ||
			pc - section.start < section.length);
}

static bool can_enter(
	const struct prof_detour *detour, pid_t thread, const struct user_regs_struct *registers)
{
	return registers->cs == CODE_64 &&
		(!restarts(registers) || is_syscall(detour->process, registers)) &&
		!is_in_sequence(detour->process, thread, registers->rip);
}

/* The registers and the place to which the detour of a thread with REGISTERS returns. */
static struct prof_detour_data lead_back(const struct user_regs_struct *registers)
{
	bool again = restarts(registers);
	bool goes_on = again && -(int64_t)registers->rax == ERESTART_RESTARTBLOCK;

	return (struct prof_detour_data){
		.registers = {goes_on   ? CALL_RESTART
				: again ? registers->orig_rax
					: registers->rax,
			registers->rcx, registers->rdx, registers->rsi, registers->rdi,
			registers->r8, registers->r9, registers->r10, registers->r11},
		.resume = registers->rip - (again ? SYSCALL_LENGTH : 0),
		.interrupted = registers->rip,
	};
}

/* The registers of a thread that is to make CALL at POINT and later continue with REGISTERS. */
static struct user_regs_struct lead_away(const struct user_regs_struct *registers, uint64_t point,
	const struct prof_detour_call *call)
{
	struct user_regs_struct away = *registers;
	bool again = restarts(registers);

	away.rip = point + (again ? SYSCALL_LENGTH : 0);
	away.orig_rax = again ? call->number : (uint64_t)-1;
	if (!again)
		away.rax = call->number;
	else if (-(int64_t)away.rax == ERESTART_RESTARTBLOCK)
		away.rax = (uint64_t)-ERESTARTNOHAND; /* a handler ends these as well */
	away.rdi = call->arguments[0];
	away.rsi = call->arguments[1];
	away.rdx = call->arguments[2];
	away.r10 = call->arguments[3];
	away.r8 = call->arguments[4];
	away.r9 = call->arguments[5];
	return away;
}

bool prof_detour_enter(const struct prof_detour *detour, pid_t thread,
	const struct prof_detour_call *calls, size_t count, const void *payload, size_t size)
{
	struct user_regs_struct before;
	siginfo_t info;

	if (!prof_process_signalled(thread, &info) || !read_registers(thread, &before) ||
		!can_enter(detour, thread, &before))
		return false;
	size_t first = PROF_DETOUR_CALLS - count;
	struct prof_detour_data data = lead_back(&before);
	for (size_t i = 1; i < count; i++) {
		uint64_t *to = data.later[first + i - 1];
		to[0] = calls[i].number;
		memcpy(to + 1, calls[i].arguments, (PROF_DETOUR_LATER - 1) * sizeof *to);
	}
	if (size)
		memcpy(data.payload, payload, size);
	struct user_regs_struct away = lead_away(&before, detour->code + points[first], calls);
	return write_memory(detour->process, detour->data, &data, sizeof data) &&
		write_registers(thread, &away);
}

/*
 * Lets THREAD execute the instruction at POINT.  False: it has stopped for another reason, or has
 * ended, which its debugger does not know yet.
 */
static bool step(pid_t thread, uint64_t point, struct user_regs_struct *after)
{
	siginfo_t info = {0};

	return !ptrace(PTRACE_SINGLESTEP, thread, NULL, NULL) &&
		!waitid(P_PID, (id_t)thread, &info, WSTOPPED | WEXITED | WNOWAIT | __WALL) &&
		info.si_code == CLD_TRAPPED && info.si_status == SIGTRAP &&
		read_registers(thread, after) && after->rip == point + SYSCALL_LENGTH &&
		!waitid(P_PID, (id_t)thread, &info, WSTOPPED | WNOHANG | __WALL);
}

bool prof_detour_call_now(const struct prof_detour *detour, pid_t thread,
	const struct prof_detour_call *call, int64_t *result)
{
	struct user_regs_struct before, after;
	uint64_t mask, point = detour->code + points[PROF_DETOUR_CALLS - 1];
	siginfo_t info;

	/* The kernel would unblock the signal for ever. */
	if (ptrace(PTRACE_GETSIGMASK, thread, sizeof mask, &mask) || mask >> (SIGTRAP - 1) & 1)
		return false;
	if (!prof_process_signalled(thread, &info) || !read_registers(thread, &before) ||
		!prof_detour_enter(detour, thread, call, 1, NULL, 0))
		return false;
	if (!step(thread, point, &after)) {
		prof_detour_leave(detour, thread);
		return false;
	}
	*result = (int64_t)after.rax;
	write_registers(thread, &before);
	/* The debugger continues it with the signal for which it has stopped. */
	ptrace(PTRACE_SETSIGINFO, thread, NULL, &info);
	return true;
}

/* Is THREAD, with REGISTERS, where an interrupted call leads, at OFFSET of the code? */
static bool is_interrupted(const struct user_regs_struct *registers, uint64_t offset)
{
	if (offset >= INTERRUPTED && offset < INTERRUPTED + 8 * LOAD + MARK + JUMP)
		return true;
	for (size_t i = 0; i < PROF_COUNT(points); i++) {
		uint64_t behind = offset - points[i];
		if (behind >= SYSCALL_LENGTH && behind < CALL)
			return (int64_t)registers->rax == -EINTR;
	}
	return false;
}

bool prof_detour_leave(const struct prof_detour *detour, pid_t thread)
{
	struct user_regs_struct registers;
	struct prof_detour_data data;

	if (!read_registers(thread, &registers) ||
		registers.rip - detour->code >= PROF_DETOUR_CODE ||
		!prof_process_read(detour->process, detour->data, &data, sizeof data))
		return false;
	uint64_t offset = registers.rip - detour->code;
	bool again = restarts(&registers);
	bool interrupted = is_interrupted(&registers, offset);
	if (again) {
		/* The kernel has not restarted the call yet. */
		registers.orig_rax = data.registers[RAX];
		if (data.registers[RAX] == CALL_RESTART)
			registers.rax = (uint64_t)-ERESTART_RESTARTBLOCK;
	} else if (!interrupted) {
		registers.rax = data.registers[RAX];
		registers.orig_rax = (uint64_t)-1;
	}
	registers.rip = again || interrupted ? data.interrupted : data.resume;
	registers.rcx = data.registers[RCX];
	registers.rdx = data.registers[RDX];
	registers.rsi = data.registers[RSI];
	registers.rdi = data.registers[RDI];
	registers.r8 = data.registers[R8];
	registers.r9 = data.registers[R9];
	registers.r10 = data.registers[R10];
	registers.r11 = data.registers[R11];
	if (!write_registers(thread, &registers))
		return false;
	data.done = 1;
	write_memory(detour->process, detour->data + offsetof(struct prof_detour_data, done),
		&data.done, sizeof data.done);
	return true;
}

#else

bool prof_detour_is_possible(void)
{
	return false;
}

void prof_detour_build(const struct prof_detour *detour, unsigned char code[PROF_DETOUR_CODE])
{
	(void)detour;
	(void)code;
}

uint64_t prof_detour_argument(const struct prof_detour *detour, size_t index, size_t count)
{
	(void)index;
	(void)count;
	return detour->data;
}

uint64_t prof_detour_payload(const struct prof_detour *detour)
{
	return detour->data;
}

bool prof_detour_enter(const struct prof_detour *detour, pid_t thread,
	const struct prof_detour_call *calls, size_t count, const void *payload, size_t size)
{
	(void)detour;
	(void)thread;
	(void)calls;
	(void)count;
	(void)payload;
	(void)size;
	return false;
}

bool prof_detour_call_now(const struct prof_detour *detour, pid_t thread,
	const struct prof_detour_call *call, int64_t *result)
{
	(void)detour;
	(void)thread;
	(void)call;
	(void)result;
	return false;
}

bool prof_detour_leave(const struct prof_detour *detour, pid_t thread)
{
	(void)detour;
	(void)thread;
	return false;
}

#endif
