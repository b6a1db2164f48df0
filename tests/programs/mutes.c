/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread that pauses its own recording while another goes on, and a program that ends it.
 *
 *	shown	of the thread, before its pause and behind it
 *	hidden	of the thread, while it is paused
 *	main	waits for the thread, then calls other(), ends the recording and calls late()
 *
 * It prints how many seconds of CPU time each of them had.
 */
#include "../../include/gdbprof.h"
#include "cpu.h"

#include <pthread.h>

static volatile unsigned long sink;
static struct {
	double shown, hidden, other, late;
} had;

__attribute__((noinline)) static void shown(void)
{
	had.shown += burn(0.15);
	sink++;
}

__attribute__((noinline)) static void hidden(void)
{
	had.hidden += burn(0.3);
	sink++;
}

__attribute__((noinline)) static void other(void)
{
	had.other += burn(0.15);
	sink++;
}

__attribute__((noinline)) static void late(void)
{
	had.late += burn(0.15);
	sink++;
}

static void *run(void *argument)
{
	shown();
	gdbprof_thread_pause();
	hidden();
	gdbprof_thread_resume();
	shown();
	return argument;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	other();
	gdbprof_end();
	late();
	printf("shown %.3f hidden %.3f other %.3f late %.3f\n", had.shown, had.hidden, had.other,
		had.late);
	return 0;
}
