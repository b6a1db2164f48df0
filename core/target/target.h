/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is profiled, as the unwinder sees it: memory that can be read, and registers. */
#ifndef PROF_TARGET_TARGET_H
#define PROF_TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes: the smallest page of the machines that gdbprof knows. */
enum { PROF_TARGET_PAGE = 4096 };

/* How the memory of what is profiled is read. */
struct prof_target {
	/*
	 * Reads LENGTH bytes at ADDRESS into BUFFER.  Returns how many it got before the first that
	 * cannot be read; 0 is no error, because stacks are often broken.
	 */
	size_t (*read_memory)(void *context, uint64_t address, void *buffer, size_t length);
	void *context;
};

/* Reads all LENGTH bytes at ADDRESS of TARGET.  False: they cannot all be read. */
static inline bool prof_target_read(
	const struct prof_target *target, uint64_t address, void *buffer, size_t length)
{
	return target->read_memory(target->context, address, buffer, length) == length;
}

/* Memory of a target as it was at some time. */
struct prof_copy {
	uint64_t address;           /* of the first byte */
	const unsigned char *bytes; /* borrowed */
	size_t length;
	size_t needed; /* so many bytes of it have the frames that a walk found */
	bool exceeded; /* it needed what follows the end */
};

/* The memory in COPY, which is borrowed, and nothing else. */
struct prof_target prof_copy_target(struct prof_copy *copy);

/* The most DWARF registers of any architecture that the unwinder knows. */
enum { PROF_REGISTERS = 34 };

/* Within what a thread was stopped, for all that is known. */
enum prof_within {
	PROF_WITHIN_PROGRAM,
	PROF_WITHIN_CALL, /* a system call */
	PROF_WITHIN_WAIT, /* one in which it slept, or was about to, when the stop cut it short */
};

/* Registers by their DWARF numbers; only those with their bit in VALID (1 << number) are known. */
struct prof_registers {
	uint64_t pc;
	enum prof_within within;
	uint64_t valid;
	uint64_t value[PROF_REGISTERS];
};

#endif
