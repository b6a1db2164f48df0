/*
 * The main engine: one thread at a time is stopped, silently, walked and resumed.
 *
 * It stands in for waitpid() and ptrace() in GDB's import slots.  When waitpid() reports a thread
 * stopped by a tick of ours, the thread is sampled and resumed as GDB resumed it last, and GDB
 * never learns of it.  All else passes through untouched.  Both run on GDB's own thread, the
 * tracer; they call neither Python nor GDB.
 */
#include "plugin/engine.h"

#include "plugin/slot.h"
#include "sample/mappings.h"
#include "sample/procfs.h"
#include "sample/watch.h"
#include "target/arch.h"
#include "target/process.h"
#include "target/unwind.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

typedef pid_t waitpid_function(pid_t process, int *status, int options);
typedef long ptrace_function(long request, pid_t thread, void *address, void *data);

/* GDB calls the functions in its slots without a context: there is one of these. */
static struct {
	struct slot waitpid, ptrace;
	bool installed; /* the slots are ours */
	bool draining;  /* it was stopped with ticks under way; the last one met ends it */
	pthread_t host; /* the tracer's thread */

	struct engine_request request;
	uint64_t *frames; /* room for the deepest stack */

	/* Of the process that it is attached to; NULL if there is none. */
	struct prof_ticker *ticker;
	struct prof_process process;
	struct prof_target target;
	struct prof_unwinder *unwinder;
	uint64_t generation; /* of the mappings that the recorder was told */
} stop;

static waitpid_function *real_waitpid(void)
{
	return (waitpid_function *)stop.waitpid.function;
}

static ptrace_function *real_ptrace(void)
{
	return (ptrace_function *)stop.ptrace.function;
}

static void remove_hooks(void)
{
	/* The pages were made writable before, so this can't fail. */
	prof_error_destroy(slot_set(&stop.waitpid, stop.waitpid.before));
	prof_error_destroy(slot_set(&stop.ptrace, stop.ptrace.before));
	stop.installed = false;
	stop.draining = false;
}

static void leave_process(void)
{
	prof_ticker_destroy(stop.ticker);
	prof_unwinder_destroy(stop.unwinder);
	stop.ticker = NULL;
	stop.unwinder = NULL;
}

/* Reads the registers of THREAD, which is stopped.  False: it was killed in this very moment. */
static bool read_registers(pid_t thread, struct prof_registers *ret)
{
	AUTO_ERROR struct prof_error *error = prof_process_registers(thread, ret);

	return !error;
}

/* Walks the stack of a thread, stopped, with REGISTERS into stop.frames.  Returns the depth. */
static size_t walk(const struct prof_registers *registers, struct prof_look *look)
{
	enum prof_stack_end end;
	size_t depth = prof_unwinder_walk(
		stop.unwinder, registers, stop.frames, stop.request.max_depth, &end);

	look->end = (uint8_t)end;
	return depth;
}

/* Tells the recorder of LOOK with the stack that walk() has found, and of what is mapped. */
static void put(struct prof_look *look, uint8_t end, size_t depth)
{
	struct prof_record record = {
		.kind = PROF_RECORD_LOOK,
		.size = (uint32_t)(depth * sizeof *stop.frames),
		.look = *look,
	};

	record.look.end = end;
	record.look.depth = (uint32_t)depth;
	uint64_t generation = prof_unwinder_generation(stop.unwinder);
	if (generation != stop.generation) {
		stop.generation = generation;
		prof_mappings_put(stop.request.queue, stop.process.pid, &stop.target,
			prof_unwinder_maps(stop.unwinder));
	}
	prof_queue_put(stop.request.queue, &record, stop.frames);
}

/* Gives the recorder the stack of THREAD, stopped, for the time until it is met on a CPU. */
static void seed(pid_t thread)
{
	struct prof_look look = {
		.time = prof_watch_clock(),
		.thread = thread,
		.process = stop.process.pid,
	};
	struct prof_registers registers;

	if (!read_registers(thread, &registers))
		return;
	size_t depth = walk(&registers, &look);
	put(&look, look.end, depth);
}

/* Is STATUS of THREAD a stop by a tick of ours?  *NOTE is then the request it was resumed with. */
static bool is_ours(pid_t thread, int status, int *note)
{
	siginfo_t info;

	if (!stop.ticker || !WIFSTOPPED(status) || status >> 16 ||
		!prof_ticker_meet(stop.ticker, thread, WSTOPSIG(status), note))
		return false;
	/* The process may send itself the same signal.  From another pid namespace we look as 0. */
	return !real_ptrace()(PTRACE_GETSIGINFO, thread, NULL, &info) && info.si_code == SI_TKILL &&
		(info.si_pid == getpid() || info.si_pid == 0);
}

/* After prof-stop: the last tick that was under way has been met, or its thread has ended. */
static void finish_draining(void)
{
	if (!stop.draining || prof_ticker_outstanding(stop.ticker))
		return;
	leave_process();
	remove_hooks();
}

/* Samples THREAD, which is stopped by our tick, and lets it go on as GDB did last. */
static void sample(pid_t thread, int request)
{
	struct prof_look met = {0};
	struct prof_registers registers;
	struct prof_look look;
	size_t depth = 0;

	if (read_registers(thread, &registers)) {
		/* It was on a CPU when it was signalled, and may have gone to sleep since. */
		prof_process_retry(thread, &registers);
		if (!stop.draining)
			depth = walk(&registers, &met);
	}
	real_ptrace()(request, thread, NULL, NULL);
	prof_ticker_settle(stop.ticker, thread, &look);
	if (!stop.draining)
		put(&look, met.end, depth);
	finish_draining();
}

/* What GDB learns of THREAD is of interest to the ticker too. */
static void notice(pid_t thread, int status)
{
	if (!stop.ticker)
		return;
	if (WIFEXITED(status) || WIFSIGNALED(status)) {
		prof_ticker_forget(stop.ticker, thread);
		finish_draining();
	} else if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
		prof_ticker_exec(stop.ticker);
		prof_unwinder_flush(stop.unwinder);
	}
}

/*
 * Looks at the last of a thread that has ended, before it is waited for and gone.  What is found
 * here is what waitpid() will find: where that is a thread that stopped, there is nothing to do.
 */
static void look_for_end(pid_t process, int options)
{
	siginfo_t info = {0};

	if (!stop.ticker || (process != -1 && process <= 0))
		return;
	if (!waitid(process > 0 ? P_PID : P_ALL, (id_t)process, &info,
		    WEXITED | WNOWAIT | WNOHANG | (options & __WALL)) &&
		info.si_pid &&
		(info.si_code == CLD_EXITED || info.si_code == CLD_KILLED ||
			info.si_code == CLD_DUMPED))
		prof_ticker_forget(stop.ticker, info.si_pid);
}

static pid_t hooked_waitpid(pid_t process, int *status, int options)
{
	waitpid_function *original = real_waitpid();
	int own;
	int note;

	if (!status)
		status = &own;
	if (!pthread_equal(pthread_self(), stop.host))
		return original(process, status, options);
	for (;;) {
		look_for_end(process, options);
		pid_t thread = original(process, status, options);
		if (thread <= 0)
			return thread;
		if (!is_ours(thread, *status, &note)) {
			notice(thread, *status);
			return thread;
		}
		sample(thread, note);
	}
}

static bool resumes(long request)
{
	return request == PTRACE_CONT || request == PTRACE_SINGLESTEP || request == PTRACE_SYSCALL;
}

/* GDB is about to have REQUEST done with THREAD. */
static void watch(long request, pid_t thread)
{
	if (request == PTRACE_DETACH || request == PTRACE_KILL)
		prof_ticker_forget(stop.ticker, thread);
	else if (resumes(request) && prof_ticker_watch(stop.ticker, thread, (int)request))
		seed(thread);
}

static long hooked_ptrace(long request, pid_t thread, void *address, void *data)
{
	if (stop.ticker && !stop.draining && pthread_equal(pthread_self(), stop.host))
		watch(request, thread);
	return real_ptrace()(request, thread, address, data);
}

static struct prof_error *stop_available(const char *connection)
{
	struct slot slot;

	if (!engine_is_native(connection))
		return engine_not_native("stop", connection);
	struct prof_error *error = slot_find("waitpid", &slot);

	if (!error)
		error = slot_find("ptrace", &slot);
	if (!error && !prof_arch_native())
		error = prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The stop engine does not know this machine's call frames yet.");
	return error;
}

static struct prof_error *stop_start(const struct engine_request *request)
{
	if (stop.installed) { /* of an earlier recording, whose last ticks never came */
		leave_process();
		remove_hooks();
	}
	struct prof_error *error = slot_find("waitpid", &stop.waitpid);
	if (!error)
		error = slot_find("ptrace", &stop.ptrace);
	if (error)
		return error;
	free(stop.frames);
	stop.frames = malloc(request->max_depth * sizeof *stop.frames);
	if (!stop.frames)
		return prof_error_nomem();
	stop.request = *request;
	stop.host = pthread_self();
	error = slot_set(&stop.waitpid, (void *)hooked_waitpid);
	if (!error)
		error = slot_set(&stop.ptrace, (void *)hooked_ptrace);
	stop.installed = true;
	if (error)
		remove_hooks();
	return error;
}

static struct prof_error *stop_attach(pid_t process)
{
	struct prof_ticker_options options = {
		.process = process,
		.rate = stop.request.rate,
		.max_stopped = stop.request.max_stopped,
		.queue = stop.request.queue,
	};

	prof_process_init(&stop.process, process);
	stop.target = prof_process_target(&stop.process);
	stop.generation = UINT64_MAX;
	struct prof_error *error = prof_unwinder_create(process, &stop.target, &stop.unwinder);
	if (!error)
		error = prof_ticker_create(&options, &stop.ticker);
	if (error)
		leave_process();
	return error;
}

static void watch_and_seed(void *context, pid_t thread)
{
	(void)context;
	prof_ticker_watch(stop.ticker, thread, PTRACE_CONT);
	seed(thread);
}

static void stop_release(void)
{
	if (!stop.ticker)
		return;
	/* GDB is about to resume the threads that it has stopped, all of them in all-stop mode. */
	prof_procfs_threads(stop.process.pid, watch_and_seed, NULL);
	prof_ticker_release(stop.ticker);
}

static void stop_hold(void)
{
	if (stop.ticker)
		prof_ticker_hold(stop.ticker);
}

static void stop_objects_changed(void)
{
	if (stop.unwinder)
		prof_unwinder_flush(stop.unwinder);
}

static void stop_detach(void)
{
	if (!stop.draining)
		leave_process();
}

static void stop_stop(void)
{
	if (!stop.installed)
		return;
	stop_hold();
	/* A thread may stand still with a tick pending: met later, it must not show. */
	stop.draining = stop.ticker && prof_ticker_outstanding(stop.ticker);
	if (stop.draining)
		return;
	leave_process();
	remove_hooks();
}

static void stop_tell(void)
{
	if (stop.ticker)
		prof_ticker_tell(stop.ticker);
}

static bool stop_bounds(uint64_t address, uint64_t *low, uint64_t *high)
{
	return stop.unwinder && prof_unwinder_bounds(stop.unwinder, address, low, high);
}

const struct engine engine_stop = {
	.name = "stop",
	.describe = "Stop one thread at a time, unseen by GDB, and walk its call frames.",
	.unwinder = "cfi",
	.available = stop_available,
	.start = stop_start,
	.attach = stop_attach,
	.release = stop_release,
	.hold = stop_hold,
	.objects_changed = stop_objects_changed,
	.detach = stop_detach,
	.stop = stop_stop,
	.tell = stop_tell,
	.bounds = stop_bounds,
};
