/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patch_window.h"

#include "target/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct prof_error *prof_patch_window_refuse(const struct prof_patch_window *window, const char *why)
{
	return prof_error_create(PROF_ERROR_SYSTEM,
		"gdbprof cannot patch the code of process %d: %s.", (int)window->process, why);
}

struct prof_error *prof_patch_window_open(struct prof_patch_window *window, pid_t process)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/%d/mem", (int)process);
	window->process = process;
	window->file = open(path, O_WRONLY | O_CLOEXEC);
	window->error = NULL;
	window->there = false;
	return window->file < 0 ? prof_patch_window_refuse(window, strerror(errno)) : NULL;
}

static struct prof_error *write_now(
	const struct prof_patch_window *window, uint64_t address, const void *bytes, size_t length)
{
	ssize_t put = pwrite(window->file, bytes, length, (off_t)address);

	if (put == (ssize_t)length)
		return NULL;
	return prof_patch_window_refuse(
		window, put < 0 ? strerror(errno) : "its memory ends there");
}

/* Writes what has changed in the window; then there is none. */
static void flush(struct prof_patch_window *window)
{
	struct prof_error *error = NULL;

	if (window->there && window->begin < window->end)
		error = write_now(window, window->address + window->begin,
			window->bytes + window->begin, window->end - window->begin);
	if (window->error)
		prof_error_destroy(error);
	else
		window->error = error;
	window->there = false;
}

struct prof_error *prof_patch_window_close(struct prof_patch_window *window)
{
	flush(window);
	close(window->file);
	return window->error;
}

/* Are LENGTH bytes at ADDRESS in the window? */
static bool is_within(const struct prof_patch_window *window, uint64_t address, size_t length)
{
	uint64_t offset = address - window->address;

	return window->there && offset < PROF_PATCH_WINDOW && length <= PROF_PATCH_WINDOW - offset;
}

bool prof_patch_window_read(
	struct prof_patch_window *window, uint64_t address, void *bytes, size_t length)
{
	uint64_t page = address & ~(uint64_t)(PROF_PATCH_WINDOW - 1);

	if (!is_within(window, address, length)) {
		flush(window);
		if (length > page + PROF_PATCH_WINDOW - address)
			return prof_process_read(window->process, address, bytes, length);
		window->address = page;
		window->begin = PROF_PATCH_WINDOW;
		window->end = 0;
		window->there = prof_process_read(
			window->process, page, window->bytes, sizeof window->bytes);
		if (!window->there)
			return false;
	}
	memcpy(bytes, window->bytes + (address - window->address), length);
	return true;
}

struct prof_error *prof_patch_window_write(
	struct prof_patch_window *window, uint64_t address, const void *bytes, size_t length)
{
	if (!is_within(window, address, length)) {
		/* A part of it may be in the window. */
		if (window->there && address < window->address + PROF_PATCH_WINDOW &&
			window->address < address + length)
			flush(window);
		return write_now(window, address, bytes, length);
	}
	size_t offset = address - window->address;
	memcpy(window->bytes + offset, bytes, length);
	if (offset < window->begin)
		window->begin = offset;
	if (offset + length > window->end)
		window->end = offset + length;
	return NULL;
}
