/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/traceable.h"

#include "plugin/engine/engine.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "plugin/interpose/library.h"
#include "target/arch.h"

#include <elf.h>
#include <string.h>

/* Does GDB have what it needs, and do the user's settings allow it? */
static struct prof_error *check_settings(void)
{
	static const struct {
		const char *setting, *why;
	} needed[] = {
		{"auto-solib-add",
			"Tracing needs \"set auto-solib-add on\", because GDB must know the agent."},
		{"may-write-memory",
			"Tracing needs \"set may-write-memory on\", because it redirects calls in the program's memory."},
		{"may-insert-breakpoints",
			"Tracing needs \"set may-insert-breakpoints on\", because gdbprof meets the agent at a breakpoint."},
	};

	for (size_t i = 0; i < PROF_COUNT(needed); i++) {
		AUTO_FREE char *value = NULL;
		struct prof_error *error = host_parameter(needed[i].setting, &value);
		if (error)
			return error;
		if (strcmp(value, "True") != 0)
			return prof_error_create(PROF_ERROR_STATE, "%s", needed[i].why);
	}
	return NULL;
}

/* Can the agent be in the program?  Before the program exists, nothing is known. */
static struct prof_error *check_program(void)
{
	AUTO_FREE char *connection = NULL;
	AUTO_FREE char *program = NULL;
	struct prof_error *error = host_connection(&connection);

	if (!error)
		error = host_program(&program);
	if (error)
		return error;
	if (!host_is_native(connection))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"gdbprof traces only processes on this machine that GDB itself controls; the target is \"%s\".",
			connection);
	const struct prof_arch *arch = *program ? prof_arch_of_file(program) : prof_arch_native();
	if (!arch || arch->machine != EM_X86_64)
		return prof_error_create(
			PROF_ERROR_UNSUPPORTED, "gdbprof traces only programs for x86-64.");
	return *program ? library_check_program(program) : NULL;
}

struct prof_error *traceable_check(void)
{
	struct prof_error *error = check_program();

	return error ? error : check_settings();
}

struct prof_error *traceable_check_mpi(void)
{
	AUTO_FREE char *program = NULL;
	struct prof_error *error = host_program(&program);

	if (error || !*program || !library_has_mpi(program))
		return error;
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"gdbprof cannot trace the MPI calls of %s: the MPI library is linked into it, so gdbprof cannot intercept them.  "
		"Link it with a shared library of MPI, or record without --mpi.",
		program);
}
