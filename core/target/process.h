/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A live process on this machine as a target. */
#ifndef PROF_TARGET_PROCESS_H
#define PROF_TARGET_PROCESS_H

#include "base/error.h"
#include "target/target.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct prof_process {
	pid_t pid;
};

/* The process PID, which must stay as long as PROCESS is used. */
void prof_process_init(struct prof_process *process, pid_t pid);

/* Memory of PROCESS, which is borrowed, by process_vm_readv(): it need not be stopped. */
struct prof_target prof_process_target(struct prof_process *process);

/* Reads all LENGTH bytes at ADDRESS of the process PID.  False: they cannot all be read. */
bool prof_process_read(pid_t pid, uint64_t address, void *buffer, size_t length);

/*
 * Has THREAD, which this process traces and which has stopped, done so for a signal, INFO?  From
 * any other stop it goes on within the kernel.
 */
bool prof_process_signalled(pid_t thread, siginfo_t *info);

/* Has THREAD, which this process traces and which has stopped, block the signals of MASK, and no
 * others. */
bool prof_process_block(pid_t thread, uint64_t mask);

/* Where the program that the process PID executes begins, its AT_ENTRY; 0: that is not known. */
uint64_t prof_process_entry(pid_t pid);

/*
 * Writes LENGTH BYTES to ADDRESS of the process PID, which this one traces, even to read-only
 * pages. Threads that go on may see half of it.
 */
struct prof_error *prof_process_write(
	pid_t pid, uint64_t address, const void *bytes, size_t length) PROF_MUST_CHECK;

/*
 * The registers of the thread LWP, which must be stopped under a ptrace() of the caller's thread:
 * one PTRACE_GETREGSET.
 */
struct prof_error *prof_process_registers(pid_t lwp, struct prof_registers *ret) PROF_MUST_CHECK;

/*
 * Has the thread LWP of the process PID, which the caller's thread traces, ended?  The end, or
 * a stop, stays for the debugger's own wait.  (waitid() reports the stops of traced threads even if
 * it is asked for ends only.)
 */
bool prof_process_has_ended(pid_t pid, pid_t lwp);

/*
 * The thread LWP, with REGISTERS, stands still under a ptrace() of the caller's thread for a signal
 * that the program shall not see: if a system call of it is about to fail with EINTR for that, it
 * will be made again, and its time limit begins anew.  A handler that runs before still ends it.
 * True: it was so.
 */
bool prof_process_retry(pid_t lwp, const struct prof_registers *registers);

#endif
