/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/safepoint.h"

#include "base/file.h"
#include "plugin/gdb/host.h"
#include "target/arch.h"
#include "target/code.h"
#include "target/linkmap.h"
#include "target/maps.h"
#include "target/process.h"
#include "target/procfs.h"
#include "target/slots.h"
#include "target/unwind.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

enum {
	DEPTH = 4096,
	/* The C library's functions in which a thread begins, outside of all others. */
	OUTERMOST = 2,
	/*
	 * A function that only waits has at most this many inner frames then: pthread_join() has
	 * three.
	 */
	WAITING = 4,
	ENTRY = 64, /* the most bytes of a program's first function */
};

/* What a thread inside a function of the C library may be doing. */
enum nature { PLAIN, WAITS, LEAVES };

/* A function in which threads were met. */
struct function {
	uint64_t low;
	enum nature nature;
};

struct safepoints {
	struct prof_process process;
	struct prof_target target;
	struct prof_unwinder *unwinder;
	uint64_t entry; /* entry point of the program; 0: unknown */
	uint64_t frames[DEPTH];
	PROF_ARRAY(uint64_t) heap; /* the heap's functions, if they are the program's own */
	PROF_ARRAY(struct function) functions;
};

/* By the function's name without prefixes and suffixes: these hold nothing while they wait. */
static const char *const waiting[] = {"accept", "accept4", "clock_nanosleep", "close",
	"cnd_timedwait", "cnd_wait", "connect", "copy_file_range", "epoll_pwait", "epoll_pwait2",
	"epoll_wait", "fcntl", "fcntl64", "fdatasync", "flock", "fsync", "ioctl", "mq_receive",
	"mq_send", "mq_timedreceive", "mq_timedsend", "msgrcv", "msgsnd", "mtx_lock",
	"mtx_timedlock", "nanosleep", "open", "open64", "openat", "openat64", "pause", "poll",
	"ppoll", "pread", "pread64", "preadv", "preadv64", "pselect", "pthread_barrier_wait",
	"pthread_clockjoin_np", "pthread_cond_clockwait", "pthread_cond_timedwait",
	"pthread_cond_wait", "pthread_join", "pthread_mutex_clocklock", "pthread_mutex_lock",
	"pthread_mutex_timedlock", "pthread_rwlock_clockrdlock", "pthread_rwlock_clockwrlock",
	"pthread_rwlock_rdlock", "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock",
	"pthread_rwlock_wrlock", "pthread_timedjoin_np", "pwrite", "pwrite64", "pwritev",
	"pwritev64", "read", "readv", "recv", "recvfrom", "recvmmsg", "recvmsg", "sched_yield",
	"select", "sem_clockwait", "sem_timedwait", "sem_wait", "semop", "semtimedop", "send",
	"sendfile", "sendfile64", "sendmmsg", "sendmsg", "sendto", "sigpause", "sigsuspend",
	"sigtimedwait", "sigwait", "sigwaitinfo", "sleep", "splice", "syscall", "tee", "thrd_join",
	"thrd_sleep", "usleep", "vmsplice", "wait", "wait3", "wait4", "waitid", "waitpid", "write",
	"writev"};

/* These create threads and processes, which GDB must notice, or never return. */
static const char *const leaving[] = {"Exit", "Fork", "abort", "aio_read", "aio_read64",
	"aio_write", "aio_write64", "clone", "daemon", "execl", "execle", "execlp", "execv",
	"execve", "execveat", "execvp", "execvpe", "exit", "fexecve", "fork", "forkpty",
	"getaddrinfo_a", "lio_listio", "lio_listio64", "longjmp", "mq_notify", "popen",
	"posix_spawn", "posix_spawnp", "pthread_create", "pthread_exit", "quick_exit", "setcontext",
	"siglongjmp", "swapcontext", "system", "thrd_create", "thrd_exit", "timer_create", "vfork",
	"wordexp"};

/* The heap's, which a program can replace. */
static const char *const allocating[] = {"malloc", "calloc", "realloc", "reallocarray", "free",
	"memalign", "aligned_alloc", "posix_memalign", "valloc", "pvalloc"};

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool is_among(const char *name, const char *const *names, size_t count)
{
	return bsearch(&name, names, count, sizeof *names, compare_names);
}

/* Is ADDRESS in the C library or the linker? */
static bool is_library(struct safepoints *safepoints, uint64_t address)
{
	static const char *const begins[] = {"libc.so", "libc-", "ld-linux", "ld-2", "libpthread",
		"libdl.so", "libdl-", "librt.so", "librt-", "libprofagent"};
	const struct prof_mapping *mapping =
		prof_maps_find(prof_unwinder_maps(safepoints->unwinder), address);
	const char *name = mapping ? prof_file_base_name(mapping->path) : "";

	for (size_t i = 0; i < PROF_COUNT(begins); i++) {
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return true;
	}
	return false;
}

/* The beginning of the function around ADDRESS; 0: unknown. */
static uint64_t function_of(struct safepoints *safepoints, uint64_t address)
{
	uint64_t low = 0, high;

	return prof_unwinder_bounds(safepoints->unwinder, address, &low, &high) ? low : 0;
}

/* Is ADDRESS in a function of a heap that is not the C library's? */
static bool is_heap(struct safepoints *safepoints, uint64_t address)
{
	uint64_t low = safepoints->heap.count ? function_of(safepoints, address) : 0;

	for (size_t i = 0; low && i < safepoints->heap.count; i++) {
		if (safepoints->heap.items[i] == low)
			return true;
	}
	return false;
}

/* The nature of the function that GDB names for ADDRESS, as in "__poll + 79 in section ...". */
static enum nature find_nature(uint64_t address)
{
	static const char *const before[] = {"GI_", "libc_", "new_", "old_"};
	AUTO_TEXT struct prof_text text = {0};
	char name[64];

	host_forget(host_symbol(address, &text));
	const char *begin = prof_text_get(&text) + strspn(prof_text_get(&text), "_");
	for (size_t i = 0; i < PROF_COUNT(before); i++) {
		size_t length = strlen(before[i]);
		if (!strncmp(begin, before[i], length))
			begin += length + strspn(begin + length, "_");
	}
	size_t length = strcspn(begin, " @\n");
	if (length >= sizeof name)
		return PLAIN;
	memcpy(name, begin, length);
	name[length] = '\0';
	if (is_among(name, waiting, PROF_COUNT(waiting)))
		return WAITS;
	return is_among(name, leaving, PROF_COUNT(leaving)) ? LEAVES : PLAIN;
}

static enum nature nature_of(struct safepoints *safepoints, uint64_t address)
{
	uint64_t low = function_of(safepoints, address);

	for (size_t i = 0; i < safepoints->functions.count; i++) {
		if (low && safepoints->functions.items[i].low == low)
			return safepoints->functions.items[i].nature;
	}
	enum nature nature = find_nature(address);
	struct function *function = prof_array_push(&safepoints->functions);
	if (function)
		*function = (struct function){low, nature};
	return nature;
}

/*
 * The nature of the function whose call returns to BACK: it may have jumped on to a function of the
 * C library without a known name, as pthread_join() does.
 */
static enum nature nature_of_call(struct safepoints *safepoints, uint64_t back)
{
	uint64_t called = 0;

	prof_code_is_behind_call(prof_arch_native(), &safepoints->target, back, &called);
	return called ? find_nature(called) : PLAIN;
}

static bool is_inside(struct safepoints *safepoints, uint64_t address)
{
	return is_library(safepoints, address) || is_heap(safepoints, address);
}

/* How many of DEPTH frames are inside those in which the thread began. */
static size_t skip_outermost(struct safepoints *safepoints, size_t depth)
{
	/* The first function of a program is its own, and calls the C library's. */
	if (depth && safepoints->frames[depth - 1] - safepoints->entry < ENTRY)
		depth--;
	else if (depth && !is_library(safepoints, safepoints->frames[depth - 1]))
		return depth;
	for (unsigned i = 0; i < OUTERMOST && depth; i++) {
		if (!is_library(safepoints, safepoints->frames[depth - 1]))
			break;
		depth--;
	}
	return depth;
}

/* System calls by which a heap gets its memory. */
static const long memory_calls[] = {
	SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_madvise, SYS_mprotect};

/* System calls in which a thread waits for others or for data, even inside functions of stdio. */
static const long waiting_calls[] = {SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64,
	SYS_pwrite64, SYS_ppoll, SYS_pselect6, SYS_epoll_pwait, SYS_recvfrom, SYS_recvmsg,
	SYS_sendto, SYS_sendmsg, SYS_accept, SYS_accept4, SYS_connect, SYS_nanosleep,
	SYS_clock_nanosleep, SYS_wait4, SYS_waitid, SYS_rt_sigsuspend, SYS_rt_sigtimedwait,
#ifdef __x86_64__
	SYS_poll, SYS_select, SYS_epoll_wait, SYS_pause
#endif
};

static bool is_one_of(long number, const long *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (numbers[i] == number)
			return true;
	}
	return false;
}

/* The number of the system call that THREAD is in; -1: none. */
static long system_call(const struct safepoints *safepoints, pid_t thread)
{
	char text[256];
	char *end;

	if (!prof_procfs_read(safepoints->process.pid, thread, "syscall", text, sizeof text))
		return -1;
	long number = strtol(text, &end, 10);
	return end == text ? -1 : number;
}

/* Is ADDRESS in the dynamic linker? */
static bool is_linker(struct safepoints *safepoints, uint64_t address)
{
	const struct prof_mapping *mapping =
		prof_maps_find(prof_unwinder_maps(safepoints->unwinder), address);

	return mapping && !strncmp(prof_file_base_name(mapping->path), "ld-", 3);
}

/* Is one of the innermost COUNT frames in the linker, or in a known heap? */
static bool is_loading(struct safepoints *safepoints, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count && !found; i++)
		found = is_linker(safepoints, safepoints->frames[i]) ||
			is_heap(safepoints, safepoints->frames[i]);
	return found;
}

/*
 * Are all DEPTH frames in the linker, which is loading the program?  It then jumps to the program,
 * and never returns.
 */
static bool is_starting(struct safepoints *safepoints, size_t depth)
{
	for (size_t i = 0; i < depth; i++) {
		if (!is_linker(safepoints, safepoints->frames[i]))
			return false;
	}
	return true;
}

/* Is frame INDEX where a signal handler returns? */
static bool is_return(const struct safepoints *safepoints, size_t index)
{
	return prof_code_is_signal_return(
		prof_arch_native(), &safepoints->target, safepoints->frames[index]);
}

/* Has a signal come within the innermost DEPTH frames? */
static bool has_signal(const struct safepoints *safepoints, size_t depth)
{
	bool found = false;

	for (size_t i = 0; i < depth && !found; i++)
		found = is_return(safepoints, i);
	return found;
}

/*
 * The outermost of the innermost DEPTH frames that is inside the C library; DEPTH: there is none.
 */
static size_t find_inside(struct safepoints *safepoints, size_t depth)
{
	for (size_t i = depth; i-- > 0;) {
		/* The code to which handlers return is the C library's, and holds nothing. */
		if (is_inside(safepoints, safepoints->frames[i]) && !is_return(safepoints, i))
			return i;
	}
	return depth;
}

/* Does THREAD, in a function of NATURE at frame OUTERMOST, wait, and hold nothing meanwhile? */
static bool is_asleep(
	struct safepoints *safepoints, pid_t thread, enum nature nature, size_t outermost)
{
	long call = system_call(safepoints, thread);

	if (call < 0 || has_signal(safepoints, outermost))
		return false;
	/* No heap makes these calls, and a linker's frames would be visible. */
	if (is_one_of(call, waiting_calls, PROF_COUNT(waiting_calls)))
		return !is_loading(safepoints, outermost + 1);
	return nature == WAITS && outermost <= WAITING &&
		!is_one_of(call, memory_calls, PROF_COUNT(memory_calls));
}

/* Looks at the stack of DEPTH frames. */
static void look_at_stack(
	struct safepoints *safepoints, size_t depth, pid_t thread, struct safepoint *safepoint)
{
	size_t inner = safepoint->whole ? skip_outermost(safepoints, depth) : depth;
	size_t outermost = find_inside(safepoints, inner);

	safepoint->handles = has_signal(safepoints, depth);
	if (!inner || is_starting(safepoints, depth)) /* it is just beginning, or ending */
		return;
	if (outermost == inner) {
		safepoint->kind = SAFEPOINT_OUTSIDE;
		return;
	}
	enum nature nature = nature_of(safepoints, safepoints->frames[outermost]);
	if (nature == PLAIN && outermost + 1 < depth)
		nature = nature_of_call(safepoints, safepoints->frames[outermost + 1] + 1);
	if (is_asleep(safepoints, thread, nature, outermost)) {
		safepoint->kind = SAFEPOINT_ASLEEP;
	} else if (nature != LEAVES && outermost + 1 < depth) {
		safepoint->kind = SAFEPOINT_INSIDE;
		/* Look frames up by the address before the one at which they continue. */
		safepoint->back = safepoints->frames[outermost + 1] + 1;
	}
}

struct safepoint safepoints_look(struct safepoints *safepoints, pid_t thread)
{
	const struct prof_arch *arch = prof_arch_native();
	struct safepoint safepoint = {.kind = SAFEPOINT_LOST};
	struct prof_registers registers;
	enum prof_stack_end end;
	struct prof_error *error = prof_process_registers(thread, &registers);

	if (error) {
		prof_error_destroy(error);
		return safepoint;
	}
	size_t depth = prof_unwinder_walk(
		safepoints->unwinder, &registers, safepoints->frames, DEPTH, &end);
	safepoint.sp = registers.value[arch->sp];
	safepoint.whole = end == PROF_STACK_WHOLE && !prof_unwinder_guessed(safepoints->unwinder);
	look_at_stack(safepoints, depth, thread, &safepoint);
	return safepoint;
}

/* The functions of the heap, found by the slots for calls to them. */
static struct prof_error *find_heap(struct safepoints *safepoints)
{
	struct prof_linkmap map = {0};
	struct prof_slots slots = {0};
	struct prof_error *error =
		prof_linkmap_of_process(&map, &safepoints->target, safepoints->process.pid);

	for (size_t i = 0; i < map.items.count && !error; i++)
		error = prof_slots_find(&slots, &safepoints->target, &map.items.items[i],
			allocating, PROF_COUNT(allocating));
	for (size_t i = 0; i < slots.items.count && !error; i++) {
		const struct prof_slot *slot = &slots.items.items[i];
		if (slot->unbound || is_library(safepoints, slot->value) ||
			is_heap(safepoints, slot->value))
			continue;
		uint64_t *added = prof_array_push(&safepoints->heap);
		if (added)
			*added = slot->value;
		else
			error = prof_error_nomem();
	}
	prof_slots_deinit(&slots);
	prof_linkmap_deinit(&map);
	return error;
}

struct prof_error *safepoints_create(pid_t process, struct safepoints **ret)
{
	struct safepoints *safepoints = calloc(1, sizeof *safepoints);

	if (!safepoints)
		return prof_error_nomem();
	prof_process_init(&safepoints->process, process);
	safepoints->target = prof_process_target(&safepoints->process);
	struct prof_error *error =
		prof_unwinder_create(process, &safepoints->target, &safepoints->unwinder);
	if (!error)
		error = find_heap(safepoints);
	safepoints->entry = prof_process_entry(process);
	if (error) {
		safepoints_destroy(safepoints);
		return error;
	}
	*ret = safepoints;
	return NULL;
}

void safepoints_destroy(struct safepoints *safepoints)
{
	if (!safepoints)
		return;
	prof_unwinder_destroy(safepoints->unwinder);
	free(safepoints->heap.items);
	free(safepoints->functions.items);
	free(safepoints);
}
