/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_library.h"

#include "agent/system.h"

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
	int (*Status_set_elements_x)(void *status, word type, int64_t count);
	int (*Status_set_cancelled)(void *status, int cancelled);
	int (*Comm_rank)(word comm, int *rank);
	int (*Query_thread)(int *provided);
	int (*Comm_dup)(word comm, word *made);
	int (*Comm_free)(word *comm);
	int (*Send)(const void *data, int count, word type, int to, int tag, word comm);
	int (*Recv)(void *data, int count, word type, int from, int tag, word comm, word status);
	int (*Comm_size)(word comm, int *size);
	int (*Comm_test_inter)(word comm, int *inter);
	int (*Comm_group)(word comm, word *group);
	int (*Comm_remote_group)(word comm, word *group);
	int (*Group_free)(word *group);
	int (*Group_size)(word group, int *size);
	int (*Group_translate_ranks)(
		word from, int count, const int *ranks, word to, int *translated);
	int (*Get_library_version)(char *version, int *length);
} ask;

/* Whether statuses are as the families of libraries have them. */
static _Atomic enum { LAYOUT_UNKNOWN, LAYOUT_KNOWN, LAYOUT_OTHER } layout;

enum { VERSION = 8192 }; /* bytes; no library's MPI_MAX_LIBRARY_VERSION_STRING is larger */

/*
 * A program may load the library for one of its plug-ins only (RTLD_LOCAL): what the library with
 * the function INIT exports is found there then.  NULL: it is found as ever.
 */
static void *open_library(const void *init)
{
	Dl_info info;

	if (!init || dlsym(RTLD_DEFAULT, "PMPI_Comm_rank") || !dladdr(init, &info))
		return NULL;
	return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

static void find_functions(void *scope)
{
#define FIND(name) *(void **)&ask.name = dlsym(scope, "PMPI_" #name)
	FIND(Type_size_x);
	FIND(Type_size);
	FIND(Get_elements_x);
	FIND(Get_count);
	FIND(Test_cancelled);
	FIND(Status_set_elements_x);
	FIND(Status_set_cancelled);
	FIND(Comm_rank);
	FIND(Query_thread);
	FIND(Comm_dup);
	FIND(Comm_free);
	FIND(Send);
	FIND(Recv);
	FIND(Comm_size);
	FIND(Comm_test_inter);
	FIND(Comm_group);
	FIND(Comm_remote_group);
	FIND(Group_free);
	FIND(Group_size);
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

/*
 * Open MPI has its types one behind the other in its data, where nobody else's are: so all between
 * two of them are its own.
 */
static void find_types(void *scope, struct prof_mpi_abi *abi)
{
	static const char *const names[] = {"ompi_mpi_byte", "ompi_mpi_char", "ompi_mpi_int",
		"ompi_mpi_long", "ompi_mpi_float", "ompi_mpi_double", "ompi_mpi_integer",
		"ompi_mpi_dblprec"};

	abi->first_type = abi->last_type = abi->byte;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		word type = (word)dlsym(scope, names[i]);
		if (type && type < abi->first_type)
			abi->first_type = type;
		if (type > abi->last_type)
			abi->last_type = type;
	}
}

/* The ABI of the library whose names are found in SCOPE; all zeroes: unknown. */
static struct prof_mpi_abi find_abi(void *scope)
{
	word world = (word)dlsym(scope, "ompi_mpi_comm_world");

	if (world) {
		struct prof_mpi_abi abi = {.wide = true,
			.exchange_status = true,
			.proc_null = -2,
			.undefined = -32766,
			.status_size = 24,
			.source = 0,
			.ignored = 0,
			.byte = (word)dlsym(scope, "ompi_mpi_byte"),
			.world = world,
			.self = (word)dlsym(scope, "ompi_mpi_comm_self"),
			.no_comm = (word)dlsym(scope, "ompi_mpi_comm_null"),
			.no_message = (word)dlsym(scope, "ompi_message_no_proc")};
		find_types(scope, &abi);
		return abi;
	}
	if (is_mpich())
		return (struct prof_mpi_abi){.wide = false,
			.proc_null = -1,
			.undefined = -32766,
			.status_size = 20,
			.source = 8,
			.ignored = 1,
			.byte = 0x4c00010d,
			.world = 0x44000000,
			.self = 0x44000001,
			.no_comm = 0x04000000,
			.no_message = 0x6c000000,
			.first_type = 0x4c000000,
			.last_type = 0x4cffffff};
	return (struct prof_mpi_abi){0};
}

void prof_mpi_library_find(void *init)
{
	void *library = open_library(init), *scope = library ? library : RTLD_DEFAULT;

	find_functions(scope);
	const struct prof_mpi_abi abi = find_abi(scope);
	/* Threads that find it at the same time write the same. */
	prof_mpi_library.abi = abi;
	prof_mpi_library.known = abi.status_size;
	atomic_store_explicit(&layout, LAYOUT_UNKNOWN, memory_order_relaxed);
	atomic_store_explicit(&prof_mpi_library.init, init, memory_order_release);
	if (library)
		dlclose(library);
}

uint64_t prof_mpi_type_size(word type)
{
	int64_t size = 0;
	int small = 0;

	if (ask.Type_size_x)
		return !ask.Type_size_x(type, &size) && size > 0 ? (uint64_t)size : 0;
	return ask.Type_size && !ask.Type_size(type, &small) && small > 0 ? (uint64_t)small : 0;
}

/* Has the library put what is asked for where it is expected? */
static bool has_layout(void)
{
	static const int64_t counts[] = {0, 5, INT64_C(7) << 31 | 9};
	word byte = prof_mpi_library.abi.byte;

	if (!ask.Status_set_elements_x || !ask.Status_set_cancelled)
		return false;
	for (unsigned i = 0; i < 2 * sizeof counts / sizeof *counts; i++) {
		uint64_t status[PROF_MPI_STATUS_MOST / sizeof(uint64_t)] = {0};
		if (ask.Status_set_elements_x(status, byte, counts[i / 2]) ||
			ask.Status_set_cancelled(status, i % 2) ||
			prof_mpi_status_bytes(status) != (uint64_t)counts[i / 2] ||
			prof_mpi_status_cancelled(status) != i % 2)
			return false;
	}
	return true;
}

bool prof_mpi_reads_statuses(void)
{
	int known = atomic_load_explicit(&layout, memory_order_relaxed);

	if (PROF_SELDOM(known == LAYOUT_UNKNOWN)) {
		known = has_layout() ? LAYOUT_KNOWN : LAYOUT_OTHER;
		atomic_store_explicit(&layout, known, memory_order_relaxed);
	}
	return known == LAYOUT_KNOWN;
}

uint64_t prof_mpi_received(const void *status)
{
	if (prof_mpi_reads_statuses())
		return prof_mpi_status_bytes(status);
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

	if (prof_mpi_reads_statuses())
		return prof_mpi_status_cancelled(status);
	return ask.Test_cancelled && !ask.Test_cancelled(status, &cancelled) && cancelled;
}

int prof_mpi_rank(void)
{
	int rank;

	return ask.Comm_rank && !ask.Comm_rank(prof_mpi_library.abi.world, &rank) ? rank
										  : PROF_MPI_NOBODY;
}

word prof_mpi_copy_of_world(void)
{
	word made = 0; /* a handle may be shorter */
	bool can = prof_mpi_library.known && ask.Comm_dup && ask.Comm_free && ask.Send && ask.Recv;

	return can && !ask.Comm_dup(prof_mpi_library.abi.world, &made) ? made : 0;
}

void prof_mpi_free_comm(word *comm)
{
	ask.Comm_free(comm);
	*comm = 0;
}

void prof_mpi_send(const void *data, int bytes, int peer, int tag, word comm)
{
	ask.Send(data, bytes, prof_mpi_library.abi.byte, peer, tag, comm);
}

void prof_mpi_receive(void *data, int bytes, int peer, int tag, word comm)
{
	const struct prof_mpi_abi *abi = &prof_mpi_library.abi;

	ask.Recv(data, bytes, abi->byte, peer, tag, comm, abi->ignored);
}

bool prof_mpi_is_serial(void)
{
	enum { MULTIPLE = 3 }; /* MPI_THREAD_MULTIPLE of both families */

	int provided;

	return prof_mpi_library.known && ask.Query_thread && !ask.Query_thread(&provided) &&
		provided < MULTIPLE;
}

int prof_mpi_comm_size(word comm)
{
	int size;

	return ask.Comm_size && !ask.Comm_size(comm, &size) ? size : 0;
}

bool prof_mpi_is_inter(word comm)
{
	int inter = 0;

	return ask.Comm_test_inter && !ask.Comm_test_inter(comm, &inter) && inter;
}

/* The group of COMM, or the other one of an intercommunicator.  False: the library says none. */
static bool find_group(word comm, bool other, word *group)
{
	int (*group_of)(word, word *) = other ? ask.Comm_remote_group : ask.Comm_group;

	return group_of && ask.Group_free && ask.Group_translate_ranks && !group_of(comm, group);
}

/* Finds the ranks in MPI_COMM_WORLD of the COUNT RANKS of GROUP.  False: not all are in it. */
static bool translate(word group, int count, const int *ranks, int *worlds)
{
	word world = 0; /* a handle may be shorter */

	if (ask.Comm_group(prof_mpi_library.abi.world, &world))
		return false;
	bool known = !ask.Group_translate_ranks(group, count, ranks, world, worlds);
	ask.Group_free(&world);
	for (int i = 0; i < count && known; i++)
		known = worlds[i] >= 0;
	return known;
}

/* The rank in MPI_COMM_WORLD of RANK in COMM, or in its OTHER group. */
static int world_rank(word comm, bool other, int rank)
{
	int world = PROF_MPI_NOBODY;
	word group = 0;

	if (!find_group(comm, other, &group))
		return PROF_MPI_NOBODY;
	if (!translate(group, 1, &rank, &world))
		world = PROF_MPI_NOBODY;
	ask.Group_free(&group);
	return world;
}

int prof_mpi_world_rank(word comm, int rank)
{
	if (comm == prof_mpi_library.abi.world)
		return rank;
	return world_rank(comm, prof_mpi_is_inter(comm), rank);
}

int prof_mpi_first_rank(word comm)
{
	int first = world_rank(comm, false, 0);
	int other = prof_mpi_is_inter(comm) ? world_rank(comm, true, 0) : first;

	return other < first ? other : first;
}

/* A number of the ranks of GROUP in their order; 0: see prof_mpi_groups(). */
static uint64_t number_of(word group)
{
	enum { AT_ONCE = 64 };

	int ranks[AT_ONCE], worlds[AT_ONCE], size = 0;
	uint64_t number = 1;

	if (!ask.Group_size || ask.Group_size(group, &size))
		return 0;
	for (int first = 0, count; first < size; first += count) {
		for (count = 0; count < AT_ONCE && first + count < size; count++)
			ranks[count] = first + count;
		if (!translate(group, count, ranks, worlds))
			return 0;
		for (int i = 0; i < count; i++) {
			number = (number ^ (uint32_t)worlds[i]) * UINT64_C(0x9e3779b97f4a7c15);
			number ^= number >> 29;
		}
	}
	return number;
}

uint64_t prof_mpi_groups(word comm)
{
	int groups = prof_mpi_is_inter(comm) ? 2 : 1;
	uint64_t sum = 0;

	for (int other = 0; other < groups; other++) {
		word group = 0;
		if (!find_group(comm, other, &group))
			return 0;
		uint64_t number = number_of(group);
		ask.Group_free(&group);
		if (!number)
			return 0;
		sum += number;
	}
	return sum;
}
