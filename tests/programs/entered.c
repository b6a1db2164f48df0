/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts by itself how often it calls its functions: see tests/gdb/patched.t.  "THREADS ROUNDS
 * [WORD]": so many threads call them in so many rounds; then it prints
 * "leaf N", "climb N", and "sum N".
 *
 * With 0 rounds it goes on until it is sent SIGUSR1.  WORD says how it ends: "fork" makes children
 * before, "exec" executes itself, "exit" calls the kernel, "thread" ends the main thread alone, and
 * "abort" ends by a signal.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

enum { MOST = 4096, DEPTH = 10 };

struct account {
	unsigned long leaf, climb, sum;
	char pad[104];
};

static struct account accounts[MOST];
static volatile sig_atomic_t ended;
static unsigned long rounds;

APART unsigned long leaf(unsigned long number)
{
	return number * 3 + 1;
}

APART unsigned long climb(struct account *account, unsigned long number)
{
	account->climb++;
	if (number < 2) {
		account->leaf++;
		return leaf(number);
	}
	return climb(account, number - 1) + climb(account, number - 2);
}

#ifdef __x86_64__
/* A jump has no room in front of what follows. */
void tiny(void);
__asm__(".text\n"
	".type tiny,@function\ntiny:\n	.cfi_startproc\n	ret\n	.cfi_endproc\n"
	".size tiny,.-tiny\n"
	".type after,@function\nafter:\n	.cfi_startproc\n	nop\n	ret\n	.cfi_endproc\n"
	".size after,.-after\n");
#else
APART void tiny(void)
{
}
#endif

static void *call(void *context)
{
	struct account *account = context;

	for (unsigned long i = 0; rounds ? i < rounds : !ended; i++)
		account->sum += climb(account, DEPTH);
	return NULL;
}

static void end(int number)
{
	(void)number;
	ended = 1;
}

static void tell(void)
{
	struct account all = {0};

	for (int i = 0; i < MOST; i++) {
		all.leaf += accounts[i].leaf;
		all.climb += accounts[i].climb;
		all.sum += accounts[i].sum;
	}
	printf("leaf %lu\nclimb %lu\nsum %lu\n", all.leaf, all.climb, all.sum);
	fflush(stdout);
}

static void make_children(void)
{
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();
		if (!child) {
			struct account own = {0};
			_exit(climb(&own, DEPTH) != accounts[0].sum / rounds);
		}
		int status;
		if (waitpid(child, &status, 0) != child || status)
			printf("child %x\n", (unsigned)status);
	}
	if (system("true"))
		puts("system");
}

static void finish(const char *word, char **argv)
{
	if (!strcmp(word, "fork"))
		make_children();
	tell();
	if (!strcmp(word, "exit"))
		syscall(SYS_exit_group, 0);
	else if (!strcmp(word, "thread"))
		pthread_exit(NULL);
	else if (!strcmp(word, "abort"))
		abort();
	else if (!strcmp(word, "exec"))
		execl(argv[0], argv[0], "1", "1", (char *)NULL);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t threads[MOST];

	if (count > MOST)
		return 2;
	rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	signal(SIGUSR1, end);
	tiny();
	for (int i = 1; i < count; i++) {
		if (pthread_create(&threads[i], NULL, call, &accounts[i]))
			return 3;
	}
	call(&accounts[0]);
	for (int i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
	finish(argc > 3 ? argv[3] : "", argv);
	return 0;
}
