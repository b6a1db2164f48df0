/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/mask_guess.h"

#include "sample_child.h"
#include "sampling/watchdog_table.h"

#include <sys/syscall.h>

static const uint64_t URG = UINT64_C(1) << (SIGURG - 1);

/* Looks after which a thread that stays on its CPU is believed. */
enum { SURE = PROF_MASK_GUESS_LOOKS / PROF_MASK_GUESS_SURE };

static uint64_t mask; /* that a child blocks, by the kernel: its C library would not do some */

static void spin_blocked(void)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
	child_spin();
}

/* A watch on a child that spins and blocks BLOCKED, its state read. */
static struct prof_watch watch_of(uint64_t blocked)
{
	struct prof_watch watch;
	struct prof_signals signals = {.blocked = ~blocked};

	mask = blocked;
	pid_t child = child_start(spin_blocked);
	/* SIGKILL and SIGSTOP cannot be blocked. */
	while (signals.blocked != blocked)
		ck_assert(prof_procfs_signals(child, child, &signals));
	prof_watch_init(&watch, child, child, prof_clock());
	ck_assert_int_eq(prof_watch_state(&watch), 'R');
	return watch;
}

static void end(struct prof_watch *watch)
{
	prof_watch_deinit(watch);
	children_end();
}

/* Is it taken to block the signal as it has run for NS in all? */
static bool blocks(struct prof_watch *watch, int64_t ns)
{
	return prof_mask_guess_blocks(watch, SIGURG, &(struct prof_schedstat){.run = ns});
}

START_TEST(one_that_blocks_nothing_is_trusted)
{
	struct prof_watch watch = watch_of(0);

	ck_assert(!blocks(&watch, 1));
	ck_assert(!blocks(&watch, 2));
	end(&watch);
}
END_TEST

START_TEST(one_that_blocks_others_is_trusted)
{
	struct prof_watch watch = watch_of(~URG & 0x7fffffff & ~(UINT64_C(1) << (SIGKILL - 1)) &
		~(UINT64_C(1) << (SIGSTOP - 1)));

	ck_assert(!blocks(&watch, 1));
	end(&watch);
}
END_TEST

START_TEST(one_that_has_blocked_it_is_trusted_after_it_ran_often_without)
{
	struct prof_watch watch = watch_of(URG);

	ck_assert(blocks(&watch, 1));
	watch.masks.blocked = 0;
	for (int i = 1; i <= SURE; i++) {
		ck_assert(blocks(&watch, 1 + i));
		/* Still on its way to a CPU, it has shown nothing. */
		ck_assert(blocks(&watch, 1 + i) || i == SURE);
	}
	ck_assert(!blocks(&watch, 100));
	end(&watch);
}
END_TEST

/* It can be sent SIGSTOP meanwhile: only what is sure counts. */
START_TEST(with_a_watchdog_one_that_has_left_its_cpu_is_not_trusted)
{
	struct prof_watchdog_entry entry = {0};
	struct prof_watch watch = watch_of(URG);

	watch.watchdog = &entry;
	ck_assert(blocks(&watch, 1));
	watch.masks.blocked = 0;
	for (uint64_t i = 1; i <= 2 * PROF_MASK_GUESS_LOOKS; i++)
		ck_assert(prof_mask_guess_blocks(
			&watch, SIGURG, &(struct prof_schedstat){.run = (int64_t)i, .slices = i}));
	end(&watch);
}
END_TEST

START_TEST(one_that_blocks_it_at_first_is_not_trusted)
{
	struct prof_watch watch = watch_of(URG);

	prof_mask_guess_begin(&watch);
	watch.masks.blocked = 0;
	ck_assert(blocks(&watch, 1));
	end(&watch);
}
END_TEST

START_TEST(one_that_blocks_nothing_at_first_is_trusted)
{
	struct prof_watch watch = watch_of(0);

	prof_mask_guess_begin(&watch);
	ck_assert(!blocks(&watch, 1));
	end(&watch);
}
END_TEST

/* As where a thread is begun or ended: then those from 32 on are blocked too. */
START_TEST(one_that_blocks_it_for_a_moment_is_trusted_after)
{
	struct prof_watch watch = watch_of(URG | UINT64_C(1) << 31 | UINT64_C(1) << 32);

	ck_assert(blocks(&watch, 1));
	watch.masks.blocked = 0;
	ck_assert(!blocks(&watch, 2));
	end(&watch);
}
END_TEST

/* It may have been so, or wait for signals now. */
START_TEST(one_that_blocks_it_no_more_is_looked_at_again)
{
	struct prof_watch watch = watch_of(0);

	watch.masks.blocked = (uint32_t)URG;
	ck_assert(blocks(&watch, 1));
	watch.masks.blocked = 0;
	for (int i = 1; i <= PROF_MASK_GUESS_AGAIN / PROF_MASK_GUESS_SURE; i++)
		ck_assert(blocks(&watch, 1 + i));
	ck_assert(!blocks(&watch, 100));
	end(&watch);
}
END_TEST

/* But once it has blocked it itself, it may do so in such a moment as well. */
START_TEST(one_that_has_blocked_it_is_not_taken_for_that)
{
	struct prof_watch watch = watch_of(URG | UINT64_C(1) << 31 | UINT64_C(1) << 32);

	watch.masked = 1;
	ck_assert(blocks(&watch, 1));
	ck_assert_uint_eq(watch.masked, PROF_MASK_GUESS_LOOKS);
	end(&watch);
}
END_TEST

/* The kernel lifts the mask there. */
START_TEST(one_that_waits_for_signals_is_not_trusted)
{
	struct prof_watch watch = watch_of(0);

	watch.asleep = true;
	watch.wait.for_signals = true;
	ck_assert(blocks(&watch, 1));
	watch.asleep = false;
	ck_assert(blocks(&watch, 2));
	end(&watch);
}
END_TEST

/* Where CPUs are scarce it is seen as it wakes up, again and again. */
START_TEST(one_that_leaves_its_cpu_is_trusted_late)
{
	struct prof_watch watch = watch_of(0);
	struct prof_schedstat schedstat = {.run = 1, .slices = 1};

	watch.masked = PROF_MASK_GUESS_LOOKS;
	for (int i = 0; i < PROF_MASK_GUESS_LOOKS; i++) {
		schedstat.run++;
		schedstat.slices++;
		ck_assert(prof_mask_guess_blocks(&watch, SIGURG, &schedstat));
	}
	ck_assert(!prof_mask_guess_blocks(&watch, SIGURG, &schedstat));
	end(&watch);
}
END_TEST

START_TEST(one_that_sleeps_elsewhere_is_trusted)
{
	struct prof_watch watch = watch_of(0);
	struct prof_schedstat schedstat = {.run = 1, .slices = 1};

	watch.masked = PROF_MASK_GUESS_LOOKS;
	for (int i = 0; i < SURE; i++) {
		schedstat.run++;
		schedstat.slices++;
		watch.asleep = true;
		ck_assert(prof_mask_guess_blocks(&watch, SIGURG, &schedstat));
	}
	ck_assert(!prof_mask_guess_blocks(&watch, SIGURG, &schedstat));
	end(&watch);
}
END_TEST

RUN_TESTS("mask guess", with_a_watchdog_one_that_has_left_its_cpu_is_not_trusted,
	one_that_blocks_it_at_first_is_not_trusted, one_that_blocks_nothing_at_first_is_trusted,
	one_that_blocks_nothing_is_trusted, one_that_blocks_others_is_trusted,
	one_that_has_blocked_it_is_trusted_after_it_ran_often_without,
	one_that_blocks_it_for_a_moment_is_trusted_after,
	one_that_blocks_it_no_more_is_looked_at_again,
	one_that_has_blocked_it_is_not_taken_for_that, one_that_waits_for_signals_is_not_trusted,
	one_that_leaves_its_cpu_is_trusted_late, one_that_sleeps_elsewhere_is_trusted)
