/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the unwinder must know of a machine: one table row each, in a file of its own. */
#ifndef PROF_TARGET_ARCH_H
#define PROF_TARGET_ARCH_H

#include "target/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PROF_ARCH_CALL = 7,  /* bytes of the longest call instruction */
	PROF_ARCH_STUB = 12, /* bytes of a stub of the procedure linkage table */
	PROF_ARCH_ARGUMENT =
		24,           /* bytes of code that may load an argument of the call at their end */
	PROF_ARCH_RETURN = 2, /* bytes that show whether an instruction returns */
	PROF_ARCH_CODE = 32,  /* bytes of code by which some kinds of it are recognised */
	PROF_ARCH_CODE_PAST = 16, /* that many of them before the program counter */
	PROF_ARCH_STARTUP = 128,  /* the same of what is longer */
	PROF_ARCH_STARTUP_PAST = 64,
	PROF_ARCH_FRAMED = 1 << 8, /* instead of a number of words: it has a frame pointer */
	PROF_ARCH_USER = 272,      /* bytes of the longest register set */
};

/*
 * Numbers of the system calls by which waits for locks are known: threads wait for each other in
 * these, and for input or time in calls of their own.
 */
struct prof_arch_syscalls {
	int futex, futex_waitv;
	int restart_syscall; /* goes on, after a stop, with a call that it does not name */
	int sigtimedwait;    /* with the numbers of rt_: waits for signals */
};

/* Where the kernel saves registers for a signal handler: bytes above sp as the handler returns. */
struct prof_arch_signal {
	uint16_t registers[PROF_REGISTERS]; /* by DWARF number */
	uint16_t pc;
};

/* The registers as perf_event_open(2) numbers them, for samples: see asm/perf_regs.h. */
struct prof_arch_perf {
	uint64_t mask;                         /* 1 << number: those that are asked for */
	unsigned char numbers[PROF_REGISTERS]; /* by DWARF number */
	unsigned char pc;
};

/* What an instruction shows of the register with the return address right after it. */
enum prof_arch_link {
	PROF_ARCH_LINK_KEPT,  /* nothing */
	PROF_ARCH_LINK_SAVED, /* the frame pointer is at a frame that has it; calls may change it */
	PROF_ARCH_LINK_LIVE,  /* it holds the return address */
	PROF_ARCH_LINK_END,   /* the instruction returns: what follows is reached in other ways */
};

struct prof_arch {
	const char *name;
	unsigned machine;                  /* e_machine of its ELF files, which are of 64 bits */
	unsigned registers;                /* DWARF registers below this number are unwound */
	const char *names[PROF_REGISTERS]; /* by DWARF number, as debuggers call them */
	unsigned sp, fp;                   /* DWARF numbers of the stack and the frame pointer */
	unsigned return_address;           /* and of the return address */
	unsigned result;                   /* and of what a system call returns */
	unsigned longest_instruction;      /* in bytes */
	unsigned char breakpoint; /* one byte, behind which a thread stops; 0: it stops at it */
	bool pushes_return;       /* a call leaves it at sp; else in that register */
	uint64_t code_mask;       /* of a return address, the rest can be a signature */
	unsigned red_zone;        /* bytes below sp that functions use, in their own frame */
	uint64_t saved; /* 1 << number: functions give these registers back as they were */
	/* Registers that libdw calls lost where call frame information is silent. */
	uint64_t unsaid;
	/* The register set with the number of the system call; 0: read_registers() knows it. */
	unsigned call_set;
	struct prof_arch_syscalls syscalls;
	struct prof_arch_signal signal_frame;
	struct prof_arch_perf perf;

	/*
	 * Fills RET from LENGTH bytes of the kernel's NT_PRSTATUS register set.  False: they are
	 * too few.
	 */
	bool (*read_registers)(const void *bytes, size_t length, struct prof_registers *ret);

	/*
	 * A thread stands still for a signal, with the LENGTH bytes of that register set: if a
	 * system call is about to fail with EINTR, has it made again as soon as the thread goes on,
	 * unless a handler runs before.  False: it is not, or must not be made again.  NULL where
	 * the kernel does not show what the call was.
	 */
	bool (*retry_call)(void *bytes, size_t length);

	/*
	 * Do the PROF_ARCH_CALL bytes at BYTES, those before RETURN_ADDRESS, end in a call?
	 * *DESTINATION is where it goes, or 0 if the instruction alone does not show that.
	 */
	bool (*ends_in_call)(
		const unsigned char *bytes, uint64_t return_address, uint64_t *destination);

	/*
	 * Whether the PROF_ARCH_CALL bytes at BYTES, those before RETURN_ADDRESS, end in a call of
	 * what stands in the word at *SLOT; and the PROF_ARCH_STUB bytes of CODE, at ADDRESS, are a
	 * stub that jumps there.  Both NULL where that is not known.
	 */
	bool (*calls_through)(const unsigned char *bytes, uint64_t return_address, uint64_t *slot);
	bool (*jumps_through)(const unsigned char *code, uint64_t address, uint64_t *slot);

	/*
	 * Whether the PROF_ARCH_ARGUMENT bytes at BYTES, those before RETURN_ADDRESS, put *ADDRESS,
	 * one that the program has from the start, into the register of a call's first argument.
	 * NULL where that is not known.
	 */
	bool (*loads_argument)(
		const unsigned char *bytes, uint64_t return_address, uint64_t *address);

	/*
	 * Whether the instruction of which the PROF_ARCH_RETURN bytes at CODE are the first
	 * returns. NULL where debuggers execute no branch elsewhere than where it is.
	 */
	bool (*is_return)(const unsigned char *code);

	/*
	 * Some linkers describe no stubs of the procedure linkage table.  How many words such a
	 * stub has pushed at the program counter, PROF_ARCH_CODE_PAST bytes after CODE, the last
	 * one the return address; -1: that is no stub.
	 */
	int (*count_pushed)(const unsigned char *code);

	/*
	 * The sections .init and .fini are a function each, of pieces that nobody describes.  How
	 * many words it has pushed at OFFSET of the SIZE bytes of its CODE; -1: that is none.  NULL
	 * where it has a frame pointer.
	 */
	int (*count_edge)(const unsigned char *code, size_t size, size_t offset);

	/*
	 * Compilers bring along functions by which programs and libraries begin and end, which
	 * nobody describes either.  How many words such a one has pushed at the program counter,
	 * PROF_ARCH_STARTUP_PAST bytes after CODE of PROF_ARCH_STARTUP bytes, or PROF_ARCH_FRAMED;
	 * -1: that is none.  NULL where a frame pointer and the return address's register do.
	 */
	int (*count_startup)(const unsigned char *code);

	/*
	 * Whether the program counter, PROF_ARCH_CODE_PAST bytes after CODE, or the address after
	 * it, is in what signal handlers return to.
	 */
	bool (*is_signal_return)(const unsigned char *code);

	/* What INSTRUCTION, of 4 bytes, shows.  NULL where calls push the return address. */
	enum prof_arch_link (*classify_link)(const unsigned char *instruction);
};

extern const struct prof_arch prof_arch_aarch64;
extern const struct prof_arch prof_arch_x86_64;

/* The row for ELF files of MACHINE, or NULL. */
const struct prof_arch *prof_arch_find(unsigned machine);

/* The row for the program in the file PATH, the native one if it cannot be read; or NULL. */
const struct prof_arch *prof_arch_of_file(const char *path);

/* The row for the machine that this code runs on, or NULL. */
const struct prof_arch *prof_arch_native(void);

#endif
