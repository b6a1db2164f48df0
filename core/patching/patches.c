/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patches_private.h"

#include "patching/occupied.h"
#include "target/arch.h"
#include "target/elf.h"
#include "target/instruction.h"
#include "target/maps.h"
#include "target/process.h"

#include <assert.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

/* Bytes of an island that a stub takes on average, at the most. */
enum { STUB = PROF_STUB_ROOM + 16 };

/* Bytes of a short function. */
enum { SHORT = 512 };

struct prof_error *prof_patches_create(
	pid_t process, const struct prof_stub_settings *settings, struct prof_patches **ret)
{
	struct prof_error *error = prof_instruction_available();

	if (error)
		return error;
	if (!prof_stub_piece(PROF_STUB_COUNT).code)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"gdbprof patches functions of x86-64 programs only.");
	struct prof_patches *patches = calloc(1, sizeof *patches);
	if (!patches)
		return prof_error_nomem();
	patches->process = process;
	patches->settings = *settings;
	*ret = patches;
	return NULL;
}

static void object_deinit(struct prof_patches_object *object)
{
	prof_island_deinit(&object->island);
	prof_entries_deinit(&object->entries);
	prof_elf_close(object->elf);
	*object = (struct prof_patches_object){0};
}

void prof_patches_destroy(struct prof_patches *patches)
{
	if (!patches)
		return;
	for (size_t i = 0; i < patches->objects.count; i++)
		object_deinit(&patches->objects.items[i]);
	free(patches->objects.items);
	free(patches->functions.items);
	prof_map_deinit(&patches->numbers);
	prof_map_deinit(&patches->hops);
	free(patches);
}

static bool read_code(void *context, uint64_t address, void *buffer, size_t length)
{
	return prof_elf_data(context, address + prof_elf_bias(context), buffer, length);
}

/* All that is mapped of ELF; nothing, if its headers do not say. */
static struct prof_island_range find_range(const struct prof_elf *elf)
{
	struct prof_island_range range = {UINT64_MAX, 0};
	GElf_Phdr header;
	size_t count;

	if (elf_getphdrnum(prof_elf_handle(elf), &count))
		return range;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(prof_elf_handle(elf), (int)i, &header) ||
			header.p_type != PT_LOAD)
			continue;
		if (header.p_vaddr < range.low)
			range.low = header.p_vaddr;
		if (header.p_vaddr + header.p_memsz > range.high)
			range.high = header.p_vaddr + header.p_memsz;
	}
	range.low += prof_elf_bias(elf);
	range.high += prof_elf_bias(elf);
	return range;
}

/* Finds out where functions of OBJECT can be patched. */
static struct prof_error *find_entries(struct prof_patches_object *object)
{
	PROF_AUTO(prof_entry_functions_deinit) struct prof_entry_functions functions = {0};
	const struct prof_entry_code code = {read_code, object->elf};
	struct prof_error *error =
		prof_entry_functions_read(&functions, object->elf, prof_arch_native());

	return error ? error
		     : prof_entries_find(&object->entries, &code, functions.items.items,
			       functions.items.count, functions.words.items, functions.words.count);
}

/*
 * Where a program begins a debugger puts instructions that threads execute instead of those under a
 * breakpoint (displaced stepping), while other threads go on.
 */
static void leave_start(struct prof_patches_object *object)
{
	GElf_Ehdr header;
	struct prof_entry *entry = gelf_getehdr(prof_elf_handle(object->elf), &header)
		? prof_entries_at(&object->entries, header.e_entry)
		: NULL;

	if (!entry)
		return;
	entry->patch = PROF_PATCH_NONE;
	entry->obstacle = PROF_OBSTACLE_START;
}

/* Begins the island of OBJECT, if there is room for one. */
static struct prof_error *begin_island(
	const struct prof_patches *patches, struct prof_patches_object *object)
{
	const uint64_t granule = PROF_STUB_GRANULE;
	PROF_AUTO(prof_occupied_deinit) struct prof_occupied occupied = {0};
	struct prof_error *error = prof_occupied_read(&occupied, patches->process);

	if (error)
		return error;
	/* Those of others may not be mapped yet. */
	for (size_t i = 0; i < patches->objects.count; i++) {
		const struct prof_patches_object *other = &patches->objects.items[i];
		if (other->size &&
			!prof_occupied_add(&occupied, other->island.address, other->size))
			return prof_error_nomem();
	}
	uint64_t size = (object->entries.items.count * STUB / granule + 1) * granule;
	uint64_t address =
		prof_island_room(occupied.items.items, occupied.items.count, object->range, size);
	if (!address)
		return NULL;
	object->size = size;
	return prof_island_init(
		&object->island, &patches->settings, address, prof_elf_bias(object->elf));
}

static struct prof_patches_object *find_object(const struct prof_patches *patches, uint64_t address)
{
	for (size_t i = 0; i < patches->objects.count; i++) {
		struct prof_patches_object *object = &patches->objects.items[i];
		if (!object->gone &&
			address - object->range.low < object->range.high - object->range.low)
			return object;
	}
	return NULL;
}

/* Adds the object that has ADDRESS.  *RET stays as it is if there is none. */
static struct prof_error *add_object(
	struct prof_patches *patches, uint64_t address, struct prof_patches_object **ret)
{
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};
	struct prof_patches_object object = {0};
	struct prof_error *error = prof_maps_read(&maps, patches->process);

	if (error)
		return error;
	const struct prof_mapping *mapping = prof_maps_find(&maps, address);
	if (!mapping || *mapping->path != '/')
		return NULL;
	error = prof_elf_open(patches->process, NULL, prof_arch_native(), mapping, &object.elf);
	if (error && prof_error_code(error) != PROF_ERROR_NOMEM) {
		prof_error_destroy(error);
		return NULL;
	}
	if (!error)
		object.range = find_range(object.elf);
	if (!error && address - object.range.low >= object.range.high - object.range.low) {
		object_deinit(&object);
		return NULL;
	}
	if (!error)
		error = find_entries(&object);
	if (!error)
		leave_start(&object);
	if (!error)
		error = begin_island(patches, &object);
	struct prof_patches_object *added = error ? NULL : prof_array_push(&patches->objects);
	if (!added) {
		object_deinit(&object);
		return error ? error : prof_error_nomem();
	}
	*added = object;
	*ret = added;
	return NULL;
}

/* The entry of OBJECT that begins at ADDRESS and can be patched; NULL: *OBSTACLE says why not. */
static const struct prof_entry *find_entry(
	const struct prof_patches_object *object, uint64_t address, enum prof_obstacle *obstacle)
{
	uint64_t own = address - prof_elf_bias(object->elf);
	const struct prof_entry *entry = prof_entries_at(&object->entries, own);

	*obstacle = PROF_OBSTACLE_NONE;
	if (!entry || entry->low != own)
		*obstacle = PROF_OBSTACLE_BOUNDS;
	else if (entry->patch == PROF_PATCH_NONE)
		*obstacle = entry->obstacle;
	else if (!object->size)
		*obstacle = PROF_OBSTACLE_ROOM;
	else if (object->island.code.count + STUB > object->size)
		*obstacle = PROF_OBSTACLE_ROOM;
	return *obstacle ? NULL : entry;
}

/* Fills in the jumps of FUNCTION, which is at ENTRY of OBJECT, to TARGET, and what is under them.
 */
static enum prof_obstacle prepare(struct prof_patches_function *function,
	const struct prof_patches_object *object, const struct prof_entry *entry, uint64_t target)
{
	uint64_t bias = prof_elf_bias(object->elf);

	function->taken = entry->taken;
	function->jump_count = (uint8_t)prof_stub_patch(entry, bias, target, function->jumps);
	for (size_t i = 0; i < function->jump_count; i++) {
		const struct prof_stub_jump *jump = &function->jumps[i];
		if (!prof_elf_data(object->elf, jump->address, function->under[i], jump->length))
			return PROF_OBSTACLE_FILE;
	}
	return function->jump_count ? PROF_OBSTACLE_NONE : PROF_OBSTACLE_FAR;
}

/* Adds the function at ENTRY of OBJECT, which can be patched. */
static struct prof_error *add_function(struct prof_patches *patches,
	struct prof_patches_object *object, const struct prof_entry *entry,
	enum prof_stub_part kind, enum prof_obstacle *obstacle)
{
	uint64_t target, bias = prof_elf_bias(object->elf);
	uint32_t index = (uint32_t)patches->functions.count;
	struct prof_patches_function function = {
		.address = entry->low + bias,
		.object = (uint32_t)(object - patches->objects.items),
		.stub = (uint32_t)object->island.stubs.count,
	};

	if (index >= patches->settings.functions)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"gdbprof patches at most %u functions of a process.",
			(unsigned)patches->settings.functions);
	if (!prof_array_reserve(&patches->functions, 1))
		return prof_error_nomem();
	*obstacle = PROF_OBSTACLE_FILE;
	if (!prof_elf_data(object->elf, function.address, function.code, entry->taken))
		return NULL;
	struct prof_error *error = prof_island_add(
		&object->island, kind, entry, function.code, index + 1, obstacle, &target);
	if (error || *obstacle)
		return error;
	*obstacle = prepare(&function, object, entry, target);
	if (*obstacle)
		return NULL;
	if (function.jump_count > 1 &&
		!prof_map_add(&patches->hops, function.jumps[0].address, index))
		return prof_error_nomem();
	if (!prof_map_add(&patches->numbers, function.address, index))
		return prof_error_nomem();
	patches->functions.items[patches->functions.count++] = function;
	return NULL;
}

struct prof_error *prof_patches_add(struct prof_patches *patches, uint64_t address,
	enum prof_stub_part kind, uint32_t *number, enum prof_obstacle *obstacle)
{
	struct prof_patches_object *object = find_object(patches, address);
	uint32_t known = prof_map_get(&patches->numbers, address);
	struct prof_error *error = NULL;

	assert(kind < PROF_STUB_KINDS);
	*number = 0;
	*obstacle = PROF_OBSTACLE_NONE;
	if (known != PROF_NONE) {
		*number = known + 1;
		return NULL;
	}
	if (!object)
		error = add_object(patches, address, &object);
	if (error)
		return error;
	if (!object) {
		*obstacle = PROF_OBSTACLE_FILE;
		return NULL;
	}
	const struct prof_entry *entry = find_entry(object, address, obstacle);
	if (entry)
		error = add_function(patches, object, entry, kind, obstacle);
	if (entry && !error && !*obstacle)
		*number = (uint32_t)patches->functions.count;
	return error;
}

bool prof_patches_count_only(struct prof_patches *patches, uint32_t number)
{
	assert(number && number <= patches->functions.count);
	const struct prof_patches_function *function = &patches->functions.items[number - 1];
	struct prof_patches_object *object = &patches->objects.items[function->object];
	const struct prof_stub *stub = &object->island.stubs.items[function->stub];
	const struct prof_stub_piece piece = prof_stub_piece(stub->kind);

	if (stub->kind != PROF_STUB_CALL && stub->kind != PROF_STUB_ENTRY)
		return false;
	assert(piece.mark < piece.entry && piece.entry + 2 - piece.mark <= 128);
	/* Of a jump by 8 bits, from behind it. */
	const uint64_t at = stub->low + piece.entry + 1;
	const unsigned char distance = (unsigned char)(piece.mark - (piece.entry + 2));
	if (at - object->island.address < object->written) {
		AUTO_ERROR struct prof_error *error =
			prof_process_write(patches->process, at, &distance, sizeof distance);
		if (error)
			return false;
	}
	object->island.code.items[at - object->island.address] = distance;
	return true;
}

void prof_patches_list_deinit(struct prof_patches_list *list)
{
	free(list->items.items);
	*list = (struct prof_patches_list){0};
}

/*
 * Does the function at ENTRY of OBJECT contain mov $NUMBER,%eax with the number of a system call
 * that returns twice?  Such functions are short, and not all have names.
 */
static bool returns_twice(const struct prof_patches_object *object, const struct prof_entry *entry)
{
	static const uint32_t calls[] = {SYS_clone, SYS_vfork, SYS_clone3};
	unsigned char code[SHORT];
	uint64_t size = entry->high - entry->low;
	uint32_t number;

	if (size > SHORT ||
		!prof_elf_data(object->elf, entry->low + prof_elf_bias(object->elf), code, size))
		return false;
	for (uint64_t i = 0; i + 1 + sizeof number <= size; i++) {
		memcpy(&number, code + i + 1, sizeof number);
		for (size_t j = 0; j < PROF_COUNT(calls); j++) {
			if (code[i] == 0xb8 && number == calls[j])
				return true;
		}
	}
	return false;
}

struct prof_error *prof_patches_list(
	struct prof_patches *patches, uint64_t address, struct prof_patches_list *list)
{
	struct prof_patches_object *object = find_object(patches, address);
	struct prof_error *error = object ? NULL : add_object(patches, address, &object);

	if (error || !object)
		return error;
	if (!prof_array_reserve(&list->items, object->entries.items.count))
		return prof_error_nomem();
	for (size_t i = 0; i < object->entries.items.count; i++) {
		const struct prof_entry *entry = &object->entries.items.items[i];
		uint64_t low, own = entry->low + prof_elf_bias(object->elf);
		const char *name = prof_elf_symbol(object->elf, own, &low);
		if (entry->obstacle == PROF_OBSTACLE_PART)
			continue;
		list->items.items[list->items.count++] =
			(struct prof_patches_listed){own, name && low == own ? name : NULL,
				entry->obstacle, returns_twice(object, entry)};
	}
	return NULL;
}

const struct prof_island *prof_patches_island(const struct prof_patches *patches, uint64_t address)
{
	for (size_t i = 0; i < patches->objects.count; i++) {
		const struct prof_island *island = &patches->objects.items[i].island;
		if (address - island->address < island->code.count)
			return island;
	}
	return NULL;
}

pid_t prof_patches_process(const struct prof_patches *patches)
{
	return patches->process;
}

uint32_t prof_patches_count(const struct prof_patches *patches)
{
	return (uint32_t)patches->functions.count;
}

enum prof_patches_state prof_patches_state(const struct prof_patches *patches, uint32_t number)
{
	assert(number && number <= patches->functions.count);
	return patches->functions.items[number - 1].state;
}

void prof_patches_forget(struct prof_patches *patches, struct prof_island_range range)
{
	for (size_t i = 0; i < patches->objects.count; i++) {
		struct prof_patches_object *object = &patches->objects.items[i];
		object->gone |= object->range.low < range.high && range.low < object->range.high;
	}
	for (uint32_t i = 0; i < patches->functions.count; i++) {
		struct prof_patches_function *function = &patches->functions.items[i];
		if (function->state == PROF_PATCHES_GONE ||
			!patches->objects.items[function->object].gone)
			continue;
		prof_map_remove(&patches->numbers, function->address, i);
		function->state = PROF_PATCHES_GONE;
	}
}

/* Does the function numbered INDEX have a patch?  A map asks. */
static bool is_in(const void *context, uint32_t index)
{
	const struct prof_patches *patches = context;

	return patches->functions.items[index].state == PROF_PATCHES_IN;
}

enum prof_stub_undone prof_patches_undo(
	const struct prof_patches *patches, struct prof_stub_registers *registers)
{
	enum prof_stub_undone undone = PROF_STUB_UNTOUCHED;
	uint32_t hopped = prof_map_find(&patches->hops, registers->pc, is_in, patches);
	struct prof_process process;

	if (hopped != PROF_NONE) {
		registers->pc = patches->functions.items[hopped].address;
		return PROF_STUB_UNCOUNTED;
	}

	prof_process_init(&process, patches->process);
	const struct prof_target target = prof_process_target(&process);
	for (size_t i = 0; undone == PROF_STUB_UNTOUCHED && i < patches->objects.count; i++) {
		const struct prof_patches_object *object = &patches->objects.items[i];
		if (object->size)
			undone = prof_stub_undo(&object->island, &target, registers);
	}
	return undone;
}

/* The kind of the stub of FUNCTION. */
static enum prof_stub_part kind_of(
	const struct prof_patches *patches, const struct prof_patches_function *function)
{
	const struct prof_island *island = &patches->objects.items[function->object].island;

	return island->stubs.items[function->stub].kind;
}

uint32_t prof_patches_entered(const struct prof_patches *patches, uint64_t pc)
{
	uint32_t index = prof_map_get(&patches->numbers, pc);
	bool in = index != PROF_NONE && is_in(patches, index) &&
		prof_stub_counts(kind_of(patches, &patches->functions.items[index]));

	return in ? index + 1 : 0;
}

uint64_t prof_patches_caller(const struct prof_patches *patches, uint32_t number, uint64_t sp)
{
	uint64_t caller;

	if (kind_of(patches, &patches->functions.items[number - 1]) != PROF_STUB_COUNT_CALLERS)
		return 0;
	return prof_process_read(patches->process, sp, &caller, sizeof caller) ? caller : 0;
}

uint64_t prof_patches_copy(const struct prof_patches *patches, uint64_t pc, bool counted)
{
	const struct prof_patches_object *object = find_object(patches, pc);

	if (!object)
		return 0;
	uint64_t bias = prof_elf_bias(object->elf);
	const struct prof_entry *entry = prof_entries_at(&object->entries, pc - bias);
	uint32_t index = entry ? prof_map_get(&patches->numbers, entry->low + bias) : PROF_NONE;
	if (index == PROF_NONE || (pc == entry->low + bias && !counted))
		return 0;
	const struct prof_patches_function *function = &patches->functions.items[index];
	return function->state == PROF_PATCHES_IN
		? prof_island_copy(&object->island.stubs.items[function->stub], pc)
		: 0;
}
