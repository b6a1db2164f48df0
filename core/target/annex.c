/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/annex.h"

#include "target/maps.h"
#include "target/process.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/*
 * Addresses where no kernel maps anything by itself, so that the program's addresses are the same
 * as without the annex.  The sanitizers, Go and Java do not use them either.
 */
#define PLACE UINT64_C(0x3f0000000000)

/* Bytes; the last 8 are the id of the process that has created it. */
enum {
	CODE_SIZE = PROF_ANNEX_DETOURS * PROF_DETOUR_CODE,
	DATA_STRIDE = 512,
	DATA_SIZE = PROF_ANNEX_DETOURS * DATA_STRIDE,
	ROOM = PROF_DETOUR_CODE + (sizeof(struct prof_detour_data) + 15) / 16 * 16,
};

#define OWNER (PLACE + CODE_SIZE + DATA_SIZE - sizeof(int64_t))

static const struct part {
	uint64_t address, size;
	uint64_t protection;
} parts[PROF_ANNEX_PARTS] = {
	[PROF_ANNEX_CODE] = {PLACE, CODE_SIZE, PROT_READ | PROT_EXEC},
	[PROF_ANNEX_DATA] = {PLACE + CODE_SIZE, DATA_SIZE, PROT_READ | PROT_WRITE},
};

void prof_annex_init(struct prof_annex *annex, pid_t process)
{
	*annex = (struct prof_annex){.process = process};
	if (!prof_detour_is_possible())
		annex->lacks = "gdbprof does not support this machine";
}

struct prof_detour prof_annex_detour(const struct prof_annex *annex, size_t index)
{
	return (struct prof_detour){
		.process = annex->process,
		.code = parts[PROF_ANNEX_CODE].address + index * PROF_DETOUR_CODE,
		.data = parts[PROF_ANNEX_DATA].address + index * DATA_STRIDE,
		.marks = true,
	};
}

struct prof_detour_call prof_annex_keep(void)
{
	return (struct prof_detour_call){
		SYS_madvise, {PLACE, CODE_SIZE + DATA_SIZE, MADV_DONTFORK}};
}

static bool is_mapped(const struct prof_annex *annex, enum prof_annex_part part)
{
	char byte;

	return prof_process_read(annex->process, parts[part].address, &byte, sizeof byte);
}

/* The place in the vdso of the code that maps PART. */
static struct prof_detour vdso_detour(const struct prof_annex *annex, enum prof_annex_part part)
{
	return (struct prof_detour){
		.process = annex->process,
		.code = annex->room[part],
		.data = annex->room[part] + PROF_DETOUR_CODE,
	};
}

/* Can gdbprof use the room for PART in the vdso?  A forked child has its parent's code there. */
static bool is_free(const struct prof_annex *annex, enum prof_annex_part part)
{
	static const unsigned char nothing[ROOM];
	unsigned char there[ROOM], code[PROF_DETOUR_CODE];
	const struct prof_detour detour = vdso_detour(annex, part);

	prof_detour_build(&detour, code);
	return prof_process_read(annex->process, annex->room[part], there, sizeof there) &&
		(!memcmp(there, nothing, sizeof there) || !memcmp(there, code, sizeof code));
}

static bool write_owner(const struct prof_annex *annex, int64_t owner)
{
	AUTO_ERROR struct prof_error *error =
		prof_process_write(annex->process, OWNER, &owner, sizeof owner);

	return !error;
}

/* Writes the code of all detours, unless it is there already. */
static bool write_code(const struct prof_annex *annex)
{
	unsigned char code[CODE_SIZE], there[CODE_SIZE];

	for (size_t i = 0; i < PROF_ANNEX_DETOURS; i++) {
		const struct prof_detour detour = prof_annex_detour(annex, i);
		prof_detour_build(&detour, code + i * PROF_DETOUR_CODE);
	}
	if (!prof_process_read(annex->process, PLACE, there, sizeof there))
		return false;
	if (!memcmp(code, there, sizeof code))
		return true;
	AUTO_ERROR struct prof_error *error =
		prof_process_write(annex->process, PLACE, code, sizeof code);
	return !error && write_owner(annex, annex->process);
}

/* Does PROCESS share the memory to which OWNER was just written?  A copy has another owner. */
static bool is_shared(pid_t process, int64_t owner)
{
	int64_t there;

	return prof_process_read(process, OWNER, &there, sizeof there) && there == owner;
}

/*
 * Is this mapping an earlier annex?  A child that was forked before the annex was excluded from
 * forks has a copy of its parent's, and takes it over; a child of vfork() shares its parent's, and
 * must not use it.
 */
static bool is_ours(const struct prof_annex *annex)
{
	unsigned char code[PROF_DETOUR_CODE], there[PROF_DETOUR_CODE];
	const struct prof_detour detour = prof_annex_detour(annex, 0);
	int64_t owner = 0;

	prof_detour_build(&detour, code);
	if (!prof_process_read(annex->process, PLACE, there, sizeof there) ||
		memcmp(there, code, sizeof code) != 0)
		return false;
	if (!prof_process_read(annex->process, OWNER, &owner, sizeof owner) ||
		owner == annex->process)
		return true;
	if (!write_owner(annex, annex->process))
		return false;
	if (!is_shared((pid_t)owner, annex->process))
		return true;
	write_owner(annex, owner);
	return false;
}

/*
 * Finds room in the vdso, and what is there already.  Returns why there can be no annex, or NULL.
 */
static const char *look(struct prof_annex *annex)
{
	struct prof_maps maps = {0};
	AUTO_ERROR struct prof_error *error = prof_maps_read(&maps, annex->process);
	uint64_t end = prof_maps_vdso_end(&maps);

	annex->looked = true;
	prof_maps_deinit(&maps);
	for (int part = 0; part < PROF_ANNEX_PARTS; part++) {
		annex->room[part] = end - (uint64_t)(part + 1) * ROOM;
		if (!end || !is_free(annex, part))
			annex->room[part] = 0;
	}
	bool taken = is_mapped(annex, PROF_ANNEX_CODE) && !is_ours(annex);
	return taken ? "the addresses that gdbprof needs are in use" : NULL;
}

/* Lets THREAD map PART.  False: THREAD cannot make a detour now. */
static bool map(struct prof_annex *annex, pid_t thread, enum prof_annex_part part)
{
	unsigned char code[PROF_DETOUR_CODE];
	const struct prof_detour detour = vdso_detour(annex, part);
	const struct prof_detour_call call = {SYS_mmap,
		{parts[part].address, parts[part].size, parts[part].protection,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, (uint64_t)-1, 0}};

	if (!annex->room[part]) {
		annex->lacks = "its vdso has no room";
		return false;
	}
	prof_detour_build(&detour, code);
	AUTO_ERROR struct prof_error *error =
		prof_process_write(annex->process, detour.code, code, sizeof code);
	if (error || !prof_detour_enter(&detour, thread, &call, 1, NULL, 0))
		return false;
	annex->sent[part] = thread;
	return true;
}

bool prof_annex_extend(struct prof_annex *annex, pid_t thread)
{
	if (annex->lacks || annex->there)
		return false;
	if (!annex->looked && (annex->lacks = look(annex)))
		return false;
	for (int part = 0; part < PROF_ANNEX_PARTS; part++) {
		if (is_mapped(annex, part))
			continue;
		if (!annex->sent[part])
			return map(annex, thread, part);
		/* Another thread may still be making the call. */
		if (annex->sent[part] == thread)
			annex->lacks = "the kernel refused it memory";
		return false;
	}
	annex->there = write_code(annex);
	if (!annex->there)
		annex->lacks = "its memory cannot be written";
	return false;
}

bool prof_annex_leave(struct prof_annex *annex, pid_t thread)
{
	for (int part = 0; part < PROF_ANNEX_PARTS; part++) {
		const struct prof_detour detour = vdso_detour(annex, part);
		if (annex->sent[part] != thread || !prof_detour_leave(&detour, thread))
			continue;
		/* If it is not mapped yet, the next thread tries again. */
		annex->sent[part] = 0;
		return true;
	}
	return false;
}

void prof_annex_forget(struct prof_annex *annex, pid_t thread)
{
	for (int part = 0; part < PROF_ANNEX_PARTS; part++) {
		if (annex->sent[part] == thread)
			annex->sent[part] = 0;
	}
}
