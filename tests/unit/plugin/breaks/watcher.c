/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watcher sends a thread that a kind has found a signal, which this program's children wait
 * for. */
#include "plugin/breaks/watcher.h"

#include "plugin/breaks/break_kind.h"
#include "suite.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static int64_t find_child(void *own, pid_t process, int64_t now, pid_t *ret)
{
	(void)own, (void)now;
	*ret = process;
	return 0;
}

static const struct break_kind always = {.name = "always", .look = find_child};

/* A child that waits for SIGNAL, and ends with 0 when it comes; it blocks SIGURG if that is not it.
 */
static void begin(int signal)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	sigaddset(&set, signal);
	sigprocmask(SIG_BLOCK, &set, NULL);
	child = fork();
	if (child)
		return;
	int met = 0;
	sigemptyset(&set);
	sigaddset(&set, signal);
	sigwait(&set, &met);
	_exit(met != signal);
}

static int end(void)
{
	int status = -1;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status;
}

/* A child that waits for SIGNAL does not block it meanwhile, but the other one. */
static void check_signal(int signal)
{
	struct watched_break item = {.kind = &always, .enabled = true};

	begin(signal);
	ck_assert_ptr_null(watcher_add(&item));
	ck_assert_ptr_null(watcher_go_on(child));
	ck_assert_int_eq(end(), 0);
	watcher_forget(child);
	ck_assert(!watcher_meet(&item, child));
	watcher_remove(&item);
}

START_TEST(sends_a_signal_that_the_thread_does_not_block)
{
	check_signal(SIGURG);
	check_signal(SIGWINCH);
}
END_TEST

START_TEST(time_passes_while_a_process_runs)
{
	struct watched_break item = {.kind = &always};

	ck_assert_ptr_null(watcher_add(&item));
	ck_assert_ptr_null(watcher_go_on(getpid()));
	usleep(2000);
	watcher_stand_all();
	break_lock();
	int64_t ran = watcher_clock(getpid());
	break_unlock();
	usleep(2000);
	break_lock();
	ck_assert_int_eq(watcher_clock(getpid()), ran);
	break_unlock();
	ck_assert_int_ge(ran, 2000000);
	watcher_remove(&item);
}
END_TEST

RUN_TESTS(
	"watcher", sends_a_signal_that_the_thread_does_not_block, time_passes_while_a_process_runs)
