/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timers SECONDS WAY [brief]: computes for so much CPU time while a timer of its own
 *(timer_create(2)) sends it SIGURG every 10 ms of that, and prints how often it did, how many
 *timers the kernel knows of it, and how many SIGURG it got that it had not asked for, as strange.
 *WAY is
 *
 *	alone     that is all
 *	fork      it computes for half the time, then a child does all that first
 *	blocks    in place of that, it computes for half the time without a timer, then for all of
 *	          it with SIGURG blocked, and reads those that came by a signalfd
 *	catches   in place of that, it computes for half the time without a timer, then catches
 *	          SIGURG and sends itself 100 of them, which count as those of its timer
 *	confined  it confines itself first: who makes, sets or deletes a timer then is killed
 *
 * With brief it sleeps after each 20 us or so of that.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t own, strange;

static void count(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	bool sent = info->si_code == SI_TKILL && info->si_pid == getpid();

	if (sent || (info->si_code == SI_TIMER && info->si_value.sival_int == 4711))
		own = own + 1;
	else
		strange = strange + 1;
}

static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static volatile unsigned long sink;
static bool brief;

__attribute__((noinline)) static void spend(double seconds)
{
	const struct timespec moment = {.tv_nsec = 20000};

	for (double end = used() + seconds; used() < end;) {
		for (int i = 0; i < 10000; i++)
			sink++;
		if (brief)
			nanosleep(&moment, NULL);
	}
}

static int known(void)
{
	char line[256];
	int timers = 0;
	FILE *file = fopen("/proc/self/timers", "r");

	while (file && fgets(line, sizeof line, file))
		timers += !strncmp(line, "ID:", 3);
	if (file)
		fclose(file);
	return timers;
}

static void catch (void)
{
	struct sigaction action = {.sa_sigaction = count, .sa_flags = SA_SIGINFO | SA_RESTART};

	sigaction(SIGURG, &action, NULL);
}

/* Makes the timer. */
static void begin(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGURG};
	struct itimerspec value = {{.tv_nsec = 10000000}, {.tv_nsec = 10000000}};
	timer_t timer;

	event.sigev_value.sival_int = 4711;
	catch ();
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) ||
		timer_settime(timer, 0, &value, NULL))
		exit(1);
}

static void confine(void)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_timer_create, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_timer_settime, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_timer_delete, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof lines / sizeof *lines, lines};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		exit(1);
}

/* s of CPU time: gdbprof looks at a thread that runs several times meanwhile. */
static const double SOON = 0.08;

/* How many SIGURG, blocked for so much CPU time, a signalfd has. */
static int read_blocked(double seconds)
{
	struct signalfd_siginfo info;
	sigset_t set;
	int count = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	sigprocmask(SIG_BLOCK, &set, NULL);
	int fd = signalfd(-1, &set, SFD_NONBLOCK);
	if (fd < 0)
		exit(1);
	for (double end = used() + seconds; used() < end;) {
		spend(SOON);
		while (read(fd, &info, sizeof info) == sizeof info)
			count++;
	}
	return count;
}

/* Catches SIGURG, and sends itself some during so much CPU time. */
static void send_caught(double seconds)
{
	catch ();
	for (int i = 0; i < 100; i++) {
		spend(seconds / 100);
		raise(SIGURG);
	}
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	const char *way = argc > 2 ? argv[2] : "alone";
	pid_t child = 0;

	brief = argc > 3;
	if (!strcmp(way, "fork")) {
		spend(seconds / 2);
		child = fork();
	}
	if (child > 0)
		waitpid(child, NULL, 0);
	if (!strcmp(way, "blocks")) {
		spend(seconds / 2);
		strange = read_blocked(seconds);
	} else if (!strcmp(way, "catches")) {
		spend(seconds / 2);
		send_caught(seconds);
	} else if (!strcmp(way, "confined")) {
		begin();
		spend(seconds / 2);
		confine();
		spend(seconds);
	} else {
		begin();
		spend(seconds);
	}
	printf("%d expiries in %.2f s, %d strange; %d timers\n", own, used(), strange, known());
	fflush(stdout);
	return 0;
}
