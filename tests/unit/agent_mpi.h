/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library that plays MPI: it has the ABI of MPICH, and does what the variables say. */
#ifndef PROF_TESTS_AGENT_MPI_H
#define PROF_TESTS_AGENT_MPI_H

#include "agent/mpi.h"
#include "agent/mpi_wrappers.h"
#include "agent_session.h"

#include <errno.h>
#include <setjmp.h>
#include <string.h>

#define LIBRARY __attribute__((visibility("default")))

enum {
	WORLD = 0x44000000,
	BYTE = 0x4c00010d,
	IGNORED = 1,
	NOBODY = -1,
	RANK = 3,
	COMM = 77,
	TAG = 6,
	SIZE = 4
};
enum { NOTHING = 0x2c000000, UNDEFINED = -32766 };

struct status {
	int low, high, source, tag, error;
};

static struct event events[EVENTS];
static const char *version = "MPICH Version: 4";
static int result;         /* of all functions */
static int from, received; /* of the next message: rank and bytes */
static bool cancels, nests, jumps;
static bool elsewhere;               /* the library has counts where no other does */
static unsigned asked;               /* how often the agent asked for one */
static unsigned sizes, sizes_before; /* of types: asked for, and until the last send */
static int provided = 3;             /* how many threads may call, as of MPI_Init_thread() */
static bool empty;                   /* statuses say nothing */
static int flag, place;              /* what Test and Waitany tell */
static jmp_buf away;

LIBRARY int PMPI_Get_library_version(char *text, int *length);
LIBRARY int PMPI_Type_size(prof_mpi_word type, int *size);
LIBRARY int PMPI_Get_count(const struct status *status, prof_mpi_word type, int *count);
LIBRARY int PMPI_Test_cancelled(const struct status *status, int *cancelled);
LIBRARY int PMPI_Status_set_elements_x(struct status *status, prof_mpi_word type, int64_t count);
LIBRARY int PMPI_Status_set_cancelled(struct status *status, int cancelled);
LIBRARY int PMPI_Query_thread(int *level);
LIBRARY int PMPI_Comm_rank(prof_mpi_word comm, int *rank);
LIBRARY int PMPI_Comm_size(prof_mpi_word comm, int *size);
LIBRARY int PMPI_Comm_test_inter(prof_mpi_word comm, int *inter);
LIBRARY int PMPI_Comm_group(prof_mpi_word comm, int *group);
LIBRARY int PMPI_Comm_remote_group(prof_mpi_word comm, int *group);
LIBRARY int PMPI_Group_free(int *group);
LIBRARY int PMPI_Group_size(prof_mpi_word group, int *size);
LIBRARY int PMPI_Group_translate_ranks(
	prof_mpi_word own, int count, const int *ranks, prof_mpi_word other, int *ret);

int PMPI_Get_library_version(char *text, int *length)
{
	strcpy(text, version);
	*length = (int)strlen(version);
	return 0;
}

/* The handle of a type is its size. */
int PMPI_Type_size(prof_mpi_word type, int *size)
{
	sizes++;
	*size = (int)type;
	return 0;
}

int PMPI_Get_count(const struct status *status, prof_mpi_word type, int *count)
{
	must(type == BYTE);
	asked++;
	*count = status->low;
	return 0;
}

int PMPI_Status_set_elements_x(struct status *status, prof_mpi_word type, int64_t count)
{
	must(type == BYTE);
	*(elsewhere ? &status->error : &status->low) = (int)(uint32_t)count;
	status->high = (int)(count >> 32 << 1) | (status->high & 1);
	return 0;
}

int PMPI_Status_set_cancelled(struct status *status, int cancelled)
{
	status->high = (status->high & ~1) | cancelled;
	return 0;
}

int PMPI_Test_cancelled(const struct status *status, int *cancelled)
{
	*cancelled = status->high;
	return 0;
}

int PMPI_Query_thread(int *level)
{
	*level = provided;
	return 0;
}

int PMPI_Comm_rank(prof_mpi_word comm, int *rank)
{
	must(comm == WORLD);
	*rank = RANK;
	return 0;
}

int PMPI_Comm_size(prof_mpi_word comm, int *size)
{
	(void)comm;
	*size = SIZE;
	return 0;
}

int PMPI_Comm_test_inter(prof_mpi_word comm, int *inter)
{
	*inter = comm == COMM + 1;
	return 0;
}

int PMPI_Comm_group(prof_mpi_word comm, int *group)
{
	*group = (int)comm;
	return 0;
}

int PMPI_Comm_remote_group(prof_mpi_word comm, int *group)
{
	*group = (int)comm;
	return 0;
}

int PMPI_Group_free(int *group)
{
	*group = 0;
	return 0;
}

int PMPI_Group_size(prof_mpi_word group, int *size)
{
	(void)group;
	*size = 1;
	return 0;
}

static int shift = 100;

/* Ranks of other communicators are SHIFT more in the world, up to 9. */
int PMPI_Group_translate_ranks(
	prof_mpi_word own, int count, const int *ranks, prof_mpi_word other, int *ret)
{
	must(count == 1 && other == WORLD && (own == WORLD || own == COMM || own == COMM + 1));
	if (own == WORLD)
		*ret = *ranks;
	else
		*ret = *ranks > 9 ? UNDEFINED : *ranks + shift * (int)(own - COMM + 1);
	return 0;
}

static void fill(struct status *status)
{
	if ((uintptr_t)status == IGNORED)
		return;
	*status = empty
		? (struct status){0}
		: (struct status){.low = received, .high = cancels, .source = from, .tag = TAG};
}

/* Which function it plays: they have the same arguments as MPI's. */
static long play_send(void)
{
	sizes_before = sizes;
	if (nests) {
		nests = false;
		prof_agent_MPI_Send(0, 1, 4, 1, 0, WORLD);
	}
	if (jumps)
		longjmp(away, 1);
	errno = 42;
	return result;
}

static long play_recv(prof_mpi_word a, prof_mpi_word b, prof_mpi_word c, prof_mpi_word d,
	prof_mpi_word e, prof_mpi_word f, struct status *status)
{
	(void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
	fill(status);
	return result;
}

static int next_request;

static long play_irecv(prof_mpi_word a, prof_mpi_word b, prof_mpi_word c, prof_mpi_word d,
	prof_mpi_word e, prof_mpi_word f, int *handle)
{
	(void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
	*handle = ++next_request;
	return result;
}

static long play_wait(int *handle, struct status *status)
{
	*handle = NOTHING;
	fill(status);
	return result;
}

static long play_test(int *handle, int *done, struct status *status)
{
	*done = flag;
	return flag ? play_wait(handle, status) : result;
}

/* Each message comes from another. */
static long play_waitall(int count, int *requests, struct status *statuses)
{
	for (int i = 0; i < count; i++, from++)
		play_wait(&requests[i], (uintptr_t)statuses == IGNORED ? statuses : &statuses[i]);
	return result;
}

static long play_waitany(int count, int *requests, int *index, struct status *status)
{
	must(place < count);
	*index = place;
	return place < 0 ? result : play_wait(&requests[place], status);
}

static int made; /* the next communicator */

static long play_dup(prof_mpi_word parent, int *comm)
{
	(void)parent;
	*comm = made;
	return result;
}

static long play_split_type(prof_mpi_word parent, int type, int key, int info, int *comm)
{
	(void)type, (void)key, (void)info;
	return play_dup(parent, comm);
}

static long play_create_group(prof_mpi_word parent, int group, int tag, int *comm)
{
	(void)group, (void)tag;
	return play_dup(parent, comm);
}

/* The communicator is there when the request is complete. */
static long play_idup(prof_mpi_word parent, const int *comm, int *handle)
{
	(void)parent, (void)comm;
	*handle = ++next_request;
	return result;
}

static long play_isendrecv(prof_mpi_word a, prof_mpi_word b, prof_mpi_word c, prof_mpi_word d,
	prof_mpi_word e, prof_mpi_word f, prof_mpi_word g, prof_mpi_word h, prof_mpi_word i,
	prof_mpi_word j, prof_mpi_word k, int *handle)
{
	(void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i, (void)j,
		(void)k;
	*handle = ++next_request;
	return result;
}

static long play_join(
	prof_mpi_word own, int leader, prof_mpi_word peer, int other, int tag, int *comm)
{
	(void)leader, (void)peer, (void)other, (void)tag;
	return play_dup(own, comm);
}

static long play_merge(prof_mpi_word parent, int high, int *comm)
{
	(void)high;
	return play_dup(parent, comm);
}

enum { NO_MESSAGE = 0x2c000001 };

static long play_mprobe(
	int source, int tag, prof_mpi_word comm, int *message, struct status *status)
{
	(void)source, (void)tag, (void)comm;
	*message = ++next_request;
	fill(status);
	return result;
}

static long play_improbe(
	int source, int tag, prof_mpi_word comm, int *found, int *message, struct status *status)
{
	*found = flag;
	return flag ? play_mprobe(source, tag, comm, message, status) : result;
}

static long play_mrecv(
	prof_mpi_word a, int count, prof_mpi_word type, int *message, struct status *status)
{
	(void)a, (void)count, (void)type;
	*message = NO_MESSAGE;
	fill(status);
	return result;
}

/* As in MPICH, the request has the handle that the message had. */
static long play_imrecv(prof_mpi_word a, int count, prof_mpi_word type, int *message, int *receive)
{
	(void)a, (void)count, (void)type;
	*receive = *message;
	*message = NO_MESSAGE;
	return result;
}

static long play_other(void)
{
	return result;
}

/* The record of KIND that EVENT, a message, has: of its operation or of its call, as a reader sees
 * it. */
static inline struct event part_of(const struct event *event, enum prof_ring_kind kind)
{
	struct event part = *event;
	uint64_t begun = event->values[1], bytes = event->values[2], peer = event->values[3],
		 word = event->values[4];
	bool receives = (uint8_t)word == PROF_RING_OPERATION_RECEIVE;

	ck_assert_uint_eq(event->count, 5);
	part.kind = kind;
	if (kind == PROF_RING_OPERATION) {
		const uint64_t values[] = {begun, begun, PROF_RING_WORLD, bytes, peer, word};
		memcpy(part.values + 1, values, sizeof values);
		part.count = 7;
	} else {
		const uint64_t values[] = {begun,
			prof_ring_mpi_peers((int)(word >> 8 & 0xffffff) - 1, (int)(peer >> 32)), 0,
			!receives, receives ? 0 : bytes, receives, receives ? bytes : 0};
		memcpy(part.values + 1, values, sizeof values);
		part.count = 8;
	}
	return part;
}

/* The records of KIND that this thread has written so far. */
static inline unsigned read_records(struct event *ret, enum prof_ring_kind kind)
{
	unsigned found = read_own(ret), left = 0;

	for (unsigned i = 0; i < found; i++) {
		if (ret[i].kind == kind)
			ret[left++] = ret[i];
		else if (ret[i].kind == PROF_RING_MESSAGE)
			ret[left++] = part_of(&ret[i], kind);
	}
	return left;
}

/* Likewise, where a record of MPI has the number of the CPU from the kernel, if it can. */
static inline unsigned move_mpi_to(cpu_set_t *all, bool last)
{
	unsigned cpu = move_to(all, last);

	return prof_system_sequences() ? (unsigned)sched_getcpu() + 1 : cpu;
}

static void begin_mpi(uint64_t limit, bool stacks)
{
	static const struct {
		unsigned number;
		void *function;
	} played[] = {
		{PROF_HOOK_MPI_Send, (void *)play_send},
		{PROF_HOOK_PMPI_Send, (void *)play_send},
		{PROF_HOOK_MPI_Recv, (void *)play_recv},
		{PROF_HOOK_MPI_Irecv, (void *)play_irecv},
		{PROF_HOOK_MPI_Recv_init, (void *)play_irecv},
		{PROF_HOOK_MPI_Send_init, (void *)play_irecv},
		{PROF_HOOK_MPI_Wait, (void *)play_wait},
		{PROF_HOOK_MPI_Test, (void *)play_test},
		{PROF_HOOK_MPI_Waitall, (void *)play_waitall},
		{PROF_HOOK_MPI_Waitany, (void *)play_waitany},
		{PROF_HOOK_MPI_Isend, (void *)play_irecv},
		{PROF_HOOK_MPI_Bsend, (void *)play_send},
		{PROF_HOOK_MPI_Isendrecv, (void *)play_isendrecv},
		{PROF_HOOK_MPI_Comm_dup, (void *)play_dup},
		{PROF_HOOK_MPI_Comm_idup, (void *)play_idup},
		{PROF_HOOK_MPI_Comm_create_group, (void *)play_create_group},
		{PROF_HOOK_MPI_Comm_split_type, (void *)play_split_type},
		{PROF_HOOK_MPI_Intercomm_create, (void *)play_join},
		{PROF_HOOK_MPI_Intercomm_merge, (void *)play_merge},
		{PROF_HOOK_MPI_Mprobe, (void *)play_mprobe},
		{PROF_HOOK_MPI_Improbe, (void *)play_improbe},
		{PROF_HOOK_MPI_Mrecv, (void *)play_mrecv},
		{PROF_HOOK_MPI_Imrecv, (void *)play_imrecv},
		{PROF_HOOK_MPI_Init, (void *)play_other},
		{PROF_HOOK_MPI_Finalize, (void *)play_other},
		{PROF_HOOK_MPI_Allreduce, (void *)play_other},
		{PROF_HOOK_MPI_Bcast, (void *)play_other},
		{PROF_HOOK_MPI_Start, (void *)play_other},
		{PROF_HOOK_MPI_Barrier, (void *)play_other},
		{PROF_HOOK_MPI_Abort, (void *)play_other},
		{PROF_HOOK_MPI_Comm_free, (void *)play_other},
	};

	begin((struct prof_agent){
		.families = PROF_FAMILY_MPI, .mpi_limit = limit, .mpi_stacks = stacks});
	for (size_t i = 0; i < sizeof played / sizeof *played; i++)
		prof_agent_hooks[played[i].number].real = played[i].function;
}

#endif
