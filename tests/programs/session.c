/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For scripted debug sessions: something to stop at for every command, and enough work around it
 * that a sampler has the time to disturb.
 *
 *	session		signals, a child process, and itself executed anew
 *	session again	what is executed
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

struct point {
	int x, y;
	const char *name;
};

static volatile unsigned long sink;
static volatile sig_atomic_t alarms, users, urgents;
long counter;
struct point points[3] = {{1, 2, "one"}, {3, 4, "two"}, {5, 6, "three"}};

/* Some milliseconds of work. */
__attribute__((noinline)) static void burn(long thousands)
{
	for (long i = 0; i < thousands * 1000; i++)
		sink += (unsigned long)i;
}

__attribute__((noinline)) long factorial(int n)
{
	burn(500);
	if (n <= 1)
		return 1;
	return n * factorial(n - 1);
}

/* Changes the counter in steps, with little in between: software watchpoints are slow. */
__attribute__((noinline)) static void count(long turns)
{
	for (long i = 0; i < 3; i++) {
		burn(turns);
		counter += i + 1;
	}
	sink++;
}

__attribute__((noinline)) static int inner(struct point *point, int turn)
{
	int sum = point->x + point->y + turn;

	burn(2000);
	sum *= 2;
	return sum;
}

__attribute__((noinline)) static int outer(int turn)
{
	int before = turn * 10;
	int found = inner(&points[turn % 3], turn);

	burn(1000);
	return before + found;
}

static void handle(int number)
{
	burn(2000);
	if (number == SIGALRM)
		alarms++;
	else if (number == SIGUSR1)
		users++;
	else
		urgents++;
	burn(1000);
}

__attribute__((noinline)) static void take_signals(void)
{
	struct itimerval soon = {.it_value.tv_usec = 20000};

	signal(SIGALRM, handle);
	signal(SIGUSR1, handle);
	signal(SIGURG, handle);
	raise(SIGUSR1);
	burn(1000);
	raise(SIGUSR1);
	setitimer(ITIMER_REAL, &soon, NULL);
	while (!alarms)
		sink++;
	raise(SIGURG);
	burn(2000);
}

__attribute__((noinline)) static int make_child(void)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		burn(5000);
		_exit(7);
	}
	burn(5000);
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

__attribute__((noinline)) static void finished(int child)
{
	printf("%ld %d %d %d %d\n", counter, (int)alarms, (int)users, (int)urgents, child);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		printf("again: %ld\n", factorial(10));
		return 3;
	}
	int sum = 0;
	for (int turn = 0; turn < 8; turn++)
		sum += outer(turn);
	printf("%d\n", sum);
	printf("%ld\n", factorial(5));
	count(1000);
	count(1);
	take_signals();
	finished(make_child());
	execl("/proc/self/exe", argv[0], "again", NULL);
	return 1;
}
