/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/off_cpu.h"

#include "sample_child.h"
#include "target/arch.h"

#include <stdatomic.h>
#include <sys/mman.h>

/* ms between looks. */
enum { APART = 30 };

static struct prof_off_cpu_stretch look(struct prof_off_cpu *off_cpu, pid_t child)
{
	struct prof_off_cpu_stretch did;

	ck_assert(prof_off_cpu_look(off_cpu, child, child, prof_arch_native(), &did));
	return did;
}

/* A child that sleeps, whose time counts from now on. */
static pid_t begin_asleep(struct prof_off_cpu *off_cpu)
{
	pid_t child = child_start(child_sleep);

	while (thread_state(child, child) != 'S')
		pause_ms(1);
	prof_off_cpu_newborn(off_cpu, 0);
	prof_off_cpu_restart(off_cpu, child, child, prof_clock());
	return child;
}

START_TEST(a_sleeper_waits_all_the_time)
{
	struct prof_off_cpu off_cpu;
	pid_t child = begin_asleep(&off_cpu);
	int64_t begin = off_cpu.until;

	struct prof_off_cpu_stretch first = look(&off_cpu, child);
	ck_assert(first.moved && off_cpu.known);
	ck_assert_int_eq(off_cpu.wait.state, PROF_STATE_OTHER);
	ck_assert_uint_ne(off_cpu.wait.sp, 0);
	ck_assert(prof_off_cpu_stays(&off_cpu, child, child));
	pause_ms(APART);
	struct prof_off_cpu_stretch second = look(&off_cpu, child);
	ck_assert(!second.moved);
	ck_assert_int_eq(first.slept + second.slept, off_cpu.until - begin);
	ck_assert_int_ge(second.slept, APART * 1000000);
	ck_assert_int_eq(second.delay, 0);
	children_end();
}
END_TEST

/* Its life: it ran, or waited for a CPU, and what the kernel has not accounted yet is no wait. */
START_TEST(who_is_busy_does_not_sleep)
{
	pid_t child = child_start(child_spin);
	struct prof_off_cpu off_cpu;
	int64_t slept = 0, delay = 0;

	int64_t begin = prof_clock();
	prof_off_cpu_newborn(&off_cpu, 0);
	prof_off_cpu_restart(&off_cpu, child, child, begin);
	struct prof_schedstat before = off_cpu.read;
	for (int i = 0; i < 20; i++) {
		pause_ms(APART);
		struct prof_off_cpu_stretch did = look(&off_cpu, child);
		ck_assert(!did.moved);
		slept += did.slept;
		delay += did.delay;
	}
	/* A host may take its CPU away for much of the time. */
	ck_assert_int_lt(slept, off_cpu.until - begin);
	ck_assert_int_eq(off_cpu.read.run - before.run + slept + delay, off_cpu.until - begin);
	ck_assert(!prof_off_cpu_stays(&off_cpu, child, child));
	children_end();
}
END_TEST

/* The kernel accounts for a wait for a CPU as a whole, when it is over. */
START_TEST(a_delay_from_before_does_not_count)
{
	struct prof_off_cpu off_cpu;
	pid_t child = begin_asleep(&off_cpu);
	int64_t begin = off_cpu.until;

	off_cpu.read.delay -= 5000000000;
	pause_ms(APART);
	struct prof_off_cpu_stretch first = look(&off_cpu, child);
	ck_assert_int_gt(first.delay, 0);
	ck_assert_int_eq(first.delay + first.slept, off_cpu.until - begin);
	pause_ms(APART);
	struct prof_off_cpu_stretch second = look(&off_cpu, child);
	ck_assert_int_lt(second.delay, first.delay);
	ck_assert_int_ge(second.slept, APART * 1000000);
	children_end();
}
END_TEST

static atomic_int *asked;

/* Waits in one system call until it is asked to wait in another one. */
static void wait_twice(void)
{
	while (!atomic_load(asked))
		pause_ms(1);
	child_sleep();
}

START_TEST(a_wait_that_was_left_is_another)
{
	struct prof_off_cpu off_cpu;

	asked = mmap(
		NULL, sizeof *asked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(asked, MAP_FAILED);
	pid_t child = child_start(wait_twice);
	prof_off_cpu_newborn(&off_cpu, 0);
	prof_off_cpu_restart(&off_cpu, child, child, prof_clock());
	while (!look(&off_cpu, child).moved)
		pause_ms(1);
	struct prof_wait first = off_cpu.wait;
	atomic_store(asked, 1);
	do {
		pause_ms(5);
		look(&off_cpu, child);
	} while (prof_wait_same_place(&first, &off_cpu.wait));
	ck_assert(off_cpu.known);
	prof_off_cpu_forget(&off_cpu);
	ck_assert(!off_cpu.known && look(&off_cpu, child).moved);
	children_end();
}
END_TEST

START_TEST(all_of_a_new_life_counts)
{
	struct prof_off_cpu off_cpu;
	int64_t born = prof_clock();
	pid_t child = child_start(child_sleep);

	while (thread_state(child, child) != 'S')
		pause_ms(1);
	prof_off_cpu_newborn(&off_cpu, born);
	struct prof_off_cpu_stretch did = look(&off_cpu, child);
	ck_assert_int_eq(did.slept + did.delay + off_cpu.read.run, off_cpu.until - born);
	children_end();
}
END_TEST

START_TEST(what_has_ended_is_not_looked_at)
{
	struct prof_off_cpu off_cpu;
	struct prof_off_cpu_stretch did;
	pid_t child = child_start(child_sleep);

	prof_off_cpu_newborn(&off_cpu, prof_clock());
	kill(child, SIGKILL);
	while (thread_state(child, child) != 'Z')
		pause_ms(1);
	ck_assert(!prof_off_cpu_look(&off_cpu, child, child, prof_arch_native(), &did));
	children_end();
	ck_assert(!prof_off_cpu_look(&off_cpu, child, child, prof_arch_native(), &did));
}
END_TEST

RUN_TESTS("off cpu", a_sleeper_waits_all_the_time, who_is_busy_does_not_sleep,
	a_delay_from_before_does_not_count, a_wait_that_was_left_is_another,
	all_of_a_new_life_counts, what_has_ended_is_not_looked_at)
