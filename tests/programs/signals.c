/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that lives by signals: one way of using them, and work all the while.  Each prints what
 * came of it, the same every time but for times.
 *
 *	signals queue	real-time signals with values, to a handler
 *	signals wait	the same, taken by sigwaitinfo()
 *	signals file	the same, read from a signalfd()
 *	signals urgent	SIGURG, each waited for, sent in turn to the thread and to the process
 *	signals profile	SIGPROF by setitimer(): seconds of CPU time by ticks, and by getrusage()
 *	signals timer	a CPU timer of the thread's own, by timer_create(), likewise
 *	signals masked TIMES	a thread that blocks signals, and in turn works and waits for them
 *	signals raise	SIGUSR1, raised: the handler has run when raise() returns
 */
#include "spend.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 1000, TICK = 8000 /* microseconds */ };

static volatile sig_atomic_t received, disordered;

__attribute__((noinline)) static void burn(long thousands)
{
	for (long i = 0; i < thousands * 1000; i++)
		SPEND(i);
}

static void take(int value)
{
	disordered += value != received;
	received++;
}

static void handle(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	take(info->si_value.sival_int);
}

/* Queues COUNT signals, numbered, to the process. */
static void *queue(void *argument)
{
	for (int i = 0; i < COUNT; i++) {
		union sigval value = {.sival_int = i};
		while (sigqueue(getpid(), SIGRTMIN, value) && errno == EAGAIN)
			burn(1);
		burn(100);
	}
	return argument;
}

static void set_handler(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART};

	sigaction(number, &action, NULL);
}

static void mask(int how, int number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	pthread_sigmask(how, &set, NULL);
}

/* Lets a thread queue signals, which are left to the caller, until WORK has got all. */
static void receive(void (*work)(void))
{
	pthread_t thread;

	mask(SIG_BLOCK, SIGRTMIN);
	pthread_create(&thread, NULL, queue, NULL);
	while (received < COUNT)
		work();
	pthread_join(thread, NULL);
	printf("%d received, %d out of order\n", (int)received, (int)disordered);
}

static void work_handled(void)
{
	mask(SIG_UNBLOCK, SIGRTMIN);
	burn(10);
}

static void work_waiting(void)
{
	siginfo_t info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	if (sigwaitinfo(&set, &info) == SIGRTMIN)
		take(info.si_value.sival_int);
	else
		perror("sigwaitinfo");
	burn(10);
}

static void work_reading(void)
{
	static int fd = -1;
	struct signalfd_siginfo info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	if (fd < 0)
		fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (read(fd, &info, sizeof info) == sizeof info)
		take((int)info.ssi_int);
	else
		perror("signalfd");
	burn(10);
}

static void count(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	received++;
	disordered += info->si_pid != getpid() && info->si_pid;
}

static void use_urgent(void)
{
	set_handler(SIGURG, count);
	for (int i = 0; i < COUNT; i++) {
		int before = received;
		if (i % 2)
			pthread_kill(pthread_self(), SIGURG);
		else
			kill(getpid(), SIGURG);
		while (received == before)
			burn(1);
		burn(100);
	}
	printf("%d received, %d of them from others\n", (int)received, (int)disordered);
}

static double cpu_time(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6 +
		(double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6;
}

static void tell_ticks(void)
{
	while (cpu_time() < 1.5)
		burn(100);
	printf("%.3f s by ticks, %.3f s in all\n", received * TICK / 1e6, cpu_time());
}

static void use_profile(void)
{
	struct itimerval every = {{0, TICK}, {0, TICK}};

	set_handler(SIGPROF, count);
	setitimer(ITIMER_PROF, &every, NULL);
	tell_ticks();
}

static void use_timer(void)
{
	struct itimerspec every = {{0, TICK * 1000}, {0, TICK * 1000}};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 1};
	timer_t timer;

	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	set_handler(SIGRTMIN + 1, count);
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) ||
		timer_settime(timer, 0, &every, NULL))
		perror("timer_create");
	tell_ticks();
}

__attribute__((noinline)) static void *work_masked(void *argument)
{
	const struct timespec soon = {.tv_nsec = 1000000};
	struct timespec used;
	sigset_t all;
	int strangers = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	for (int i = 0; i < *(const int *)argument; i++) {
		burn(1500);
		strangers += sigtimedwait(&all, NULL, &soon) >= 0;
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	printf("%d strangers; masked for %.3f s\n", strangers,
		(double)used.tv_sec + (double)used.tv_nsec / 1e9);
	return NULL;
}

static void use_masked(int times)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work_masked, &times);
	pthread_join(thread, NULL);
	burn(100000);
	printf("%.3f s in all\n", cpu_time());
}

static void note(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	(void)context;
	received++;
}

static void use_raise(void)
{
	set_handler(SIGUSR1, note);
	raise(SIGUSR1);
	printf("%d handled before raise() returned\n", received);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	if (!strcmp(way, "queue")) {
		set_handler(SIGRTMIN, handle);
		receive(work_handled);
	} else if (!strcmp(way, "wait")) {
		receive(work_waiting);
	} else if (!strcmp(way, "file")) {
		receive(work_reading);
	} else if (!strcmp(way, "urgent")) {
		use_urgent();
	} else if (!strcmp(way, "profile")) {
		use_profile();
	} else if (!strcmp(way, "timer")) {
		use_timer();
	} else if (!strcmp(way, "masked") && argc > 2) {
		use_masked(atoi(argv[2]));
	} else if (!strcmp(way, "raise")) {
		use_raise();
	} else {
		return 2;
	}
	return 0;
}
