/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/vdso_detour.h"

#include "target/maps.h"
#include "target/process.h"

#include <string.h>

/* Annexes (core/target) have two such detours there, which no thread makes while all stand still.
 */
enum { PLACES = 2 };

/* The address behind the vdso of PROCESS; 0: it has none. */
static uint64_t find_end(pid_t process)
{
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};
	AUTO_ERROR struct prof_error *error = prof_maps_read(&maps, process);

	return error ? 0 : prof_maps_vdso_end(&maps);
}

static bool write_room(pid_t process, uint64_t address, const unsigned char *bytes, size_t length)
{
	AUTO_ERROR struct prof_error *error = prof_process_write(process, address, bytes, length);

	return !error;
}

/* Is there nothing at DETOUR but what an annex may have left? */
static bool is_free(const struct vdso_detour *detour, const unsigned char code[PROF_DETOUR_CODE])
{
	static const unsigned char nothing[VDSO_DETOUR_ROOM];

	return !memcmp(detour->before, nothing, sizeof nothing) ||
		!memcmp(detour->before, code, PROF_DETOUR_CODE);
}

bool vdso_detour_begin(struct vdso_detour *detour, pid_t process)
{
	unsigned char code[PROF_DETOUR_CODE];
	uint64_t end = find_end(process);

	for (uint64_t place = 1; end && prof_detour_is_possible() && place <= PLACES; place++) {
		uint64_t address = end - place * VDSO_DETOUR_ROOM;
		detour->detour = (struct prof_detour){
			.process = process, .code = address, .data = address + PROF_DETOUR_CODE};
		prof_detour_build(&detour->detour, code);
		if (prof_process_read(process, address, detour->before, sizeof detour->before) &&
			is_free(detour, code))
			return write_room(process, address, code, sizeof code);
	}
	return false;
}

void vdso_detour_end(const struct vdso_detour *detour)
{
	write_room(
		detour->detour.process, detour->detour.code, detour->before, sizeof detour->before);
}

bool vdso_detour_map(struct prof_patches *patches, pid_t thread)
{
	struct prof_patches_memory memory;
	struct vdso_detour detour;

	if (!prof_patches_lack(patches, &memory))
		return true;
	if (!vdso_detour_begin(&detour, prof_patches_process(patches)))
		return false;
	bool good = prof_patches_map(patches, &detour.detour, thread);
	vdso_detour_end(&detour);
	return good;
}

void vdso_detour_leave(const struct prof_patched *patched, pid_t process)
{
	struct vdso_detour detour;
	bool there = vdso_detour_begin(&detour, process);

	prof_patched_leave(patched, there ? &detour.detour : NULL);
	if (there)
		vdso_detour_end(&detour);
}
