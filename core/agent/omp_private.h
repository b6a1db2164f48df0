/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What records of OpenMP share. */
#ifndef PROF_AGENT_OMP_PRIVATE_H
#define PROF_AGENT_OMP_PRIVATE_H

#include "agent/omp.h"

/* The time stamp of now. */
static inline uint64_t prof_omp_now(const struct prof_agent_thread *thread)
{
	return prof_system_time(thread->session->counter);
}

/* How often the ring has paused. */
static inline uint64_t prof_omp_pauses(const struct prof_agent_thread *thread)
{
	return atomic_load_explicit(&thread->session->ring->pauses, memory_order_relaxed);
}

/* Is OpenMP recorded now, and was it ever since the ring had PAUSED so often? */
static inline bool prof_omp_is_recorded(const struct prof_agent_thread *thread, uint64_t paused)
{
	uint32_t families =
		atomic_load_explicit(&thread->session->ring->families, memory_order_relaxed);

	return families & PROF_FAMILY_OMP && prof_omp_pauses(thread) == paused;
}

/* Clock units between the time stamps FROM and TO. */
static inline uint64_t prof_omp_length(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* The part of THREAD in its innermost region; NULL: there is none, or it is nested too deep. */
static inline struct prof_omp_share *prof_omp_last_share(struct prof_agent_thread *thread)
{
	struct prof_omp_thread *omp = &thread->omp;

	return omp->share_count && omp->share_count <= PROF_OMP_NESTED
		? &omp->shares[omp->share_count - 1]
		: NULL;
}

/* A barrier at the end of shared code, at which THREAD has waited for WAITED, is over. */
void prof_omp_loop_waited(struct prof_agent_thread *thread, uint64_t waited);

/* THREAD has nothing more to do with its last loop: writes the record of it, if that has none. */
void prof_omp_loop_settle(struct prof_agent_thread *thread);

#endif
