/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/tick.h"

#include "base/clock.h"
#include "recording/look.h"
#include "sampling/alarm.h"
#include "sampling/mask_guess.h"
#include "sampling/watch.h"
#include "target/procfs.h"

#include <sys/syscall.h>
#include <unistd.h>

/* Its address marks signals as ticks of this process. */
static const char cookie;

void *prof_tick_value(void)
{
	return (void *)(uintptr_t)&cookie;
}

bool prof_tick_is_of_timer(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_ptr == &cookie;
}

bool prof_tick_is_ours(const siginfo_t *info)
{
	if (prof_alarm_is_one(info) || prof_tick_is_of_timer(info))
		return true;
	/* From another pid namespace, our id is 0. */
	return info->si_code == SI_QUEUE && info->si_ptr == &cookie &&
		(info->si_pid == getpid() || info->si_pid == 0);
}

bool prof_tick_is_blank(const siginfo_t *info)
{
	return info->si_code == SI_USER && !info->si_pid;
}

bool prof_tick_is_of_host(const siginfo_t *info)
{
	/* From another pid namespace, our id is 0. */
	return info->si_signo == SIGSTOP && info->si_code == SI_TKILL &&
		(info->si_pid == getpid() || info->si_pid == 0);
}

static uint64_t bit(int signal)
{
	return UINT64_C(1) << (signal - 1);
}

bool prof_tick_blocks(const struct prof_watch *watch, int signal)
{
	return signal && watch->masks.blocked & bit(signal);
}

bool prof_tick_is_pending(const struct prof_watch *watch, int signal)
{
	struct prof_signals signals;

	return prof_procfs_signals(watch->process, watch->thread, &signals) &&
		signals.own & bit(signal);
}

/* The better signal of those that can be blocked, by what is known about the thread now. */
static int choose_blockable(const struct prof_watch *watch)
{
	if (!((watch->masks.caught | watch->masks.blocked) & bit(SIGURG)))
		return SIGURG;
	if (!(watch->masks.blocked & bit(SIGWINCH)))
		return SIGWINCH;
	return watch->masks.caught & bit(SIGURG) ? SIGWINCH : SIGURG;
}

int prof_tick_choose(struct prof_watch *watch, int asked, const struct prof_schedstat *schedstat)
{
	int signal = asked ? asked : choose_blockable(watch);

	if (!prof_mask_guess_blocks(watch, signal, schedstat))
		return signal;
	return watch->watchdog && !asked ? SIGSTOP : 0;
}

static bool send(const struct prof_watch *watch, int signal)
{
	siginfo_t info = {.si_signo = signal, .si_code = SI_QUEUE};

	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_ptr = prof_tick_value();
	return !syscall(SYS_rt_tgsigqueueinfo, watch->process, watch->thread, signal, &info);
}

/*
 * May SIGSTOP be sent to WATCH now?  A pending one would swallow it: a new thread's first stop, or
 * one that the debugger has sent.  And the kernel drops a pending SIGCONT.
 */
static bool may_stop(const struct prof_watch *watch)
{
	struct prof_signals signals;

	return prof_procfs_signals(watch->process, watch->thread, &signals) &&
		!(signals.own & bit(SIGSTOP)) && !(signals.pending & bit(SIGCONT));
}

void prof_tick_send(struct prof_watch *watch, int signal)
{
	if (signal == SIGSTOP && !may_stop(watch))
		return;
	prof_watch_begin_tick(watch, signal, prof_clock());
	if (!send(watch, signal)) {
		watch->gone = true;
		prof_watch_end_tick(watch);
	}
}

/* Is it stopped, or was it, and its host was too busy to report that it goes on? */
static bool stands(const struct prof_watch *watch, char state)
{
	return state == 't' || state == 'T' || watch->met_tick;
}

/* WATCH can get SIGSTOP, but was sent a signal that it has blocked since. */
static bool is_behind(const struct prof_watch *watch)
{
	return watch->watchdog && watch->signal != SIGSTOP &&
		prof_tick_blocks(watch, watch->signal);
}

void prof_tick_follow(struct prof_watch *watch)
{
	uint32_t behind = watch->behind | (uint32_t)bit(watch->signal);

	prof_tick_send(watch, SIGSTOP);
	if (watch->sent && watch->signal == SIGSTOP)
		watch->behind = behind;
}

void prof_tick_lose(struct prof_watch *watch, struct prof_figures *figures)
{
	figures->ticks++;
	figures->lost++;
	watch->counted++;
}

bool prof_tick_await(struct prof_watch *watch, int64_t now, struct prof_figures *figures)
{
	struct prof_signals signals;
	char state = prof_watch_state(watch);

	if (stands(watch, state)) {
		/*
		 * An alarm follows the thread's own clock, which stands still now: no tick is lost,
		 * even if this one was sent because the alarm did not see the thread.
		 */
		if (watch->alarm.fd < 0 && !watch->timer.used)
			prof_tick_lose(watch, figures);
		return true;
	}
	if (state == 'R' && is_behind(watch))
		return false;
	if (now - watch->sent < PROF_TICK_LOST_AFTER)
		return true;
	if (!prof_procfs_signals(watch->process, watch->thread, &signals)) {
		watch->gone = true;
	} else if (signals.own & bit(watch->signal)) {
		/* It blocks the signal, waits for a CPU, or is in a long system call. */
		watch->blocks = signals.blocked & bit(watch->signal);
		watch->sent = now;
	} else if (!stands(watch,
			   prof_watch_state(watch))) { /* it may have stopped for it just now */
		prof_watch_end_tick(watch);
	}
	return true;
}
