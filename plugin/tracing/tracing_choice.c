/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/tracing_choice.h"

#include "plugin/option/amount.h"
#include "plugin/option/settings.h"
#include "tracing/ring.h"

#include <stddef.h>
#include <string.h>

static const struct prof_option rows[] = {
	{.name = "heap",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct tracing_choice, heap),
		.describe = "Trace every allocation, and when it is freed, inside the program.  "
			    "See prof-leaks and prof-heap."},
	{.name = "sync",
		.value = "all|calibrate|US",
		.optional = true,
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct tracing_choice, sync),
		.describe =
			"Trace waits for locks, condition variables, semaphores, threads and the like: all of them; those longer than US microseconds; or, with calibrate, those longer than six times what such a call takes without a wait.  "
			"The default is calibrate.  See prof-locks."},
	{.name = "mpi",
		.value = "handshake",
		.optional = true,
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct tracing_choice, mpi),
		.describe =
			"Trace the program's calls of MPI functions, and the point-to-point messages that they send and receive, inside the program.  "
			"The program must be linked with Open MPI, or with MPICH or a library of its family.  "
			"Under mpirun, each rank has a GDB of its own.  See prof-messages.  "
			"With handshake, rank 0 exchanges messages with all other ranks in MPI_Init and MPI_Finalize, by which the clocks of machines are compared: only for jobs all of whose ranks are recorded with it, because they wait for each other."},
	{.name = "omp",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct tracing_choice, omp),
		.describe =
			"Trace each parallel region of OpenMP, the waits of its threads, and its tasks, inside the program.  "
			"The program must use libomp, as programs built by clang do, and start after this command.  See prof-regions."},
	{.name = NULL},
};

const struct prof_options tracing_choice_options = PROF_OPTIONS(rows, struct tracing_choice);

/* The ring is as large as the buffer for MPI, unless other families need more. */
static void size_buffer(struct tracing_request *request)
{
	const uint64_t least = 1 << 20, most = UINT64_C(64) << 30;
	uint64_t wanted = request->mpi.buffer < least ? least : request->mpi.buffer;

	if (wanted > most)
		wanted = most;
	if (request->families == PROF_FAMILY_MPI || request->memory < wanted)
		request->memory = (size_t)wanted;
}

static struct prof_error *read_mpi(const char *text, struct tracing_request *request)
{
	request->mpi_handshake = !strcmp(text, "handshake");
	if (*text && !request->mpi_handshake)
		return prof_error_create(PROF_ERROR_USAGE,
			"--mpi cannot be \"%s\": give it alone, or --mpi=handshake.", text);
	return mpi_settings_get(&request->mpi);
}

struct prof_error *tracing_choice_read(void *own)
{
	struct tracing_choice *choice = own;
	struct tracing_request *request = &choice->request;
	struct prof_error *error = settings_get_tracing(&request->memory, &request->children);

	if (choice->heap)
		request->families |= PROF_FAMILY_HEAP;
	if (choice->sync)
		request->families |= PROF_FAMILY_SYNC;
	if (choice->mpi)
		request->families |= PROF_FAMILY_MPI;
	if (choice->omp)
		request->families |= PROF_FAMILY_OMP;
	if (!error && choice->sync)
		error = amount_read_waits(choice->sync, &request->calibrate, &request->threshold);
	if (!error && choice->mpi)
		error = read_mpi(choice->mpi, request);
	if (!error && choice->mpi)
		size_buffer(request);
	return error;
}
