/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/patched_process.h"

#include "base/map.h"
#include "plugin/interpose/displaced.h"
#include "plugin/interpose/patched_memory.h"
#include "plugin/interpose/slot.h"
#include "sampling/displaced.h"
#include "target/arch.h"
#include "target/process.h"
#include "target/procfs.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

typedef pid_t waitpid_function(pid_t process, int *status, int options);
typedef long ptrace_function(long request, pid_t thread, void *address, void *data);
typedef ssize_t pread_function(int file, void *bytes, size_t size, off64_t offset);
typedef ssize_t pwrite_function(int file, const void *bytes, size_t size, off64_t offset);

enum { WAITPID, PTRACE, PREAD, PWRITE, HOOKS };

/* What GDB has the kernel report of threads. */
enum {
	GDBS = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		PTRACE_O_TRACEVFORKDONE | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC
};

/* kcmp(2): do two processes share their memory? */
enum { KCMP_MEMORY = 1 };

/* GDB calls the functions in its slots without a context, so there is only one of these. */
static struct {
	struct slot slots[HOOKS];
	void *next[HOOKS]; /* what stood there: GDB calls it often */
	bool open;
	bool allowed;   /* patches may be put in */
	bool in;        /* they were, and not all threads have stopped since */
	pthread_t host; /* the tracer's thread */
	pid_t process;  /* 0: none is patched */
	long options;   /* that GDB has set for its threads, as ptrace() has them */
	/* By thread, each with the value 0: those of the process, and those of them that GDB has
	 * resumed, and whose stop it has not seen. */
	struct prof_map known, goes_on;
	struct prof_map made; /* children that have inherited PTRACE_O_TRACEEXIT */
	struct patched_memory memory;
	const struct patched_watcher *watcher;
	pthread_mutex_t lock; /* held when patches are added, and when another thread looks */
} subject = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_host(void)
{
	return subject.process && pthread_equal(pthread_self(), subject.host);
}

static void report(struct prof_error *error)
{
	if (error)
		subject.watcher->failed(error);
}

static bool is_ours(pid_t thread)
{
	return !syscall(SYS_tgkill, subject.process, thread, 0);
}

static bool is_event(int status, int event)
{
	return status >> 8 == (SIGTRAP | event << 8);
}

static void add_to(struct prof_map *threads, pid_t thread)
{
	if (prof_map_get(threads, (uint64_t)thread) == PROF_NONE &&
		!prof_map_add(threads, (uint64_t)thread, 0))
		report(prof_error_nomem());
}

static void remove_from(struct prof_map *threads, pid_t thread)
{
	if (prof_map_get(threads, (uint64_t)thread) != PROF_NONE)
		prof_map_remove(threads, (uint64_t)thread, 0);
}

/* Patches are out as soon as all stand still. */
static void settle(void)
{
	if (!patched_process_stands())
		return;
	patched_memory_settle(&subject.memory);
	subject.in = false;
	subject.watcher->still();
}

bool patched_process_stands(void)
{
	return !subject.goes_on.count;
}

static void forget_all(void)
{
	pthread_mutex_lock(&subject.lock);
	subject.process = 0;
	pthread_mutex_unlock(&subject.lock);
	subject.in = false;
	prof_map_deinit(&subject.made);
	prof_map_deinit(&subject.known);
	prof_map_deinit(&subject.goes_on);
	patched_memory_deinit(&subject.memory);
}

static void gone(void)
{
	forget_all();
	subject.watcher->gone();
}

/* THREAD has ended, or is let go. */
static void forget(pid_t thread)
{
	remove_from(&subject.known, thread);
	remove_from(&subject.goes_on, thread);
	/* If the process has ended, its memory cannot be written, which matters to nobody. */
	prof_error_destroy(prof_patched_forget(subject.memory.patched, thread));
	settle();
}

static void call_ptrace(long request, pid_t thread, long data)
{
	((ptrace_function *)subject.next[PTRACE])(request, thread, NULL, (void *)data);
}

/* The end of CHILD is nobody's business.  It may not have stopped yet. */
static void free_child(pid_t child)
{
	if (prof_map_get(&subject.made, (uint64_t)child) == PROF_NONE)
		return;
	errno = 0;
	call_ptrace(PTRACE_SETOPTIONS, child, subject.options);
	if (!errno)
		remove_from(&subject.made, child);
}

/* THREAD has made another one, or a process, which has executed nothing yet. */
static void meet_child(pid_t thread)
{
	unsigned long made;

	if (ptrace(PTRACE_GETEVENTMSG, thread, NULL, &made) || is_ours((pid_t)made))
		return;
	if (syscall(SYS_kcmp, (long)subject.process, (long)made, KCMP_MEMORY, 0, 0))
		report(prof_patched_clear_child(subject.memory.patched, (pid_t)made));
	add_to(&subject.made, (pid_t)made);
	free_child((pid_t)made);
}

#ifdef __x86_64__
/*
 * If THREAD, which has stopped by SIGTRAP, has met a breakpoint of GDB's that is elsewhere, it has
 * its registers in front of that.  Returns where GDB has it; 0: there is none.
 */
static uint64_t meet_breakpoint(pid_t thread)
{
	const size_t offset = offsetof(struct user_regs_struct, rip);

	if (!subject.memory.bytes.count)
		return 0;
	errno = 0;
	uint64_t pc = (uint64_t)ptrace(PTRACE_PEEKUSER, thread, offset, NULL);
	uint64_t address = errno ? 0 : patched_memory_copied(&subject.memory, pc - 1);
	if (address)
		ptrace(PTRACE_POKEUSER, thread, offset, pc - 1);
	return address;
}

/* THREAD stands behind the breakpoint at ADDRESS, as GDB expects it. */
static void pass_breakpoint(pid_t thread, uint64_t address)
{
	ptrace(PTRACE_POKEUSER, thread, offsetof(struct user_regs_struct, rip), address + 1);
}

/* Does THREAD, which is about to end, end alone? */
static bool ends_alone(pid_t thread)
{
	return ptrace(PTRACE_PEEKUSER, thread, offsetof(struct user_regs_struct, orig_rax), NULL) ==
		SYS_exit;
}
#else
static uint64_t meet_breakpoint(pid_t thread)
{
	(void)thread;
	return 0;
}

static bool ends_alone(pid_t thread)
{
	(void)thread;
	return false;
}

static void pass_breakpoint(pid_t thread, uint64_t address)
{
	(void)thread;
	(void)address;
}
#endif

/*
 * THREAD is about to end, for which GDB has not asked.  As long as it stands here, the memory of
 * its process can be read.
 */
static void meet_end(pid_t thread)
{
	bool alone = ends_alone(thread);

	/* The end of a main thread is reported only when all others have ended. */
	forget(thread);
	if (!alone || !subject.known.count)
		subject.watcher->ending();
}

/* THREAD has stopped with STATUS.  False: it goes on, and GDB must not learn of it. */
static bool meet_stop(pid_t thread, int status)
{
	bool trapped = WSTOPSIG(status) == SIGTRAP, again;

	if (is_event(status, PTRACE_EVENT_FORK) || is_event(status, PTRACE_EVENT_VFORK) ||
		is_event(status, PTRACE_EVENT_CLONE))
		meet_child(thread);
	uint64_t address = trapped ? meet_breakpoint(thread) : 0;
	struct prof_error *error =
		prof_patched_stop(subject.memory.patched, thread, trapped && !address, &again);
	if (error) {
		prof_error_destroy(error);
		subject.watcher->prune();
		error = prof_patched_stop(subject.memory.patched, thread, false, &again);
	}
	report(error);
	if (again) {
		call_ptrace(PTRACE_SINGLESTEP, thread, 0);
		return false;
	}
	if (address)
		pass_breakpoint(thread, address);
	add_to(&subject.known, thread);
	remove_from(&subject.goes_on, thread);
	settle();
	return true;
}

/* GDB is about to learn of STATUS of THREAD, of whichever process.  False: it must not. */
static bool meet(pid_t thread, int status)
{
	if (WIFEXITED(status) || WIFSIGNALED(status)) {
		if (thread == subject.process)
			gone();
		else
			forget(thread);
		return true;
	}
	if (!WIFSTOPPED(status))
		return true;
	bool ours = is_ours(thread), ends = is_event(status, PTRACE_EVENT_EXIT);
	if (ours && ends)
		meet_end(thread);
	if (ends)
		call_ptrace(PTRACE_CONT, thread, 0);
	else if (!ours)
		free_child(thread);
	if (ends || !ours)
		return !ends;
	if (is_event(status, PTRACE_EVENT_EXEC)) {
		gone();
		return true;
	}
	return meet_stop(thread, status);
}

static pid_t hooked_waitpid(pid_t process, int *status, int options)
{
	waitpid_function *original = subject.next[WAITPID];
	int own;

	if (!status)
		status = &own;
	for (;;) {
		pid_t thread = original(process, status, options);
		if (thread <= 0 || !is_host())
			return thread;
		int after = errno;
		bool good = meet(thread, *status);
		errno = after;
		if (good)
			return thread;
	}
}

/* GDB is about to resume THREAD. */
static void resume(pid_t thread, bool stepped)
{
	bool stands = patched_process_stands();

	if (!is_ours(thread))
		return;
	/* If some thread goes on already, patches cannot be put in, nor can they stay out. */
	subject.in |= subject.allowed && stands;
	if (subject.in) {
		if (stands)
			patched_memory_clear(&subject.memory);
		report(prof_patched_resume(subject.memory.patched, thread, stepped));
		if (stands)
			patched_memory_settle(&subject.memory);
	}
	add_to(&subject.goes_on, thread);
}

/* GDB lets go of THREAD; all others stand still, or are let go.  The main thread is the last. */
static void let_go(pid_t thread)
{
	if (!is_ours(thread))
		return;
	if (patched_process_stands())
		subject.watcher->leaving();
	if (thread != subject.process)
		forget(thread);
	else
		gone();
}

/* Writes WORD to ADDRESS of THREAD for GDB.  False: GDB must do it. */
static bool poke(pid_t thread, const void *address, const void *word)
{
	return is_ours(thread) &&
		patched_memory_write(&subject.memory, (uintptr_t)address, &word, sizeof word);
}

static long peek(long request, pid_t thread, void *address, void *data)
{
	long word = ((ptrace_function *)subject.next[PTRACE])(request, thread, address, data);

	if (is_ours(thread))
		patched_memory_read(&subject.memory, (uintptr_t)address, &word, sizeof word);
	return word;
}

/* Prepares REQUEST.  True: it was done. */
static bool prepare(long request, pid_t thread, const void *address, const void *data)
{
	switch (request) {
	case PTRACE_CONT:
	case PTRACE_SINGLESTEP:
	case PTRACE_SYSCALL:
		resume(thread, request == PTRACE_SINGLESTEP);
		return false;
	case PTRACE_DETACH:
		let_go(thread);
		return false;
	case PTRACE_POKETEXT:
	case PTRACE_POKEDATA:
		return poke(thread, address, data);
	default:
		return false;
	}
}

static long hooked_ptrace(long request, pid_t thread, void *address, void *data)
{
	int before = errno;

	if (request == PTRACE_SETOPTIONS && pthread_equal(pthread_self(), subject.host)) {
		subject.options = (long)data;
		if (subject.process && is_ours(thread))
			data = (void *)(subject.options | PTRACE_O_TRACEEXIT);
	}
	if (is_host() && (request == PTRACE_PEEKTEXT || request == PTRACE_PEEKDATA))
		return peek(request, thread, address, data);
	bool done = is_host() && prepare(request, thread, address, data);
	errno = before;
	return done ? 0 : ((ptrace_function *)subject.next[PTRACE])(request, thread, address, data);
}

/* Is FILE the memory of the process? */
static bool is_memory(int file)
{
	char link[32], path[64];
	int thread, length = 0;
	pid_t process;

	snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	ssize_t got = readlink(link, path, sizeof path - 1);
	if (got <= 0)
		return false;
	path[got] = '\0';
	if (sscanf(path, "/proc/%d/task/%d/mem%n", &process, &thread, &length) < 2 || !length) {
		length = 0;
		if (sscanf(path, "/proc/%d/mem%n", &process, &length) < 1 || !length)
			return false;
	}
	return process == subject.process;
}

static ssize_t hooked_pread(int file, void *bytes, size_t size, off64_t offset)
{
	ssize_t got = ((pread_function *)subject.next[PREAD])(file, bytes, size, offset);
	int after = errno;

	if (got > 0 && is_host() && is_memory(file))
		patched_memory_read(&subject.memory, (uint64_t)offset, bytes, (size_t)got);
	errno = after;
	return got;
}

static ssize_t hooked_pwrite(int file, const void *bytes, size_t size, off64_t offset)
{
	int before = errno;

	bool done = is_host() && is_memory(file) &&
		patched_memory_write(&subject.memory, (uint64_t)offset, bytes, size);
	errno = before;
	return done ? (ssize_t)size
		    : ((pwrite_function *)subject.next[PWRITE])(file, bytes, size, offset);
}

static const struct hook hooks[HOOKS] = {
	[WAITPID] = {"waitpid", (void *)hooked_waitpid},
	[PTRACE] = {"ptrace", (void *)hooked_ptrace},
	[PREAD] = {"pread64", (void *)hooked_pread},
	[PWRITE] = {"pwrite64", (void *)hooked_pwrite},
};

struct prof_error *patched_process_open(void)
{
	patched_process_close();
	/* A worker thread of GDB's may read a file as soon as a slot is set. */
	for (int i = 0; i < HOOKS; i++)
		subject.next[i] = dlsym(RTLD_DEFAULT, hooks[i].function);
	struct prof_error *error = slots_open(hooks, subject.slots, HOOKS);
	for (int i = 0; i < HOOKS && !error; i++)
		subject.next[i] = slot_next(&subject.slots[i]);
	subject.host = pthread_self();
	subject.open = !error;
	return error;
}

void patched_process_close(void)
{
	if (!subject.open)
		return;
	patched_process_drop();
	slots_close(subject.slots, HOOKS);
	subject.open = subject.allowed = false;
	subject.options = 0;
}

/* Makes REGISTERS of a thread in an island what they are without patches; called from any thread.
 */
static void undo(struct prof_registers *registers)
{
	const struct prof_arch *arch = prof_arch_native();
	struct prof_stub_registers own = {.pc = registers->pc, .sp = registers->value[arch->sp]};
	enum prof_stub_undone undone = PROF_STUB_UNTOUCHED;

	pthread_mutex_lock(&subject.lock);
	if (subject.process)
		undone = prof_patches_undo(prof_patched_patches(subject.memory.patched), &own);
	pthread_mutex_unlock(&subject.lock);
	if (undone == PROF_STUB_UNTOUCHED || undone == PROF_STUB_STUCK)
		return;
	registers->pc = own.pc;
	registers->value[arch->sp] = own.sp;
}

/* Has the kernel report when THREAD is about to end, if *CONTEXT, a bool, says so. */
static void set_options(void *context, pid_t thread)
{
	const bool *wanted = context;

	call_ptrace(
		PTRACE_SETOPTIONS, thread, subject.options | (*wanted ? PTRACE_O_TRACEEXIT : 0));
}

static void note_known(void *unused, pid_t thread)
{
	(void)unused;
	add_to(&subject.known, thread);
}

/* Does THREAD stand still under a ptrace()?  *CONTEXT is a bool. */
static void look_at(void *context, pid_t thread)
{
	AUTO_CLOSE int file = prof_procfs_open(thread, thread, "stat");
	bool *stand = context;
	char state = file < 0 ? 't' : prof_procfs_stat(file, NULL);

	*stand &= state == 't' || state == 'Z' || state == 'X';
}

bool patched_process_take(pid_t process, bool attached, struct prof_patched *patched,
	const struct patched_watcher *watcher)
{
	bool stand = true, wanted = true;

	prof_procfs_threads(process, look_at, &stand);
	if (!stand || !subject.open)
		return false;
	forget_all();
	subject.memory.process = process;
	subject.memory.patched = patched;
	subject.watcher = watcher;
	pthread_mutex_lock(&subject.lock);
	subject.process = process;
	pthread_mutex_unlock(&subject.lock);
	if (displaced_steps())
		prof_displaced_set_undo(displaced_steps(), undo);
	if (!subject.options)
		subject.options = GDBS | (attached ? 0 : PTRACE_O_EXITKILL);
	prof_procfs_threads(process, note_known, NULL);
	prof_procfs_threads(process, set_options, &wanted);
	return true;
}

void patched_process_drop(void)
{
	bool wanted = false;

	if (subject.process)
		prof_procfs_threads(subject.process, set_options, &wanted);
	forget_all();
}

bool patched_process_add(uint64_t address, const unsigned char *code, size_t length)
{
	return patched_memory_add(&subject.memory, address, code, length);
}

void patched_process_allow(bool allowed)
{
	subject.allowed = allowed;
}

void patched_process_lock(void)
{
	pthread_mutex_lock(&subject.lock);
}

void patched_process_unlock(void)
{
	pthread_mutex_unlock(&subject.lock);
}
