/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/gate.h"

void prof_gate_init(struct prof_gate *gate)
{
	pthread_mutex_init(&gate->lock, NULL);
	pthread_cond_init(&gate->alone, NULL);
	atomic_init(&gate->wanted, 0);
}

void prof_gate_deinit(struct prof_gate *gate)
{
	pthread_cond_destroy(&gate->alone);
	pthread_mutex_destroy(&gate->lock);
}

void prof_gate_enter(struct prof_gate *gate)
{
	atomic_fetch_add(&gate->wanted, 1);
	pthread_mutex_lock(&gate->lock);
}

void prof_gate_leave(struct prof_gate *gate)
{
	if (atomic_fetch_sub(&gate->wanted, 1) == 1)
		pthread_cond_signal(&gate->alone);
	pthread_mutex_unlock(&gate->lock);
}

void prof_gate_give_way(struct prof_gate *gate)
{
	while (atomic_load(&gate->wanted) > 0)
		pthread_cond_wait(&gate->alone, &gate->lock);
}
