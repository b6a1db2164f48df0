/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/process.h"

#include "target/arch.h"
#include "target/target.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECES = 64 };

void prof_process_init(struct prof_process *process, pid_t pid)
{
	process->pid = pid;
}

/* Reads LENGTH bytes, or the first of them, in one request, divided at page borders. */
static size_t read_pages(pid_t pid, uint64_t address, void *buffer, size_t length)
{
	struct iovec pieces[PIECES];
	unsigned long count = 0;
	size_t asked = 0;

	while (asked < length && count < PIECES) {
		size_t piece = PROF_TARGET_PAGE - (address + asked) % PROF_TARGET_PAGE;
		if (piece > length - asked)
			piece = length - asked;
		pieces[count++] = (struct iovec){(void *)(uintptr_t)(address + asked), piece};
		asked += piece;
	}
	struct iovec local = {buffer, asked};
	ssize_t got = process_vm_readv(pid, &local, 1, pieces, count, 0);
	return got > 0 ? got : 0;
}

/*
 * A single piece takes two thirds of the time.  The kernel then returns the number of bytes that it
 * could read, although it only promises whole pieces: if it does not, the pieces find where memory
 * ends.
 */
static size_t read_memory(void *context, uint64_t address, void *buffer, size_t length)
{
	const struct prof_process *process = context;
	struct iovec local = {buffer, length};
	struct iovec remote = {(void *)(uintptr_t)address, length};
	ssize_t got = process_vm_readv(process->pid, &local, 1, &remote, 1, 0);
	size_t piece, total = 0;

	if (got > 0)
		return got;
	while (total < length &&
		(piece = read_pages(
			 process->pid, address + total, (char *)buffer + total, length - total)))
		total += piece;
	return total;
}

struct prof_target prof_process_target(struct prof_process *process)
{
	return (struct prof_target){read_memory, process};
}

bool prof_process_read(pid_t pid, uint64_t address, void *buffer, size_t length)
{
	struct prof_process process = {pid};
	const struct prof_target target = prof_process_target(&process);

	return prof_target_read(&target, address, buffer, length);
}

bool prof_process_signalled(pid_t thread, siginfo_t *info)
{
	return !ptrace(PTRACE_GETSIGINFO, thread, NULL, info) &&
		(info->si_signo != SIGTRAP || (info->si_code & 0x7f) != SIGTRAP);
}

bool prof_process_block(pid_t thread, uint64_t mask)
{
	return !ptrace(PTRACE_SETSIGMASK, thread, sizeof mask, &mask);
}

uint64_t prof_process_entry(pid_t pid)
{
	Elf64_auxv_t vector[64];
	char path[32];

	snprintf(path, sizeof path, "/proc/%d/auxv", (int)pid);
	AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = file < 0 ? -1 : read(file, vector, sizeof vector);
	for (ssize_t i = 0; i < got / (ssize_t)sizeof *vector; i++) {
		if (vector[i].a_type == AT_ENTRY)
			return vector[i].a_un.a_val;
	}
	return 0;
}

struct prof_error *prof_process_write(pid_t pid, uint64_t address, const void *bytes, size_t length)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
	AUTO_CLOSE int file = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t put = file < 0 ? -1 : pwrite(file, bytes, length, (off_t)address);
	if (put == (ssize_t)length)
		return NULL;
	return prof_error_create(PROF_ERROR_SYSTEM,
		"Cannot write the memory of process %d at 0x%llx: %s.", (int)pid,
		(unsigned long long)address, put < 0 ? strerror(errno) : "it ends there");
}

/*
 * Is the thread LWP in a system call?  The register set SET has the call's number, or -1 outside
 * of calls.
 */
static bool is_in_call(pid_t lwp, unsigned set)
{
	int number;
	struct iovec into = {&number, sizeof number};

	return !ptrace(PTRACE_GETREGSET, lwp, set, &into) && number >= 0;
}

struct prof_error *prof_process_registers(pid_t lwp, struct prof_registers *ret)
{
	const struct prof_arch *arch = prof_arch_native();
	unsigned char registers[PROF_ARCH_USER];
	struct iovec set = {registers, sizeof registers};

	if (!arch)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"gdbprof does not know the registers of this machine.");
	if (ptrace(PTRACE_GETREGSET, lwp, NT_PRSTATUS, &set))
		return prof_error_create(PROF_ERROR_SYSTEM,
			"Cannot read the registers of thread %d: %s.", (int)lwp, strerror(errno));
	if (!arch->read_registers(registers, set.iov_len, ret))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"Thread %d does not belong to a 64-bit program.", (int)lwp);
	if (arch->call_set && is_in_call(lwp, arch->call_set))
		ret->within = PROF_WITHIN_CALL;
	return NULL;
}

bool prof_process_has_ended(pid_t pid, pid_t lwp)
{
	siginfo_t info = {0};

	if (syscall(SYS_tgkill, pid, lwp, 0))
		return true;
	return !waitid(P_PID, (id_t)lwp, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) &&
		info.si_pid &&
		(info.si_code == CLD_EXITED || info.si_code == CLD_KILLED ||
			info.si_code == CLD_DUMPED);
}

bool prof_process_retry(pid_t lwp, const struct prof_registers *registers)
{
	const struct prof_arch *arch = prof_arch_native();
	unsigned char bytes[PROF_ARCH_USER];
	struct iovec set = {bytes, sizeof bytes};

	/* This is rare at a stop, so reading the whole set is worth its time. */
	return arch && arch->retry_call && (int64_t)registers->value[arch->result] == -EINTR &&
		!ptrace(PTRACE_GETREGSET, lwp, NT_PRSTATUS, &set) &&
		arch->retry_call(bytes, set.iov_len) &&
		!ptrace(PTRACE_SETREGSET, lwp, NT_PRSTATUS, &set);
}
