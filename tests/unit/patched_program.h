/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program patches itself, or a library that it uses: it plays gdbprof, too.  Whatever fails
 * ends it.
 */
#ifndef PROF_TESTS_PATCHED_PROGRAM_H
#define PROF_TESTS_PATCHED_PROGRAM_H

#include "patching/functions.h"
#include "patching/islands.h"
#include "target/arch.h"
#include "target/maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

/* The word of each thread that stubs use. */
extern __thread uint64_t patched_word __attribute__((tls_model("initial-exec")));
__thread uint64_t patched_word;

void __register_frame(void *begin);
void __deregister_frame(void *begin);

enum {
	PATCHED_RECORDS = 1 << 22,
	PATCHED_MOST = 8192,
	PATCHED_RANGES = 4096,
	PATCHED_CALLERS = 1 << 14,
};

struct patched {
	struct prof_stub_settings settings;
	struct prof_elf *elf;
	uint64_t bias;
	struct prof_entry_functions functions;
	struct prof_entries entries;
	struct prof_island island;
	struct prof_stub_jump jumps[2 * PATCHED_MOST];
	size_t jump_count;
	unsigned char saved[2 * PATCHED_MOST][5];
	unsigned char *control;
	uint32_t count; /* of functions: the number of the last one */
	uint64_t size;  /* of what is mapped for the island */
	unsigned char frames[PROF_ISLAND_FRAMES];
};

#define MUST(condition)                                                                 \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                        \
		}                                                                       \
	} while (0)

static inline void patched_check(struct prof_error *error)
{
	if (error)
		fprintf(stderr, "%s\n", prof_error_message(error));
	MUST(!error);
}

/* What the addresses of thread-local storage are relative to. */
static inline char *patched_thread_pointer(void)
{
	char *pointer = NULL;

#ifdef __x86_64__
	__asm__("mov %%fs:0,%0" : "=r"(pointer));
#endif
	return pointer;
}

static inline bool patched_read(void *context, uint64_t address, void *buffer, size_t length)
{
	return prof_elf_data(context, address + prof_elf_bias(context), buffer, length);
}

/* Where the island of what is from LOW up to HIGH can be. */
static inline uint64_t patched_room(uint64_t low, uint64_t high)
{
	static struct prof_island_range used[PATCHED_RANGES];
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];
	size_t count = 0;

	MUST(maps);
	while (count < PATCHED_RANGES && fgets(line, sizeof line, maps)) {
		MUST(sscanf(line, "%lx-%lx", &used[count].low, &used[count].high) == 2);
		/* Stacks grow. */
		if (strstr(line, "[stack]"))
			used[count].low -= 1 << 26;
		count++;
	}
	fclose(maps);
	uint64_t room = prof_island_room(
		used, count, (struct prof_island_range){low, high}, PROF_STUB_GRANULE);
	MUST(room);
	return room;
}

/*
 * Finds the functions of the object that has the code at ADDRESS; RECORDS are bytes, and CALLERS
 * entries.
 */
static inline struct patched *patched_open_sized(
	const void *address, uint32_t records, uint32_t callers)
{
	static struct patched patched;
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};

	patched = (struct patched){0};
	patched_check(prof_maps_read(&maps, getpid()));
	const struct prof_mapping *mapping = prof_maps_find(&maps, (uint64_t)(uintptr_t)address);
	MUST(mapping);
	patched_check(prof_elf_open(getpid(), NULL, prof_arch_native(), mapping, &patched.elf));
	patched.bias = prof_elf_bias(patched.elf);
	const struct prof_entry_code code = {patched_read, patched.elf};
	patched_check(
		prof_entry_functions_read(&patched.functions, patched.elf, prof_arch_native()));
	patched_check(prof_entries_find(&patched.entries, &code, patched.functions.items.items,
		patched.functions.items.count, patched.functions.words.items,
		patched.functions.words.count));
	patched.settings = (struct prof_stub_settings){
		.thread = (int32_t)((char *)&patched_word - patched_thread_pointer()),
		.shadow = PROF_STUB_SHADOW,
		.records = records,
		.functions = PATCHED_MOST,
		.callers = callers,
	};
	patched.control = mmap(NULL, prof_stub_control_size(&patched.settings),
		PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	MUST(patched.control != MAP_FAILED);
	patched.settings.control = (uint64_t)(uintptr_t)patched.control;
	patched_check(prof_island_init(&patched.island, &patched.settings,
		patched_room(mapping->low, mapping->high), patched.bias));
	return &patched;
}

static inline struct patched *patched_open(const void *address, uint32_t records)
{
	return patched_open_sized(address, records, PATCHED_CALLERS);
}

/* Adds a stub of KIND for ENTRY.  The number of the function; 0: it cannot be. */
static inline uint32_t patched_add_entry(
	struct patched *patched, const struct prof_entry *entry, enum prof_stub_part kind)
{
	unsigned char bytes[PROF_RELOCATION_TAKEN];
	enum prof_obstacle obstacle;
	uint64_t target;

	if (!entry->patch || patched->count == PATCHED_MOST)
		return 0;
	MUST(patched_read(patched->elf, entry->low, bytes, entry->taken));
	patched_check(prof_island_add(
		&patched->island, kind, entry, bytes, patched->count + 1, &obstacle, &target));
	if (obstacle)
		return 0;
	size_t count =
		prof_stub_patch(entry, patched->bias, target, patched->jumps + patched->jump_count);
	MUST(count);
	patched->jump_count += count;
	return ++patched->count;
}

/* Likewise, for FUNCTION, which can be patched. */
static inline uint32_t patched_add(
	struct patched *patched, const void *function, enum prof_stub_part kind)
{
	const struct prof_entry *entry =
		prof_entries_at(&patched->entries, (uint64_t)(uintptr_t)function - patched->bias);

	MUST(entry && entry->patch);
	uint32_t number = patched_add_entry(patched, entry, kind);
	MUST(number);
	return number;
}

/* Likewise, for all functions that can be patched.  How many these are. */
static inline uint32_t patched_add_all(struct patched *patched, enum prof_stub_part kind)
{
	for (size_t i = 0; i < patched->entries.items.count; i++)
		patched_add_entry(patched, &patched->entries.items.items[i], kind);
	return patched->count;
}

/* Writes LENGTH bytes of CODE to ADDRESS without a function that may be patched. */
static inline void patched_poke(uint64_t address, const unsigned char *code, size_t length)
{
	volatile unsigned char *to = (unsigned char *)(uintptr_t)address;

	for (size_t i = 0; i < length; i++)
		to[i] = code[i];
}

/* Has the code of what is patched be writable, or not. */
static inline void patched_protect(const struct patched *patched, int access)
{
	for (size_t i = 0; i < patched->jump_count; i++) {
		const struct prof_stub_jump *jump = &patched->jumps[i];
		uint64_t low = jump->address & ~UINT64_C(4095);
		uint64_t high = jump->address + jump->length;
		MUST(!mprotect((void *)(uintptr_t)low, high - low, access));
	}
}

/* Patches what patched_restore() has put back. */
static inline void patched_write(struct patched *patched)
{
	for (size_t i = 0; i < patched->jump_count; i++) {
		const struct prof_stub_jump *jump = &patched->jumps[i];
		patched_poke((uint64_t)(uintptr_t)patched->saved[i],
			(const unsigned char *)(uintptr_t)jump->address, jump->length);
		patched_poke(jump->address, jump->code, jump->length);
	}
}

/* Puts the code back, as long as it is writable. */
static inline void patched_restore(const struct patched *patched)
{
	for (size_t i = patched->jump_count; i-- > 0;)
		patched_poke(
			patched->jumps[i].address, patched->saved[i], patched->jumps[i].length);
}

/* Maps the island, and patches. */
static inline void patched_begin(struct patched *patched)
{
	const struct prof_island *island = &patched->island;
	void *address = (void *)(uintptr_t)island->address;

	patched->size = (island->code.count + 4095) & ~UINT64_C(4095);
	MUST(mmap(address, patched->size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == address);
	memcpy(address, island->code.items, island->code.count);
	MUST(!mprotect(address, patched->size, PROT_READ | PROT_EXEC));
	patched->control[PROF_STUB_PAGE + island->address / PROF_STUB_GRANULE] = PROF_STUB_ISLAND;
	prof_island_frames(island, island->code.count, patched->frames);
	__register_frame(patched->frames);
	patched_protect(patched, PROT_READ | PROT_WRITE | PROT_EXEC);
	patched_write(patched);
}

/* Puts the functions back as they were. */
static inline void patched_end(struct patched *patched)
{
	patched_restore(patched);
	patched_protect(patched, PROT_READ | PROT_EXEC);
	__deregister_frame(patched->frames);
}

/* Frees what was needed for it, at the end of a test. */
static inline void patched_close(struct patched *patched)
{
	munmap((void *)(uintptr_t)patched->island.address, patched->size);
	munmap(patched->control, prof_stub_control_size(&patched->settings));
	prof_island_deinit(&patched->island);
	prof_entries_deinit(&patched->entries);
	prof_entry_functions_deinit(&patched->functions);
	prof_elf_close(patched->elf);
	patched_word = 0;
}

/* The newest block. */
static inline const struct prof_stub_thread *patched_first(const struct patched *patched)
{
	const struct prof_stub_control *control = (const void *)patched->control;

	return (const void *)(uintptr_t)control->first;
}

static inline const struct prof_stub_thread *patched_next(const struct prof_stub_thread *block)
{
	return (const void *)(uintptr_t)block->link;
}

/* How often FUNCTION was called by callers that are not known, by all threads. */
static inline uint64_t patched_unknown(const struct patched *patched, uint32_t function)
{
	size_t at = prof_stub_counter(&patched->settings, function);
	uint64_t sum = *(const uint64_t *)(patched->control + PROF_STUB_CONTROL + at);

	for (const struct prof_stub_thread *block = patched_first(patched); block;
		block = patched_next(block))
		sum += *(const uint64_t *)((const char *)block + at);
	return sum;
}

/* The table of callers of BLOCK, which has prof_stub_caller_count() entries. */
static inline struct prof_stub_caller *patched_table(
	const struct patched *patched, const struct prof_stub_thread *block)
{
	return (void *)((char *)(uintptr_t)block + prof_stub_callers(&patched->settings));
}

/* How often FUNCTION was called from CALLER, or if that is 0, by all that BLOCK has. */
static inline uint64_t patched_called_in(const struct patched *patched,
	const struct prof_stub_thread *block, uint32_t function, uint64_t caller)
{
	const struct prof_stub_caller *table = patched_table(patched, block);
	uint64_t sum = 0;

	for (size_t i = 0; i < prof_stub_caller_count(&patched->settings); i++) {
		if (prof_stub_caller_function(&table[i]) == function &&
			(!caller || table[i].caller == caller))
			sum += prof_stub_caller_calls(&table[i]);
	}
	return sum;
}

/* Likewise, by all threads. */
static inline uint64_t patched_called(
	const struct patched *patched, uint32_t function, uint64_t caller)
{
	uint64_t sum = patched_called_in(
		patched, (const void *)(patched->control + PROF_STUB_CONTROL), function, caller);

	for (const struct prof_stub_thread *block = patched_first(patched); block;
		block = patched_next(block))
		sum += patched_called_in(patched, block, function, caller);
	return sum;
}

/* How often FUNCTION was called, by all threads. */
static inline uint64_t patched_counted(const struct patched *patched, uint32_t function)
{
	return patched_unknown(patched, function) + patched_called(patched, function, 0);
}

#endif
