/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The engine for Cortex-M: nothing is stopped.
 *
 * The core's debug unit has a register with the address of an instruction that the core is
 * executing, which a debugger can read while the core runs.  At the sampling rate, while GDB waits
 * for the target in non-stop mode, the plugin reads that register by a packet of its own.  A stack
 * has this one frame.
 */
#include "plugin/engine/engine.h"
#include "plugin/gdb/host_target.h"

#include "base/clock.h"
#include "plugin/engine/look.h"
#include "plugin/engine/remote.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/interpose/wire.h"
#include "sampling/watch.h"

#include <string.h>

/*
 * DWT_PCSR, which each Cortex-M that has it has at the same address, and its value if there is no
 * address: the core is halted or sleeps, or the unit is off.
 */
enum { REGISTER_SIZE = 4 };
static const uint64_t REGISTER = 0xe000101c;
static const uint32_t NOTHING = 0xffffffff;

/* After how many reads without an address, in a row, a note goes to the user. */
enum { BLANK_MOST = 50 };

/* GDB calls the listener without a context, so there is only one of these. */
static struct {
	struct remote remote;
	int64_t thread; /* the thread of the samples */
	char name[64];
	bool is_known;  /* the thread is known */
	int64_t begin;  /* ns; since when the target runs without a sample; 0: it does not */
	int64_t ran;    /* ns of running time before that which no sample has reported */
	unsigned blank; /* reads without an address so far; BLANK_MOST + 1: one had an address */
	bool refused;   /* the target cannot be read while it runs */
} sampler;

static struct remote *const remote = &sampler.remote;

/* The register has no address: what the core executed is unknown. */
static void take_none(void)
{
	remote->figures.lost++;
	if (sampler.blank < BLANK_MOST && ++sampler.blank == BLANK_MOST)
		remote->request.note(
			"The register DWT_PCSR (0xe000101c) has held no program counter so far.  The core sleeps, it has no such register, or bit 24 of DEMCR (0xe000edfc) is not set.");
}

static void sample(int64_t now)
{
	const struct host_thread thread = {.id = sampler.thread, .name = sampler.name};
	unsigned char bytes[REGISTER_SIZE];
	int64_t ran = sampler.ran + now - sampler.begin;

	sampler.begin = now;
	sampler.ran = 0;
	remote->figures.rounds++;
	remote->figures.ticks++;
	if (!wire_read(REGISTER, bytes, sizeof bytes)) {
		sampler.refused = true;
		remote->figures.lost++;
		remote->request.note(
			"gdbprof cannot read the target while it runs, so it does not sample the target any more.");
		return;
	}
	uint32_t address = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
		(uint32_t)bytes[3] << 24;
	if (address == NOTHING || !address) {
		take_none();
		return;
	}
	sampler.blank = BLANK_MOST + 1;
	/* The lowest bit means Thumb. */
	look_at_address(&remote->request, &thread, ran, address & ~UINT32_C(1));
	remote_ran(remote, ran);
}

/* Does what GDB, which waits without Python's lock, has to do. */
static void yield(void)
{
	PyGILState_STATE state = PyGILState_Ensure();

	if (remote->ending)
		remote_close(remote);
	else
		remote_report_objects(remote);
	PyGILState_Release(state);
}

static int64_t on_wait(bool is_long)
{
	int64_t now = prof_clock();

	if (!is_long || (remote->ending && wire_owes()))
		return INT64_MAX;
	if (remote->ending || (remote->released && !remote->objects_reported)) {
		yield();
		return -1;
	}
	if (!remote->released || sampler.refused)
		return INT64_MAX;
	if (!sampler.begin)
		sampler.begin = now;
	if (now >= remote->due) {
		sample(now);
		remote->due = now + prof_pace_period(&remote->pace);
	}
	return sampler.refused ? INT64_MAX : remote->due;
}

static void on_resume(const char *data, size_t size)
{
	(void)data;
	(void)size;
}

static bool on_detach(int64_t process)
{
	(void)process;
	return false; /* nothing is interrupted */
}

static bool on_interrupt(void)
{
	return true;
}

static const struct wire_listener listener = {on_wait, on_resume, on_detach, on_interrupt};

static struct prof_error *pcsr_available(const char *connection)
{
	struct prof_error *error = engine_check_remote("pcsr", "a Cortex-M", connection);

	if (error)
		return error;
	if (!host_is_nonstop())
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine pcsr reads the target while it runs: use \"set non-stop on\" before target remote.");
	return wire_available();
}

/* On other machines there may be anything at the register's address. */
static struct prof_error *check_machine(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text name = {0};

	host_architecture(&name);
	if (!strncmp(prof_text_get(&name), "arm", 3))
		return NULL;
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"The engine pcsr reads a register of ARM's Cortex-M, and the target is %s.",
		prof_text_get(&name));
}

static struct prof_error *pcsr_start(const struct engine_request *request)
{
	struct prof_error *error = check_machine();

	if (error)
		return error;
	sampler.begin = 0;
	sampler.ran = 0;
	sampler.blank = 0;
	sampler.refused = false;
	return remote_open(remote, request, NULL, &listener);
}

static struct prof_error *pcsr_attach(pid_t process)
{
	struct prof_error *error = check_machine();

	return error ? error : remote_attach(remote, process);
}

/* The register does not say which thread it was, so all samples belong to the first one. */
static void see(void *context, const struct host_thread *thread)
{
	(void)context;
	if (sampler.is_known) {
		if (thread->id != sampler.thread)
			remote->request.note(
				"The register does not report which thread ran: gdbprof shows all samples as those of one thread.");
		return;
	}
	sampler.is_known = true;
	sampler.thread = thread->id;
	strncpy(sampler.name, thread->name, sizeof sampler.name - 1);
}

static void pcsr_release(pid_t process)
{
	if (process != remote->attached || remote->released)
		return;
	remote_release(remote, prof_clock());
	sampler.is_known = false;
	host_list_threads(process, see, NULL);
}

static void pcsr_hold(pid_t process)
{
	int64_t now = prof_clock();

	if (process != remote->attached || !remote->released)
		return;
	if (sampler.begin)
		sampler.ran += now - sampler.begin;
	sampler.begin = 0;
	remote_hold(remote, now);
}

static void pcsr_detach(pid_t process)
{
	if (process == remote->attached)
		remote_detach(remote);
}

static void pcsr_stop(void)
{
	if (!remote->open)
		return;
	pcsr_hold(remote->attached);
	remote->ending = remote->attached && wire_owes();
	if (!remote->ending)
		remote_close(remote);
}

static void pcsr_objects_changed(void)
{
	remote->objects_reported = false;
}

static void pcsr_report(void)
{
	remote_report(remote, prof_clock());
}

const struct engine engine_pcsr = {
	.name = "pcsr",
	.describe =
		"Read a Cortex-M's program counter sample register while it runs; stacks of one frame.",
	.unwinder = "auto",
	.asked_only = true,
	.available = pcsr_available,
	.start = pcsr_start,
	.attach = pcsr_attach,
	.release = pcsr_release,
	.hold = pcsr_hold,
	.objects_changed = pcsr_objects_changed,
	.detach = pcsr_detach,
	.stop = pcsr_stop,
	.report = pcsr_report,
};
