/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An allocator that refuses what gdbprof asks for, once a place: loaded before GDB's libraries, it
 * stands for the C library's and Python's, and for what makes threads, mappings and files.
 *
 * A place is where gdbprof asks: the chain of its own return addresses, as many as were asked for.
 * While it is armed, the first request from a place that was never refused is refused; then nothing
 * is until it is armed again.  What was refused stands in a file, so that it outlives a GDB that
 * dies.  What GDB asks for itself, also when gdbprof has called it, is its own affair.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PLACES = 1 << 16, FRAMES = 96 };

enum kind { MEMORY = 1, THREAD = 2, DESCRIPTOR = 4 };

struct table {
	char last[2048]; /* the request that was refused last */
	unsigned count;
	uint64_t places[PLACES];  /* hashes; 0: free */
	unsigned skipped[PLACES]; /* requests to be granted before one is refused; ~0: it was */
};

/* The limited API's header need not be at hand. */
struct python_allocator {
	void *context;
	void *(*malloc)(void *context, size_t size);
	void *(*calloc)(void *context, size_t count, size_t size);
	void *(*realloc)(void *context, void *memory, size_t size);
	void (*free)(void *context, void *memory);
};

static struct table *table;
static volatile unsigned armed; /* kinds that are refused; 0: none */
static unsigned depth, skip;
static struct python_allocator python[3];
static const struct link_map *plugin, *host, *self;
static uintptr_t linker_low, linker_high;
static uintptr_t host_low, host_high;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool within;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static const struct link_map *owner(uintptr_t address, uintptr_t *low, uintptr_t *high)
{
	struct dl_find_object found;

	if (_dl_find_object((void *)(address - 1), &found))
		return NULL;
	if (low)
		*low = (uintptr_t)found.dlfo_map_start;
	if (high)
		*high = (uintptr_t)found.dlfo_map_end;
	if (!plugin && strstr(found.dlfo_link_map->l_name, "/_prof.abi3.so"))
		plugin = found.dlfo_link_map;
	return found.dlfo_link_map;
}

/* The hash of the place that asks, 0 if it is not gdbprof; the stack is left in STACK. */
static uint64_t place(void **stack, int *count)
{
	uint64_t hash = 0;
	unsigned taken = 0;

	*count = backtrace(stack, FRAMES);
	for (int i = 0; i < *count && taken < depth; i++) {
		const struct link_map *map = owner((uintptr_t)stack[i], NULL, NULL);
		if (map == host)
			break;
		if (map && map == plugin) {
			hash = (hash ^ ((uintptr_t)stack[i] - map->l_addr)) * 0x9e3779b97f4a7c15;
			hash ^= hash >> 29;
			taken++;
		}
	}
	return taken ? hash | 1 : 0;
}

/* Tells what is refused: offsets in the plugin, or names of libraries. */
static void describe(void **stack, int count, const char *what)
{
	size_t used = (size_t)snprintf(table->last, sizeof table->last, "%s", what);

	for (int i = 0; i < count && used < sizeof table->last - 64; i++) {
		const struct link_map *map = owner((uintptr_t)stack[i], NULL, NULL);
		if (!map || map == host)
			break;
		const char *slash = strrchr(map->l_name, '/');
		if (map == self)
			continue;
		if (map == plugin)
			used += (size_t)snprintf(table->last + used, sizeof table->last - used,
				" 0x%zx", (uintptr_t)stack[i] - 1 - map->l_addr);
		else
			used += (size_t)snprintf(table->last + used, sizeof table->last - used,
				" %.20s", slash ? slash + 1 : "?");
	}
}

/*
 * Does libdw ask, for what a program's debugging information has?  It asserts that its tables of
 * abbreviations grow: gdbprof looks before it asks that there is memory.
 */
static bool reads_units(void **stack, int count)
{
	const struct link_map *asks = NULL;
	void *entered = NULL;
	Dl_info found;

	for (int i = 0; i < count; i++) {
		const struct link_map *map = owner((uintptr_t)stack[i], NULL, NULL);
		if (map == plugin)
			break;
		if (map && map != self) {
			asks = map;
			entered = stack[i];
		}
	}
	/* dladdr() is slow. */
	return asks && strstr(asks->l_name, "libdw") && dladdr(entered, &found) &&
		found.dli_sname && !strstr(found.dli_sname, "cfi") &&
		!strstr(found.dli_sname, "dwarf_begin");
}

/* Where the place HASH is in the table, or can be. */
static size_t find(uint64_t hash)
{
	size_t at = hash % PLACES;

	while (table->places[at] && table->places[at] != hash)
		at = (at + 1) % PLACES;
	return at;
}

/* Is the request of WHAT, of KIND, by the code at CALLER refused? */
static bool refuse(enum kind kind, const char *what, void *caller)
{
	void *stack[FRAMES];
	int count;

	if (!(armed & kind) || within)
		return false;
	if ((uintptr_t)caller >= host_low && (uintptr_t)caller < host_high)
		return false;
	/* Refused the data of a thread, the dynamic linker ends the process: there is no other way.
	 */
	if ((uintptr_t)caller >= linker_low && (uintptr_t)caller < linker_high)
		return false;
	within = true;
	bool refused = false;
	uint64_t hash = place(stack, &count);
	pthread_mutex_lock(&lock);
	size_t at = hash ? find(hash) : 0;
	bool spent = !hash || (table->places[at] && table->skipped[at] == UINT_MAX);
	if (armed && !spent && !reads_units(stack, count)) {
		if (!table->places[at]) {
			table->places[at] = hash;
			table->skipped[at] = skip;
		}
		if (table->skipped[at] == 0) {
			refused = true;
			armed = 0;
			table->count++;
			describe(stack, count, what);
		}
		table->skipped[at]--;
	}
	pthread_mutex_unlock(&lock);
	within = false;
	return refused;
}

#define CALLER __builtin_return_address(0)

static void *no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

void *malloc(size_t size)
{
	return refuse(MEMORY, "malloc", CALLER) ? no_memory() : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return refuse(MEMORY, "calloc", CALLER) ? no_memory() : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
	return refuse(MEMORY, "realloc", CALLER) ? no_memory() : __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size)
{
	return refuse(MEMORY, "memalign", CALLER) ? no_memory() : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return refuse(MEMORY, "aligned_alloc", CALLER) ? no_memory()
						       : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
	void *made =
		refuse(MEMORY, "posix_memalign", CALLER) ? NULL : __libc_memalign(alignment, size);

	if (!made)
		return ENOMEM;
	*memory = made;
	return 0;
}

/* The next function of NAME: the C library's. */
#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
	static __typeof__(&mmap) real;

	if (!real)
		real = REAL(mmap);
	if (!refuse(MEMORY, "mmap", CALLER))
		return real(address, size, protection, flags, file, offset);
	errno = ENOMEM;
	return MAP_FAILED;
}

int pthread_create(
	pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
	if (refuse(THREAD, "pthread_create", CALLER))
		return EAGAIN;
	return REAL(pthread_create)(thread, attributes, run, argument);
}

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
	if (refuse(THREAD, "posix_spawn", CALLER))
		return EAGAIN;
	return REAL(posix_spawn)(process, path, actions, attributes, arguments, environment);
}

static int no_file(void)
{
	errno = EMFILE;
	return -1;
}

#define OPEN(name)                                     \
	int name(const char *path, int flags, ...)     \
	{                                              \
		va_list arguments;                     \
                                                       \
		if (refuse(DESCRIPTOR, #name, CALLER)) \
			return no_file();              \
		va_start(arguments, flags);            \
		int mode = va_arg(arguments, int);     \
		va_end(arguments);                     \
		return REAL(name)(path, flags, mode);  \
	}

OPEN(open)
OPEN(open64)

int openat(int folder, const char *path, int flags, ...)
{
	va_list arguments;

	if (refuse(DESCRIPTOR, "openat", CALLER))
		return no_file();
	va_start(arguments, flags);
	int mode = va_arg(arguments, int);
	va_end(arguments);
	return REAL(openat)(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
	if (!refuse(DESCRIPTOR, "fopen", CALLER))
		return REAL(fopen)(path, mode);
	errno = EMFILE;
	return NULL;
}

int memfd_create(const char *name, unsigned flags)
{
	return refuse(DESCRIPTOR, "memfd_create", CALLER) ? no_file()
							  : REAL(memfd_create)(name, flags);
}

int pipe2(int files[2], int flags)
{
	return refuse(DESCRIPTOR, "pipe2", CALLER) ? no_file() : REAL(pipe2)(files, flags);
}

static void *python_malloc(void *context, size_t size)
{
	struct python_allocator *real = context;

	return refuse(MEMORY, "Python", CALLER) ? NULL : real->malloc(real->context, size);
}

static void *python_calloc(void *context, size_t count, size_t size)
{
	struct python_allocator *real = context;

	return refuse(MEMORY, "Python", CALLER) ? NULL : real->calloc(real->context, count, size);
}

static void *python_realloc(void *context, void *memory, size_t size)
{
	struct python_allocator *real = context;

	return refuse(MEMORY, "Python", CALLER) ? NULL : real->realloc(real->context, memory, size);
}

static void python_free(void *context, void *memory)
{
	struct python_allocator *real = context;

	real->free(real->context, memory);
}

/*
 * Python calls these.  The table is the file PATH; DEEP return addresses make a place; the requests
 * from a place before the one that is refused are SKIPPED.
 */
void failing_begin(const char *path, unsigned deep, unsigned skipped)
{
	void (*get)(int, struct python_allocator *) = dlsym(RTLD_DEFAULT, "PyMem_GetAllocator");
	void (*set)(int, struct python_allocator *) = dlsym(RTLD_DEFAULT, "PyMem_SetAllocator");
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	void *stack[2];

	if (file < 0 || ftruncate(file, sizeof *table))
		abort();
	table = mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	backtrace(stack, 2); /* loads what it needs */
	host = owner(getauxval(AT_ENTRY) + 1, &host_low, &host_high);
	owner(getauxval(AT_BASE) + 1, &linker_low, &linker_high);
	self = owner((uintptr_t)failing_begin + 1, NULL, NULL);
	depth = deep;
	skip = skipped;
	for (int domain = 0; domain < 3; domain++) {
		get(domain, &python[domain]);
		struct python_allocator ours = {
			&python[domain], python_malloc, python_calloc, python_realloc, python_free};
		set(domain, &ours);
	}
}

void failing_arm(unsigned kinds)
{
	table->last[0] = '\0';
	armed = kinds;
}

/* What was refused since; "" if nothing was.  Nothing is any more. */
const char *failing_disarm(void)
{
	armed = 0;
	return table->last;
}

unsigned failing_count(void)
{
	return table->count;
}

/* What GDB starts is left alone. */
__attribute__((constructor)) static void begin(void)
{
	unsetenv("LD_PRELOAD");
}
