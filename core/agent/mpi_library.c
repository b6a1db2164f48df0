/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_library.h"

#include <dlfcn.h>
#include <string.h>

struct prof_mpi_library prof_mpi_library;

typedef prof_mpi_word word;

/* The functions that the agent itself calls: their names begin with PMPI_. */
static struct {
	int (*Type_size_x)(word type, int64_t *size);
	int (*Type_size)(word type, int *size);
	int (*Get_elements_x)(const void *status, word type, int64_t *count);
	int (*Get_count)(const void *status, word type, int *count);
	int (*Test_cancelled)(const void *status, int *cancelled);
	int (*Comm_rank)(word comm, int *rank);
	int (*Comm_size)(word comm, int *size);
	int (*Comm_test_inter)(word comm, int *inter);
	int (*Comm_group)(word comm, word *group);
	int (*Comm_remote_group)(word comm, word *group);
	int (*Group_free)(word *group);
	int (*Group_translate_ranks)(
		word from, int count, const int *ranks, word to, int *translated);
	int (*Get_library_version)(char *version, int *length);
} ask;

enum { VERSION = 8192 }; /* bytes; no library's MPI_MAX_LIBRARY_VERSION_STRING is larger */

static word find(const char *name)
{
	return (word)dlsym(RTLD_DEFAULT, name);
}

static void find_functions(void)
{
#define FIND(name) *(void **)&ask.name = dlsym(RTLD_DEFAULT, "PMPI_" #name)
	FIND(Type_size_x);
	FIND(Type_size);
	FIND(Get_elements_x);
	FIND(Get_count);
	FIND(Test_cancelled);
	FIND(Comm_rank);
	FIND(Comm_size);
	FIND(Comm_test_inter);
	FIND(Comm_group);
	FIND(Comm_remote_group);
	FIND(Group_free);
	FIND(Group_translate_ranks);
	FIND(Get_library_version);
#undef FIND
}

/* Does the library have MPICH's ABI?  MPI allows this call at any time. */
static bool is_mpich(void)
{
	static const char *const words[] = {"MPICH", "MVAPICH", "Intel(R) MPI"};
	static char version[VERSION];
	int length;

	if (!ask.Get_library_version || ask.Get_library_version(version, &length))
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strstr(version, words[i]))
			return true;
	}
	return false;
}

void prof_mpi_library_find(void)
{
	word world = find("ompi_mpi_comm_world");

	prof_mpi_library = (struct prof_mpi_library){0};
	find_functions();
	if (world) {
		prof_mpi_library.known = true;
		prof_mpi_library.abi = (struct prof_mpi_abi){.wide = true,
			.proc_null = -2,
			.undefined = -32766,
			.status_size = 24,
			.source = 0,
			.ignored = 0,
			.byte = find("ompi_mpi_byte"),
			.world = world,
			.self = find("ompi_mpi_comm_self"),
			.no_comm = find("ompi_mpi_comm_null")};
	} else if (is_mpich()) {
		prof_mpi_library.known = true;
		prof_mpi_library.abi = (struct prof_mpi_abi){.wide = false,
			.proc_null = -1,
			.undefined = -32766,
			.status_size = 20,
			.source = 8,
			.ignored = 1,
			.byte = 0x4c00010d,
			.world = 0x44000000,
			.self = 0x44000001,
			.no_comm = 0x04000000};
	}
}

uint64_t prof_mpi_type_size(word type)
{
	int64_t size = 0;
	int small = 0;

	if (ask.Type_size_x)
		return !ask.Type_size_x(type, &size) && size > 0 ? (uint64_t)size : 0;
	return ask.Type_size && !ask.Type_size(type, &small) && small > 0 ? (uint64_t)small : 0;
}

uint64_t prof_mpi_received(const void *status)
{
	word byte = prof_mpi_library.abi.byte;
	int64_t count = 0;
	int small = 0;

	if (ask.Get_elements_x)
		return !ask.Get_elements_x(status, byte, &count) && count > 0 ? (uint64_t)count : 0;
	return ask.Get_count && !ask.Get_count(status, byte, &small) && small > 0 ? (uint64_t)small
										  : 0;
}

bool prof_mpi_is_cancelled(const void *status)
{
	int cancelled = 0;

	return ask.Test_cancelled && !ask.Test_cancelled(status, &cancelled) && cancelled;
}

int prof_mpi_rank(void)
{
	int rank;

	return ask.Comm_rank && !ask.Comm_rank(prof_mpi_library.abi.world, &rank) ? rank
										  : PROF_MPI_NOBODY;
}

int prof_mpi_comm_size(word comm)
{
	int size;

	return ask.Comm_size && !ask.Comm_size(comm, &size) ? size : 0;
}

/* The group of COMM whose ranks messages name. */
static bool find_group(word comm, word *group)
{
	int inter = 0;

	if (!ask.Comm_test_inter || !ask.Comm_remote_group || !ask.Comm_group || !ask.Group_free ||
		!ask.Group_translate_ranks || ask.Comm_test_inter(comm, &inter))
		return false;
	return !(inter ? ask.Comm_remote_group : ask.Comm_group)(comm, group);
}

int prof_mpi_world_rank(word comm, int rank)
{
	int world = PROF_MPI_NOBODY;
	word from = 0, to = 0; /* a handle may be shorter */

	if (comm == prof_mpi_library.abi.world)
		return rank;
	if (!find_group(comm, &from))
		return PROF_MPI_NOBODY;
	if (!ask.Comm_group(prof_mpi_library.abi.world, &to)) {
		if (ask.Group_translate_ranks(from, 1, &rank, to, &world) || world < 0)
			world = PROF_MPI_NOBODY;
		ask.Group_free(&to);
	}
	ask.Group_free(&from);
	return world;
}
