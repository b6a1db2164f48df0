/*
 * A thread that pauses its own recording while another goes on, and a program that ends it.
 *
 *	shown	of the thread, before its pause and behind it
 *	hidden	of the thread, while it is paused
 *	main	waits for the thread, then calls other(), ends the recording and calls late()
 */
#include "../../include/gdbprof.h"
#include "cpu.h"

#include <pthread.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void shown(void)
{
	burn(0.15);
	sink++;
}

__attribute__((noinline)) static void hidden(void)
{
	burn(0.3);
	sink++;
}

__attribute__((noinline)) static void other(void)
{
	burn(0.15);
	sink++;
}

__attribute__((noinline)) static void late(void)
{
	burn(0.15);
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
	return 0;
}
