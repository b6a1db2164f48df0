/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * traced ROUNDS: in each round two threads do what can be traced of OpenMP, and the program
 * measures by the clock how long they wait.  At the end it prints, in seconds of all threads and
 * rounds, what it has measured.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, TASKS = 8, EMPTY = 50, ITERATIONS = 8 };

static double critical_wait, barrier_wait, task_wait, loop[THREADS];
static double loop_wait, uneven[THREADS];
static volatile double sink;
static volatile long done; /* a function that changes it last has a frame until then */

/* Uses the CPU for SECONDS by the clock. */
__attribute__((noinline)) static void hold(double seconds)
{
	double end = omp_get_wtime() + seconds;

	while (omp_get_wtime() < end)
		sink += 1;
}

static void add(double *sum, double since)
{
	double span = omp_get_wtime() - since;

#pragma omp atomic
	*sum += span;
}

/* One of the threads waits while the other is in the critical section. */
__attribute__((noinline)) static void contend(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		double asked = omp_get_wtime();
#pragma omp critical
		{
			add(&critical_wait, asked);
			hold(0.01);
		}
	}
	done++;
}

/* The second thread comes late to the barrier. */
__attribute__((noinline)) static void meet(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		if (omp_get_thread_num())
			hold(0.02);
		double come = omp_get_wtime();
#pragma omp barrier
		add(&barrier_wait, come);
	}
	done++;
}

/* The second half of the iterations has three quarters of the work. */
__attribute__((noinline)) static void share_out(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		double begun = omp_get_wtime();
#pragma omp for schedule(static) nowait
		for (int i = 0; i < ITERATIONS; i++)
			hold(0.0005 * (2 * i + 1));
		add(&loop[omp_get_thread_num()], begun);
	}
	done++;
}

/* One iteration is longer than the other, and there is a barrier at the end. */
__attribute__((noinline)) static void finish_unevenly(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		double begun = omp_get_wtime(), last = begun;
#pragma omp for schedule(dynamic)
		for (int i = 0; i < THREADS; i++) {
			hold(0.004 + 0.012 * i);
			last = omp_get_wtime();
		}
		add(&loop_wait, last);
		uneven[omp_get_thread_num()] += last - begun;
	}
	done++;
}

/* Its tasks are executed elsewhere: it returns at once. */
__attribute__((noinline)) static void make_tasks(void)
{
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		hold(0.002);
	}
	done++;
}

__attribute__((noinline)) static void execute(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
		make_tasks();
		double begun = omp_get_wtime();
#pragma omp taskwait
		add(&task_wait, begun);
	}
	done++;
}

__attribute__((noinline)) static void nest(void)
{
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp parallel num_threads(THREADS)
		hold(0.001);
		__asm__ volatile("");
	}
	done++;
}

/* But for nothing that the compiler knows. */
__attribute__((noinline)) static void open_empty(void)
{
#pragma omp parallel num_threads(THREADS)
	__asm__ volatile("");
	done++;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 10;

	omp_set_max_active_levels(2);
	for (long i = 0; i < rounds; i++) {
		contend();
		meet();
		share_out();
		finish_unevenly();
		execute();
		nest();
		for (int j = 0; j < EMPTY; j++)
			open_empty();
	}
	printf("critical %.6f\nbarrier %.6f\ntaskwait %.6f\nfirst %.6f\nsecond %.6f\n",
		critical_wait, barrier_wait, task_wait, loop[0], loop[1]);
	printf("loopwait %.6f\none %.6f\nother %.6f\n", loop_wait, uneven[0], uneven[1]);
	return 0;
}
