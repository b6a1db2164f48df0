/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes until it is killed, or for ten minutes: what is attached to.
 */
#include <sys/prctl.h>
#include <unistd.h>

static volatile unsigned long turns;

__attribute__((noinline)) static void turn(void)
{
	for (int i = 0; i < 1000; i++)
		turns++;
}

int main(void)
{
	/* Where Yama rules, only a parent may attach. */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	alarm(600);
	for (;;)
		turn();
}
