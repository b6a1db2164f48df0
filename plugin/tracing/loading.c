/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/loading.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/trap.h"
#include "target/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	/* Other threads may come there first; and slots of weak symbols stay empty for good. */
	VISITS = 8,
	FIRST_ARGUMENT = 5, /* rdi, as DWARF numbers it */
};

static void reach(const struct trap *trap);

/* There is one recording. */
static struct {
	bool (*report)(bool last);
	char location[24];
	unsigned visits; /* that are left; 0: it is over */
	bool posted;     /* GDB is to call clear() */
	struct trap trap;
} loading = {.trap = {loading.location, reach, NULL}};

static PyObject *clear(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	loading.posted = false;
	if (!loading.visits)
		loading_end();
	Py_RETURN_NONE;
}

static PyMethodDef clear_method = {"gdbprof", clear, METH_NOARGS, NULL};

/* Does the selected thread call the function with a first argument of 0? */
static bool passes_zero(void)
{
	struct prof_registers registers;
	struct prof_error *error = prof_process_registers(host_thread(), &registers);
	bool zero = !error && !registers.value[FIRST_ARGUMENT];

	prof_error_destroy(error);
	return zero;
}

/* A breakpoint must not be deleted in its own stop(): GDB is to call clear() later. */
static void reach(const struct trap *trap)
{
	(void)trap;
	if (!loading.visits || !passes_zero())
		return;
	loading.visits--;
	if (loading.report(!loading.visits))
		loading.visits = 0;
	if (loading.visits || loading.posted)
		return;
	struct prof_error *error = host_post(&clear_method);
	loading.posted = !error;
	host_forget(error);
}

struct prof_error *loading_await(uint64_t address, bool (*report)(bool last))
{
	char location[sizeof loading.location];

	/*
	 * GDB before 12 cannot take a breakpoint out of a program that runs.  Threads come to one
	 * there when they end, too, for the library that unwinds their stacks, and such a GDB loses
	 * the program if that ends meanwhile.
	 */
	if (host_version() < 12)
		return NULL;
	snprintf(location, sizeof location, "*0x%" PRIx64, address);
	loading.report = report;
	loading.visits = VISITS;
	if (trap_is_set(&loading.trap) && !strcmp(location, loading.location))
		return NULL;
	strcpy(loading.location, location);
	return trap_set(&loading.trap);
}

void loading_end(void)
{
	trap_clear(&loading.trap);
	loading.visits = 0;
}
