/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two threads take turns with the locks of two accounts, members of elements of an array. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

struct account {
	long balance;
	pthread_mutex_t lock;
};

static struct account accounts[3];
enum { ROUNDS = 20 };

/* What the C library writes into a lock that somebody waits for. */
enum { WAITED_FOR = 2 };

static void rest(void)
{
	const struct timespec moment = {0, 200000};

	nanosleep(&moment, NULL);
}

/* Lets the other thread wait for ACCOUNT, unless it has ended. */
static void let_wait(struct account *account)
{
	for (int i = 0; i < 100 && *(volatile int *)&account->lock.__data.__lock != WAITED_FOR; i++)
		rest();
	rest();
}

__attribute__((noinline)) static void pay(struct account *account)
{
	pthread_mutex_lock(&account->lock); /* pay */
	account->balance++;
	let_wait(account);
	pthread_mutex_unlock(&account->lock);
	rest();
}

__attribute__((noinline)) static void draw(struct account *account)
{
	pthread_mutex_lock(&account->lock); /* draw */
	account->balance--;
	let_wait(account);
	pthread_mutex_unlock(&account->lock);
	rest();
}

static void *draw_all(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		draw(&accounts[1 + i / (ROUNDS / 2)]);
	return unused;
}

int main(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_mutex_init(&accounts[i].lock, NULL);
	pthread_create(&thread, NULL, draw_all, NULL);
	for (int i = 0; i < ROUNDS; i++)
		pay(&accounts[1 + i / (ROUNDS / 2)]);
	pthread_join(thread, NULL);
	printf("%ld\n", accounts[1].balance + accounts[2].balance);
	return 0;
}
