/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/recorded_calls.h"

#include "base/file.h"
#include "base/list.h"
#include "base/memory.h"
#include "patching/patched.h"
#include "patching/stubs.h"
#include "plugin/calls/call_reader.h"
#include "plugin/calls/counted_patches.h"
#include "plugin/calls/wrappable.h"
#include "plugin/collect/notes.h"
#include "target/arch.h"
#include "target/elf.h"
#include "target/maps.h"
#include "target/symbol_names.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* So many functions are named in a sentence. */
enum { NAMED = 10 };

/* A file that was looked at for an unwinder. */
struct looked {
	uint64_t low, inode;
};

/* There is one GDB, so one of these. */
static struct {
	bool wanted;
	struct call_reader_settings settings;
	pid_t process;
	struct call_reader *reader;       /* of PROCESS, or NULL */
	struct call_reader_status status; /* of readers that have ended: sums */
	PROF_ARRAY(char *) counted;       /* names of functions that are counted only */
	size_t noted;                     /* so many of READER are among them */
	PROF_ARRAY(struct looked) looked;
	PROF_ARRAY(uint64_t) unwinders;
	bool new_library;     /* the C library is newer than 2.37: see core/patching/README.md */
	const char *obstacle; /* an unwinder that does not find its way; NULL: there is none */
} recorded;

void recorded_calls_begin(const struct call_reader_settings *settings)
{
	recorded_calls_end();
	recorded.wanted = true;
	recorded.settings = *settings;
}

void recorded_calls_end(void)
{
	recorded_calls_gone();
	for (size_t i = 0; i < recorded.counted.count; i++)
		free(recorded.counted.items[i]);
	free(recorded.counted.items);
	memset(&recorded, 0, sizeof recorded);
}

bool recorded_calls_are_wanted(void)
{
	return recorded.wanted;
}

enum prof_stub_part recorded_calls_kind(const char *name)
{
	static const char *const others[] = {
		"swapcontext", "makecontext", "setcontext", "uw_init_context_1", "__libc_vfork"};
	enum prof_stub_part kind = PROF_STUB_CALL;

	if (!recorded.wanted)
		return PROF_STUB_COUNT_CALLERS;
	AUTO_ERROR struct prof_error *error = wrappable_check(name);
	for (size_t i = 0; i < PROF_COUNT(others); i++)
		kind = strcmp(name, others[i]) ? kind : PROF_STUB_ENTRY;
	return error ? PROF_STUB_ENTRY : kind;
}

/* Does a file with the name BASE look at return addresses, or return twice, in functions without
 * names? */
static bool is_special(const char *base)
{
	return !strncmp(base, "libgcc_s", 8) ||
		(recorded.new_library && !strncmp(base, "libc.so", 7));
}

enum prof_stub_part recorded_calls_listed_kind(
	const struct prof_patches_listed *listed, const char *path)
{
	static const char internal[] = "__GI_"; /* the C library's own name of its functions */
	const char *name = listed->name ? listed->name : "";
	bool own = !strncmp(name, internal, sizeof internal - 1);
	enum prof_stub_part kind = recorded_calls_kind(own ? name + sizeof internal - 1 : name);
	bool once = listed->twice || !path || is_special(prof_file_base_name(path));

	return recorded.wanted && once ? PROF_STUB_ENTRY : kind;
}

const char *recorded_calls_start(pid_t process, const struct prof_stub_settings *settings)
{
	if (!recorded.wanted)
		return NULL;
	recorded.process = process;
	struct prof_error *error =
		call_reader_create(process, settings, &recorded.settings, &recorded.reader);
	if (!error)
		return NULL;
	notes_error(error);
	return "an error has occurred";
}

bool recorded_calls_add(uint64_t address)
{
	return !recorded.reader || call_reader_add(recorded.reader, address);
}

void recorded_calls_allow(bool allowed)
{
	if (!recorded.reader)
		return;
	if (allowed)
		call_reader_release(recorded.reader);
	else
		call_reader_hold(recorded.reader);
}

/* Notes the names of functions that are counted only. */
static void note_counted(void)
{
	uint64_t address;
	uint32_t number;

	while (recorded.reader &&
		(number = call_reader_counted(recorded.reader, recorded.noted)) != 0) {
		const char *name = counted_patches_at(number - 1, &address);
		char *copy = name ? strdup(name) : NULL;
		char **added = copy ? prof_array_push(&recorded.counted) : NULL;
		if (added)
			*added = copy;
		else
			free(copy);
		recorded.noted++;
	}
}

void recorded_calls_report(void)
{
	if (recorded.reader)
		call_reader_flush(recorded.reader);
}

void recorded_calls_gone(void)
{
	if (recorded.reader) {
		const struct call_reader_status status = call_reader_look(recorded.reader);
		recorded.status.calls += status.calls;
		recorded.status.lost += status.lost;
		recorded.status.full |= status.full;
		note_counted();
	}
	call_reader_destroy(recorded.reader);
	recorded.reader = NULL;
	recorded.noted = 0;
	recorded.process = 0;
	recorded.obstacle = NULL;
	free(recorded.looked.items);
	free(recorded.unwinders.items);
	memset(&recorded.looked, 0, sizeof recorded.looked);
	memset(&recorded.unwinders, 0, sizeof recorded.unwinders);
}

/* Does NAME belong to the interface of an unwinder? */
static bool is_interface(const char *name)
{
	return name && (!strncmp(name, "_Unwind_", 8) || !strncmp(name, "__gxx_personality", 17));
}

/* Does ELF take its unwinder from another file, as its dynamic SYMBOLS show? */
static bool is_linked(Elf *elf, Elf_Scn *symbols)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Data *data = gelf_getshdr(symbols, &header) ? elf_getdata(symbols, NULL) : NULL;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		if (symbol.st_shndx == SHN_UNDEF &&
			is_interface(elf_strptr(elf, header.sh_link, symbol.st_name)))
			return true;
	}
	return false;
}

/*
 * Has ELF exceptions, and an unwinder of its own that has no name?  The C library has a table of
 * exceptions, too, and looks for libgcc when it needs that.
 */
static bool has_own(Elf *elf, const char *path)
{
	bool exceptions = false, linked = false;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (!strncmp(prof_file_base_name(path), "libc.so", 7) || elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = gelf_getshdr(section, &header)
			? elf_strptr(elf, names, header.sh_name)
			: NULL;
		exceptions |= name && !strcmp(name, ".gcc_except_table");
		linked |= name && header.sh_type == SHT_DYNSYM && is_linked(elf, section);
	}
	return exceptions && !linked;
}

/* Has ELF the function NAME? */
static bool has(const struct prof_elf *elf, const char *name)
{
	PROF_AUTO(prof_symbol_names_deinit) struct prof_symbol_names names = {0};
	PROF_AUTO(prof_symbol_hits_deinit) struct prof_symbol_hits hits = {0};

	if (prof_symbol_names_add(&names, name))
		(void)prof_symbol_names_look(&names, prof_elf_handle(elf), &hits);
	return hits.items.count && hits.items.items[0].address;
}

/* Adds the unwinder that is in ELF, if there is one.  False: no memory. */
static bool look_at(struct prof_elf *elf)
{
	PROF_AUTO(prof_symbol_names_deinit) struct prof_symbol_names names = {0};
	PROF_AUTO(prof_symbol_hits_deinit) struct prof_symbol_hits hits = {0};
	bool good = prof_symbol_names_add(&names, PROF_UNWINDER);

	/* Other functions that GDB may know of have nothing to do with it. */
	if (good)
		(void)prof_symbol_names_look(&names, prof_elf_handle(elf), &hits);
	for (size_t i = 0; good && i < hits.items.count; i++) {
		uint64_t address = hits.items.items[i].address + prof_elf_bias(elf);
		bool known = !hits.items.items[i].address;
		for (size_t j = 0; j < recorded.unwinders.count; j++)
			known |= recorded.unwinders.items[j] == address;
		uint64_t *added = known ? NULL : prof_array_push(&recorded.unwinders);
		good = known || added;
		if (added)
			*added = address;
	}
	return good;
}

/* Was MAPPING looked at? */
static bool is_known(const struct prof_mapping *mapping)
{
	for (size_t i = 0; i < recorded.looked.count; i++) {
		if (recorded.looked.items[i].low == mapping->low &&
			recorded.looked.items[i].inode == mapping->inode)
			return true;
	}
	return false;
}

const char *recorded_calls_unwinders(void)
{
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};
	AUTO_ERROR struct prof_error *error = prof_maps_read(&maps, recorded.process);
	bool good = !error;

	for (size_t i = 0; good && !recorded.obstacle && i < maps.mappings.count; i++) {
		const struct prof_mapping *mapping = &maps.mappings.items[i];
		struct prof_elf *elf;
		if (!strncmp(prof_file_base_name(mapping->path), "libunwind", 9))
			recorded.obstacle =
				"the program has another unwinder than that of libgcc: libunwind";
		if (*mapping->path != '/' || is_known(mapping))
			continue;
		struct looked *looked = prof_array_push(&recorded.looked);
		struct prof_error *other = looked
			? prof_elf_open(recorded.process, NULL, prof_arch_native(), mapping, &elf)
			: prof_error_nomem();
		if (looked)
			*looked = (struct looked){mapping->low, mapping->inode};
		size_t before = recorded.unwinders.count;
		good = looked && (other || look_at(elf));
		if (!other && !strncmp(prof_file_base_name(mapping->path), "libc.so", 7))
			recorded.new_library = has(elf, "strlcpy");
		bool own = !other && good && recorded.unwinders.count == before &&
			has_own(prof_elf_handle(elf), mapping->path);
		if (!other)
			prof_elf_close(elf);
		if (own)
			recorded.obstacle =
				"a file of it has exceptions, and gdbprof does not find their unwinder";
		prof_error_destroy(other);
	}
	return good ? recorded.obstacle : "memory is short";
}

uint64_t recorded_calls_unwinder(size_t index)
{
	return index < recorded.unwinders.count ? recorded.unwinders.items[index] : 0;
}

void recorded_calls_warn(const char *why)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_print(&text,
		"An exception that leaves recorded calls may end the program, because %s: stop the recording.",
		why);
	notes_add(prof_text_get(&text));
}

static void say_counted(struct prof_text *text)
{
	struct prof_list_names names = {.text = text, .most = NAMED};

	prof_text_print(text, "Called too often to be recorded (\"set prof calls-limit\"): ");
	for (size_t i = 0; i < recorded.counted.count; i++)
		prof_list_name(&names, recorded.counted.items[i]);
	prof_list_end(&names);
	prof_text_print(text, ".\nAfter some calls gdbprof only counted these functions.\n");
}

void recorded_calls_say(struct prof_text *text)
{
	struct call_reader_status all = recorded.status;

	if (!recorded.wanted)
		return;
	if (recorded.reader) {
		const struct call_reader_status status = call_reader_look(recorded.reader);
		all.calls += status.calls;
		all.lost += status.lost;
		all.full |= status.full;
	}
	note_counted();
	if (recorded.counted.count)
		say_counted(text);
	if (all.full)
		prof_text_print(text,
			"gdbprof records no more than %d calls: choose functions that are called less often.\n",
			CALL_READER_MOST);
}
