/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patches_private.h"

#include "target/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The memory of a process, which is written even where the process itself must not. */
struct memory {
	pid_t process;
	int file;
};

static struct prof_error *refuse(const struct memory *memory, const char *why)
{
	return prof_error_create(PROF_ERROR_SYSTEM,
		"gdbprof cannot patch the code of process %d: %s.", (int)memory->process, why);
}

static struct prof_error *open_memory(pid_t process, struct memory *ret)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/%d/mem", (int)process);
	*ret = (struct memory){process, open(path, O_WRONLY | O_CLOEXEC)};
	return ret->file < 0 ? refuse(ret, strerror(errno)) : NULL;
}

static struct prof_error *write_memory(
	const struct memory *memory, uint64_t address, const void *bytes, size_t length)
{
	ssize_t put = pwrite(memory->file, bytes, length, (off_t)address);

	if (put == (ssize_t)length)
		return NULL;
	return refuse(memory, put < 0 ? strerror(errno) : "its memory ends there");
}

/* Has the process all memory that the stubs of OBJECT need? */
static bool is_mapped(const struct prof_patches *patches, const struct prof_patches_object *object)
{
	return patches->control == PROF_PATCHES_THERE && object->mapped == PROF_PATCHES_THERE;
}

/* Marks what is in the granules of OBJECT's island as code that functions return to. */
static struct prof_error *mark_granules(const struct prof_patches *patches,
	const struct memory *memory, const struct prof_patches_object *object)
{
	uint64_t table = patches->settings.control + PROF_STUB_PAGE;
	struct prof_error *error = NULL;

	for (uint64_t at = 0; !error && at < object->size; at += PROF_STUB_GRANULE) {
		const unsigned char island = PROF_STUB_ISLAND;
		error = write_memory(memory,
			table + (object->island.address + at) / PROF_STUB_GRANULE, &island, 1);
	}
	return error;
}

/* Writes what is new of OBJECT's island. */
static struct prof_error *write_island(const struct prof_patches *patches,
	const struct memory *memory, struct prof_patches_object *object)
{
	const struct prof_island *island = &object->island;
	struct prof_error *error = NULL;

	if (object->gone || !is_mapped(patches, object) || object->written == island->code.count)
		return NULL;
	if (!object->written)
		error = mark_granules(patches, memory, object);
	if (!error)
		error = write_memory(memory, island->address + object->written,
			island->code.items + object->written, island->code.count - object->written);
	if (!error)
		object->written = island->code.count;
	return error;
}

/* Is one of COUNT ADDRESSES in the middle of what FUNCTION's patch takes? */
static bool is_resumed(
	const struct prof_patches_function *function, const uint64_t *addresses, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t offset = addresses[i] - function->address;
		if (offset && offset < function->taken)
			return true;
	}
	return false;
}

/* Has the process the original bytes where FUNCTION's patch goes? */
static bool is_original(const struct memory *memory, const struct prof_patches_function *function)
{
	unsigned char there[PROF_RELOCATION_TAKEN];

	if (!prof_process_read(memory->process, function->address, there, function->taken) ||
		memcmp(there, function->code, function->taken) != 0)
		return false;
	for (size_t i = 0; i < function->jump_count; i++) {
		const struct prof_stub_jump *jump = &function->jumps[i];
		if (!prof_process_read(memory->process, jump->address, there, jump->length) ||
			memcmp(there, function->under[i], jump->length) != 0)
			return false;
	}
	return true;
}

/* What FUNCTION is to be: PROF_PATCHES_IN if its patch can be put in now. */
static enum prof_patches_state judge(const struct prof_patches *patches,
	const struct memory *memory, const struct prof_patches_function *function,
	const uint64_t *resumed, size_t count)
{
	const struct prof_patches_object *object = &patches->objects.items[function->object];

	if (!is_mapped(patches, object))
		return PROF_PATCHES_UNMAPPED;
	if (is_resumed(function, resumed, count))
		return PROF_PATCHES_RESUMED;
	return is_original(memory, function) ? PROF_PATCHES_IN : PROF_PATCHES_CHANGED;
}

/* Puts FUNCTION's jumps in. */
static struct prof_error *put_in(
	const struct memory *memory, struct prof_patches_function *function)
{
	struct prof_error *error = NULL;

	/* What an error leaves half done is taken out, too. */
	function->state = PROF_PATCHES_IN;
	for (size_t i = 0; !error && i < function->jump_count; i++) {
		const struct prof_stub_jump *jump = &function->jumps[i];
		error = write_memory(memory, jump->address, jump->code, jump->length);
	}
	return error;
}

/* Takes the bytes of JUMP out that are still there; UNDER are the original ones. */
static struct prof_error *take_jump_out(
	const struct memory *memory, const struct prof_stub_jump *jump, const unsigned char *under)
{
	unsigned char there[sizeof jump->code];

	if (!prof_process_read(memory->process, jump->address, there, jump->length))
		return refuse(memory, "it cannot be read");
	for (size_t i = 0; i < jump->length; i++) {
		if (there[i] == jump->code[i])
			there[i] = under[i];
	}
	return write_memory(memory, jump->address, there, jump->length);
}

/* Takes FUNCTION's jumps out. */
static struct prof_error *take_function_out(
	const struct memory *memory, const struct prof_patches_function *function)
{
	struct prof_error *error = NULL;

	for (size_t i = function->jump_count; !error && i-- > 0;)
		error = take_jump_out(memory, &function->jumps[i], function->under[i]);
	return error;
}

/* Takes all out of MEMORY.  The first error, after the others were tried. */
static struct prof_error *take_out(struct prof_patches *patches, const struct memory *memory)
{
	struct prof_error *first = NULL;

	for (size_t i = 0; i < patches->functions.count; i++) {
		struct prof_patches_function *function = &patches->functions.items[i];
		if (function->state != PROF_PATCHES_IN)
			continue;
		struct prof_error *error = take_function_out(memory, function);
		if (!error)
			function->state = PROF_PATCHES_OUT;
		if (first)
			prof_error_destroy(error);
		else
			first = error;
	}
	return first;
}

struct prof_error *prof_patches_clear_child(const struct prof_patches *patches, pid_t child)
{
	struct memory memory;
	struct prof_error *error = open_memory(child, &memory);

	if (error)
		return error;
	for (size_t i = 0; !error && i < patches->functions.count; i++) {
		const struct prof_patches_function *function = &patches->functions.items[i];
		if (function->state == PROF_PATCHES_IN)
			error = take_function_out(&memory, function);
	}
	close(memory.file);
	return error;
}

struct prof_error *prof_patches_take_out(struct prof_patches *patches)
{
	struct memory memory;
	struct prof_error *error = open_memory(patches->process, &memory);

	if (error)
		return error;
	error = take_out(patches, &memory);
	close(memory.file);
	return error;
}

bool prof_patches_are_new(const struct prof_patches *patches)
{
	for (size_t i = 0; i < patches->functions.count; i++) {
		const struct prof_patches_function *function = &patches->functions.items[i];
		if (!function->was_in && function->state != PROF_PATCHES_GONE)
			return true;
	}
	return false;
}

struct prof_error *prof_patches_put_in(
	struct prof_patches *patches, const uint64_t *resumed, size_t count)
{
	struct memory memory;
	struct prof_error *error = open_memory(patches->process, &memory);

	if (error)
		return error;
	for (size_t i = 0; !error && i < patches->objects.count; i++)
		error = write_island(patches, &memory, &patches->objects.items[i]);
	for (size_t i = 0; !error && i < patches->functions.count; i++) {
		struct prof_patches_function *function = &patches->functions.items[i];
		if (function->state == PROF_PATCHES_IN || function->state == PROF_PATCHES_GONE)
			continue;
		function->state = judge(patches, &memory, function, resumed, count);
		function->was_in = function->state == PROF_PATCHES_IN;
		if (function->state == PROF_PATCHES_IN)
			error = put_in(&memory, function);
	}
	if (error)
		prof_error_destroy(take_out(patches, &memory));
	close(memory.file);
	return error;
}
