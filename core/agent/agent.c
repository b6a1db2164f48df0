/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/agent.h"

#include "agent/calibration.h"
#include "agent/hooks.h"
#include "agent/mpi.h"
#include "agent/omp.h"
#include "agent/preload.h"
#include "agent/traced_functions.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

struct prof_agent prof_agent;

static long map(size_t size, int protection, int flags, void *place, int file)
{
	return prof_system(SYS_mmap, (long)place, (long)size, protection, flags, file, 0);
}

/*
 * Gives FILE SIZE bytes, or returns a negated errno.  Where files of the program must be smaller,
 * that would send it SIGXFSZ, so the limit is as high as it may be meanwhile.
 */
static long resize(long file, size_t size)
{
	struct rlimit before = {RLIM_INFINITY, RLIM_INFINITY};

	prof_system(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)&before, 0, 0);
	if (before.rlim_cur >= size)
		return prof_system(SYS_ftruncate, file, (long)size, 0, 0, 0, 0);
	const struct rlimit raised = {before.rlim_max, before.rlim_max};
	if (before.rlim_max < size ||
		prof_system(SYS_prlimit64, 0, RLIMIT_FSIZE, (long)&raised, 0, 0, 0))
		return -EFBIG;
	long result = prof_system(SYS_ftruncate, file, (long)size, 0, 0, 0, 0);
	prof_system(SYS_prlimit64, 0, RLIMIT_FSIZE, (long)&before, 0, 0, 0);
	return result;
}

/*
 * Creates a file of SIZE bytes in memory, which cannot be resized; returns a negated errno if that
 * fails.
 */
static long make_file(size_t size)
{
	long seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	long file = prof_system(
		SYS_memfd_create, (long)"prof-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING, 0, 0, 0, 0);

	if (prof_system_failed(file))
		return file;
	long result = resize(file, size);
	if (!result)
		result = prof_system(SYS_fcntl, file, F_ADD_SEALS, seals, 0, 0, 0);
	if (!result)
		return file;
	prof_system(SYS_close, file, 0, 0, 0, 0, 0);
	return result;
}

/* Maps FILE, of SIZE bytes, as the ring; children do not get the mapping. */
static long map_ring(long file, size_t size)
{
	long ring = map(size, PROT_READ | PROT_WRITE, MAP_SHARED, NULL, (int)file);

	if (prof_system_failed(ring))
		return ring;
	long result = prof_system(SYS_madvise, ring, (long)size, MADV_DONTFORK, 0, 0, 0);
	if (!result)
		return ring;
	prof_system(SYS_munmap, ring, (long)size, 0, 0, 0, 0);
	return result;
}

static void fill_ring(struct prof_ring *ring)
{
	ring->magic = PROF_RING_MAGIC;
	ring->version = PROF_RING_VERSION;
	ring->chunks = prof_agent.chunks;
	ring->threshold = prof_agent.threshold;
	if (prof_agent.calibrate)
		prof_calibration_run(prof_agent.counter, &ring->uncontended, &ring->threshold);
	atomic_store(&ring->families, prof_agent.families);
}

/*
 * Unmaps the ring of the last session.  A thread that gdbprof has stopped in the middle of a write
 * may still write there when it goes on, so memory without contents takes its place.
 */
static void drop_ring(struct prof_agent_session *last)
{
	map(last->size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, last->ring, -1);
	prof_system(SYS_madvise, (long)last->ring, (long)last->size, MADV_DONTFORK, 0, 0, 0);
}

/*
 * Begins the session that the request describes in this process; returns a negated errno if that
 * fails.
 */
static long open_session(void)
{
	static uint32_t number;
	size_t size = prof_ring_size(prof_agent.chunks);
	long result = prof_agent_process_init();
	if (result)
		return result;
	long session = map(sizeof(struct prof_agent_session), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, NULL, -1);
	if (prof_system_failed(session))
		return session;
	long file = make_file(size);
	if (prof_system_failed(file))
		return file;
	long ring = map_ring(file, size);
	if (prof_system_failed(ring)) {
		prof_system(SYS_close, file, 0, 0, 0, 0, 0);
		return ring;
	}
	struct prof_agent_session *made = (struct prof_agent_session *)session;
	made->ring = prof_agent.ring = (struct prof_ring *)ring;
	made->size = size;
	made->number = ++number;
	made->process = prof_system(SYS_getpid, 0, 0, 0, 0, 0, 0);
	made->counter = prof_agent.counter;
	made->numbered = prof_system_numbered();
	made->sequences = prof_system_sequences();
	fill_ring(made->ring);
	made->threshold = made->ring->threshold;
	if (prof_agent.families & PROF_FAMILY_MPI) {
		made->mpi_limit = prof_agent.mpi_limit;
		made->mpi_stacks = prof_agent.mpi_stacks;
		made->mpi_handshake = prof_agent.mpi_handshake;
		made->mpi = prof_mpi_session_begin(
			prof_agent_process->session ? prof_agent_process->session->mpi : NULL);
	}
	made->omp = prof_agent.families & PROF_FAMILY_OMP;
	prof_omp_report(made);
	if (prof_agent_process->session)
		drop_ring(prof_agent_process->session);
	prof_agent_process->session = made;
	prof_agent.fd = (int32_t)file;
	return 0;
}

static void set_stage(enum prof_agent_stage stage)
{
	prof_agent.stage = stage;
	prof_agent_stage(stage);
}

void prof_agent_begin(void)
{
	prof_agent = (struct prof_agent){.version = PROF_RING_VERSION,
		.fd = -1,
		.traced = prof_agent_traced_functions,
		.more = prof_agent_traced_functions_build};
	set_stage(PROF_AGENT_LOADED);
	if (!prof_agent.families)
		return;
	prof_agent_hooks_find(prof_agent.families);
	prof_agent.hooks = prof_agent_hooks;
	prof_agent.hook_count = PROF_HOOK_COUNT;
	prof_agent_traced_functions_build();
	long result = open_session();
	if (result) {
		prof_agent.error = (int32_t)-result;
		set_stage(PROF_AGENT_FAILED);
		return;
	}
	set_stage(PROF_AGENT_READY);
	prof_system(SYS_close, prof_agent.fd, 0, 0, 0, 0, 0);
	prof_agent.fd = -1;
}

__attribute__((constructor)) static void load(void)
{
	prof_agent_begin();
	/* A wrapper that starts the program has no request, and passes LD_PRELOAD on. */
	if (prof_agent.families)
		prof_agent_preload_restore();
}
