/* What the unwinder must know of a machine: one table row each, in a file of its own. */
#ifndef PROF_TARGET_ARCH_H
#define PROF_TARGET_ARCH_H

#include "target/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PROF_ARCH_CALL = 7,      /* bytes of the longest call instruction */
	PROF_ARCH_STUB = 20,     /* bytes that prof_arch.count_pushed looks at */
	PROF_ARCH_STUB_PAST = 6, /* that many of them before the program counter */
};

struct prof_arch {
	const char *name;
	unsigned machine;        /* e_machine of its ELF files, which are of 64 bits */
	unsigned registers;      /* DWARF registers below this number are unwound */
	unsigned sp, fp;         /* DWARF numbers of the stack and the frame pointer */
	unsigned return_address; /* and of the return address */
	bool pushes_return;      /* a call leaves it at sp; else in that register */
	unsigned red_zone;       /* bytes below sp that functions use, in their own frame */
	uint64_t saved;          /* 1 << number: functions give these registers back as they were */
	/* Of these, libdw says that they are lost where call frame information is silent. */
	uint64_t unsaid;

	/*
	 * Fills RET from LENGTH bytes of the kernel's NT_PRSTATUS register set.  False: they are
	 * too few.
	 */
	bool (*read_registers)(const void *bytes, size_t length, struct prof_registers *ret);

	/*
	 * Whether the PROF_ARCH_CALL bytes at BYTES, those before RETURN_ADDRESS, end in a call.
	 * *DESTINATION is where it goes, or 0 if the instruction alone does not tell.
	 */
	bool (*ends_in_call)(
		const unsigned char *bytes, uint64_t return_address, uint64_t *destination);

	/*
	 * Some linkers describe no stubs of the procedure linkage table.  How many words such a
	 * stub has pushed at the program counter, PROF_ARCH_STUB_PAST bytes after CODE; -1: that
	 * is no stub.
	 */
	int (*count_pushed)(const unsigned char *code);
};

extern const struct prof_arch prof_arch_x86_64;

/* The row for ELF files of MACHINE, or NULL. */
const struct prof_arch *prof_arch_find(unsigned machine);

/* The row for the machine that this code runs on, or NULL. */
const struct prof_arch *prof_arch_native(void);

#endif
