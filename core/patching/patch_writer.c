/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patch_window.h"
#include "patching/patches_private.h"

#include <string.h>

/* Closes WINDOW; ERROR, or else what was met then. */
static struct prof_error *close_window(struct prof_patch_window *window, struct prof_error *error)
{
	struct prof_error *last = prof_patch_window_close(window);

	if (!error)
		return last;
	prof_error_destroy(last);
	return error;
}

/* Has the process all memory that the stubs of OBJECT need? */
static bool is_mapped(const struct prof_patches *patches, const struct prof_patches_object *object)
{
	return patches->control == PROF_PATCHES_THERE && object->mapped == PROF_PATCHES_THERE;
}

/* Marks what is in the granules of OBJECT's island as code that functions return to. */
static struct prof_error *mark_granules(const struct prof_patches *patches,
	struct prof_patch_window *window, const struct prof_patches_object *object)
{
	uint64_t table = patches->settings.control + PROF_STUB_PAGE;
	struct prof_error *error = NULL;

	for (uint64_t at = 0; !error && at < object->size; at += PROF_STUB_GRANULE) {
		const unsigned char island = PROF_STUB_ISLAND;
		error = prof_patch_window_write(window,
			table + (object->island.address + at) / PROF_STUB_GRANULE, &island, 1);
	}
	return error;
}

/* Writes what unwinders in the program have to know of all islands. */
static struct prof_error *write_frames(const struct prof_patches *patches,
	struct prof_patch_window *window, const struct prof_island *island)
{
	unsigned char frames[PROF_ISLAND_FRAMES];

	prof_island_frames(island, PROF_STUB_GRANULE, frames);
	return prof_patch_window_write(
		window, patches->settings.control + PROF_STUB_FRAMES, frames, sizeof frames);
}

/* Writes what is new of OBJECT's island. */
static struct prof_error *write_island(const struct prof_patches *patches,
	struct prof_patch_window *window, struct prof_patches_object *object)
{
	const struct prof_island *island = &object->island;
	struct prof_error *error = NULL;

	if (object->gone || !is_mapped(patches, object) || object->written == island->code.count)
		return NULL;
	if (!object->written)
		error = mark_granules(patches, window, object);
	if (!error && !object->written)
		error = write_frames(patches, window, island);
	if (!error)
		error = prof_patch_window_write(window, island->address + object->written,
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
static bool is_original(
	struct prof_patch_window *window, const struct prof_patches_function *function)
{
	unsigned char there[PROF_RELOCATION_TAKEN];

	if (!prof_patch_window_read(window, function->address, there, function->taken) ||
		memcmp(there, function->code, function->taken) != 0)
		return false;
	for (size_t i = 0; i < function->jump_count; i++) {
		const struct prof_stub_jump *jump = &function->jumps[i];
		if (!prof_patch_window_read(window, jump->address, there, jump->length) ||
			memcmp(there, function->under[i], jump->length) != 0)
			return false;
	}
	return true;
}

/* What FUNCTION is to be: PROF_PATCHES_IN if its patch can be put in now. */
static enum prof_patches_state judge(const struct prof_patches *patches,
	struct prof_patch_window *window, const struct prof_patches_function *function,
	const uint64_t *resumed, size_t count)
{
	const struct prof_patches_object *object = &patches->objects.items[function->object];

	if (!is_mapped(patches, object))
		return PROF_PATCHES_UNMAPPED;
	if (is_resumed(function, resumed, count))
		return PROF_PATCHES_RESUMED;
	return is_original(window, function) ? PROF_PATCHES_IN : PROF_PATCHES_CHANGED;
}

/* Puts FUNCTION's jumps in. */
static struct prof_error *put_in(
	struct prof_patch_window *window, struct prof_patches_function *function)
{
	struct prof_error *error = NULL;

	/* What an error leaves half done is taken out, too. */
	function->state = PROF_PATCHES_IN;
	for (size_t i = 0; !error && i < function->jump_count; i++) {
		const struct prof_stub_jump *jump = &function->jumps[i];
		error = prof_patch_window_write(window, jump->address, jump->code, jump->length);
	}
	return error;
}

/* Takes the bytes of JUMP out that are still there; UNDER are the original ones. */
static struct prof_error *take_jump_out(struct prof_patch_window *window,
	const struct prof_stub_jump *jump, const unsigned char *under)
{
	unsigned char there[sizeof jump->code];

	if (!prof_patch_window_read(window, jump->address, there, jump->length))
		return prof_patch_window_refuse(window, "it cannot be read");
	for (size_t i = 0; i < jump->length; i++) {
		if (there[i] == jump->code[i])
			there[i] = under[i];
	}
	return prof_patch_window_write(window, jump->address, there, jump->length);
}

/* Takes FUNCTION's jumps out. */
static struct prof_error *take_function_out(
	struct prof_patch_window *window, const struct prof_patches_function *function)
{
	struct prof_error *error = NULL;

	for (size_t i = function->jump_count; !error && i-- > 0;)
		error = take_jump_out(window, &function->jumps[i], function->under[i]);
	return error;
}

/* Takes all out of WINDOW.  The first error, after the others were tried. */
static struct prof_error *take_out(struct prof_patches *patches, struct prof_patch_window *window)
{
	struct prof_error *first = NULL;

	for (size_t i = 0; i < patches->functions.count; i++) {
		struct prof_patches_function *function = &patches->functions.items[i];
		if (function->state != PROF_PATCHES_IN)
			continue;
		struct prof_error *error = take_function_out(window, function);
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
	struct prof_patch_window window;
	struct prof_error *error = prof_patch_window_open(&window, child);

	if (error)
		return error;
	for (size_t i = 0; !error && i < patches->functions.count; i++) {
		const struct prof_patches_function *function = &patches->functions.items[i];
		if (function->state == PROF_PATCHES_IN)
			error = take_function_out(&window, function);
	}
	return close_window(&window, error);
}

struct prof_error *prof_patches_take_out(struct prof_patches *patches)
{
	struct prof_patch_window window;
	struct prof_error *error = prof_patch_window_open(&window, patches->process);

	if (error)
		return error;
	error = take_out(patches, &window);
	return close_window(&window, error);
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
	struct prof_patch_window window;
	struct prof_error *error = prof_patch_window_open(&window, patches->process);

	if (error)
		return error;
	for (size_t i = 0; !error && i < patches->objects.count; i++)
		error = write_island(patches, &window, &patches->objects.items[i]);
	for (size_t i = 0; !error && i < patches->functions.count; i++) {
		struct prof_patches_function *function = &patches->functions.items[i];
		if (function->state == PROF_PATCHES_IN || function->state == PROF_PATCHES_GONE)
			continue;
		function->state = judge(patches, &window, function, resumed, count);
		function->was_in = function->state == PROF_PATCHES_IN;
		if (function->state == PROF_PATCHES_IN)
			error = put_in(&window, function);
	}
	error = close_window(&window, error);
	if (error)
		prof_error_destroy(prof_patches_take_out(patches));
	return error;
}
