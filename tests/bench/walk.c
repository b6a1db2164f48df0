/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks a stopped thread's stack for those who know its registers: walk PID.  Each line of input
 * has them in hex, by DWARF number; each line of output the lookup addresses that were found, the
 * innermost first, behind how the walk ended, and whether the outermost function was called: it is
 * described, and not at its first byte.
 */
#include "base/error.h"
#include "target/arch.h"
#include "target/process.h"
#include "target/unwind.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH = 4096 };

/* Reads a line of registers for ARCH.  False: there is none. */
static bool read_registers(const struct prof_arch *arch, struct prof_registers *registers)
{
	registers->valid = (UINT64_C(1) << arch->registers) - 1;
	for (unsigned i = 0; i < arch->registers; i++) {
		if (scanf("%" SCNx64, &registers->value[i]) != 1)
			return false;
	}
	registers->pc = registers->value[arch->return_address];
	return true;
}

int main(int argc, char **argv)
{
	static uint64_t frames[DEPTH];
	const struct prof_arch *arch = prof_arch_native();
	struct prof_registers registers;
	struct prof_process process;
	struct prof_unwinder *unwinder;
	enum prof_stack_end end;
	uint64_t low, high;

	if (argc < 2 || !arch)
		return 2;
	prof_process_init(&process, (pid_t)strtol(argv[1], NULL, 10));
	const struct prof_target target = prof_process_target(&process);
	AUTO_ERROR struct prof_error *error = prof_unwinder_create(process.pid, &target, &unwinder);
	if (error)
		return 1;
	while (read_registers(arch, &registers)) {
		size_t depth = prof_unwinder_walk(unwinder, &registers, frames, DEPTH, &end);
		bool described =
			depth && prof_unwinder_bounds(unwinder, frames[depth - 1], &low, &high);
		printf("%d %d", end, described && (depth == 1 || low != frames[depth - 1]));
		for (size_t i = 0; i < depth; i++)
			printf(" %" PRIx64, frames[i]);
		printf("\n");
		fflush(stdout);
	}
	prof_unwinder_destroy(unwinder);
	return 0;
}
