/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/elf.h"

#include "base/map.h"
#include "target/arch.h"
#include "target/cfi.h"
#include "target/dwarf.h"
#include "target/fde.h"
#include "target/maps.h"
#include "target/section.h"
#include "target/symbols.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The vdso has two pages; anything larger at [vdso] is something else. */
enum { IMAGE_MAX = 1 << 20 };

/* Build ids are 20 bytes long; longer ones are cut here. */
enum { BUILD_ID_BYTES = 64 };

struct prof_elf {
	int fd;      /* of the file, or -1 */
	char *image; /* of the vdso */
	Elf *elf;
	uint64_t bias; /* added to its own addresses to get those in memory */
	struct stat file;

	Dwarf_CFI *eh_frame;
	/*
	 * Only opened for code that .eh_frame does not describe, because it may have to be
	 * uncompressed.
	 */
	Dwarf *dwarf;
	Dwarf_CFI *debug_frame; /* borrowed from DWARF */
	bool dwarf_tried;

	struct prof_fdes fdes;
	bool fdes_read;
	struct prof_symbols symbols;
	bool symbols_read;
	int split_fd; /* of the file with the symbols, or -1 */
	Elf *split;
	char build_id[2 * BUILD_ID_BYTES + 1];
	bool build_id_read;
};

/* Opens PATH if it is still the file that MAPPING maps. */
static int open_same(const char *path, const struct prof_mapping *mapping)
{
	struct stat file;
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	/* Does not compare the device: layered file systems report another one there. */
	if (fd < 0 || fstat(fd, &file) || file.st_ino != mapping->inode)
		return -1;
	int opened = fd;
	fd = -1;
	return opened;
}

/*
 * Opens the file of MAPPING by its path, in the root of process PID, or in our own if the process
 * has ended.
 */
static int open_by_path(pid_t pid, const struct prof_mapping *mapping)
{
	AUTO_FREE char *path = NULL;
	int root = asprintf(&path, "/proc/%d/root%s", (int)pid, mapping->path);

	if (root < 0) {
		path = NULL;
		return -1;
	}
	int fd = open_same(path, mapping);
	path[(size_t)root - strlen(mapping->path)] = '\0';
	if (fd < 0 && access(path, F_OK) && (errno == ENOENT || errno == ESRCH))
		fd = open_same(mapping->path, mapping);
	return fd;
}

/* Is LINK a link to the file of MAPPING, by its name? */
static bool leads_to(const char *link, const struct prof_mapping *mapping)
{
	char path[PATH_MAX];
	ssize_t length = readlink(link, path, sizeof path);

	return length >= 0 && (size_t)length == strlen(mapping->path) &&
		!memcmp(path, mapping->path, (size_t)length);
}

/*
 * Opens the mapped file itself, even if its name is gone by now.  This takes a privilege.  Another
 * file may have been mapped there since.
 */
static int open_by_mapping(pid_t pid, const struct prof_mapping *mapping)
{
	char path[96];

	snprintf(path, sizeof path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid,
		mapping->low, mapping->high);
	int fd = open_same(path, mapping);
	if (fd < 0 && leads_to(path, mapping))
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd;
}

static struct prof_error *open_file(
	struct prof_elf *module, pid_t pid, const struct prof_mapping *mapping)
{
	module->fd = open_by_mapping(pid, mapping);
	if (module->fd < 0)
		module->fd = open_by_path(pid, mapping);
	if (module->fd < 0 || fstat(module->fd, &module->file) || !S_ISREG(module->file.st_mode))
		return prof_error_create(
			PROF_ERROR_SYSTEM, "The mapped file %s cannot be read.", mapping->path);
	module->elf = elf_begin(module->fd, ELF_C_READ_MMAP, NULL);
	return NULL;
}

static struct prof_error *open_image(struct prof_elf *module, const struct prof_target *target,
	const struct prof_mapping *mapping)
{
	uint64_t size = mapping->high - mapping->low;

	if (size > IMAGE_MAX)
		return prof_error_create(
			PROF_ERROR_DAMAGED, "%s is too large for an ELF image.", mapping->path);
	module->image = malloc(size);
	if (!module->image)
		return prof_error_nomem();
	if (!prof_target_read(target, mapping->low, module->image, size))
		return prof_error_create(
			PROF_ERROR_SYSTEM, "%s cannot be read from the process.", mapping->path);
	module->elf = elf_memory(module->image, size);
	return NULL;
}

/* The next segment of ELF that is mapped with FLAGS, from *AT on, which is 0 at first.  False:
 * there is none, or the file is damaged. */
static bool next_segment(Elf *elf, unsigned flags, size_t *at, GElf_Phdr *segment)
{
	size_t count;

	if (elf_getphdrnum(elf, &count))
		return false;
	while (*at < count) {
		if (!gelf_getphdr(elf, (int)(*at)++, segment))
			return false;
		if (segment->p_type == PT_LOAD && (segment->p_flags & flags) == flags)
			return true;
	}
	return false;
}

/* Finds out where MODULE's own addresses are in memory, from the segment that MAPPING maps. */
static bool find_bias(struct prof_elf *module, const struct prof_mapping *mapping)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t offset = module->image ? 0 : mapping->offset;
	size_t at = 0;
	GElf_Phdr segment;

	while (next_segment(module->elf, PF_X, &at, &segment)) {
		/* The kernel maps whole pages, whatever else of the file is in them. */
		uint64_t first = segment.p_offset / page * page;
		uint64_t end = (segment.p_offset + segment.p_filesz + page - 1) / page * page;
		if (offset < first || offset >= end)
			continue;
		module->bias = mapping->low - (segment.p_vaddr + offset - segment.p_offset);
		return true;
	}
	return false;
}

static struct prof_error *check(
	struct prof_elf *module, const struct prof_arch *arch, const struct prof_mapping *mapping)
{
	GElf_Ehdr header;

	if (!module->elf || !gelf_getehdr(module->elf, &header) ||
		header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
		header.e_machine != arch->machine)
		return prof_error_create(PROF_ERROR_UNSUPPORTED, "%s is not an ELF file for %s.",
			mapping->path, arch->name);
	if (!find_bias(module, mapping))
		return prof_error_create(PROF_ERROR_DAMAGED,
			"%s has no segment that would be mapped at offset 0x%" PRIx64 ".",
			mapping->path, mapping->offset);
	return NULL;
}

/* A module without contents. */
static struct prof_elf *create(void)
{
	struct prof_elf *module = calloc(1, sizeof *module);

	elf_version(EV_CURRENT);
	if (module)
		module->fd = module->split_fd = -1;
	return module;
}

/* Moves MODULE to *RET, or closes it and returns ERROR. */
static struct prof_error *finish(
	struct prof_elf *module, struct prof_error *error, struct prof_elf **ret)
{
	if (error) {
		prof_elf_close(module);
		return error;
	}
	module->eh_frame = dwarf_getcfi_elf(module->elf);
	*ret = module;
	return NULL;
}

struct prof_error *prof_elf_open(pid_t pid, const struct prof_target *target,
	const struct prof_arch *arch, const struct prof_mapping *mapping, struct prof_elf **ret)
{
	struct prof_elf *module = create();

	if (!module)
		return prof_error_nomem();
	struct prof_error *error = strcmp(mapping->path, "[vdso]")
		? open_file(module, pid, mapping)
		: open_image(module, target, mapping);
	if (!error)
		error = check(module, arch, mapping);
	return finish(module, error, ret);
}

struct prof_error *prof_elf_open_file(const struct prof_arch *arch,
	const struct prof_mapping *mapping, const char *build_id, struct prof_elf **ret)
{
	struct prof_error *error = NULL;
	struct prof_elf *module = create();

	if (!module)
		return prof_error_nomem();
	module->fd = open(mapping->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (module->fd < 0 || fstat(module->fd, &module->file) || !S_ISREG(module->file.st_mode))
		error = prof_error_create(
			PROF_ERROR_SYSTEM, "The file %s cannot be read.", mapping->path);
	if (!error) {
		module->elf = elf_begin(module->fd, ELF_C_READ_MMAP, NULL);
		error = check(module, arch, mapping);
	}
	if (!error && strcmp(prof_elf_build_id(module), build_id) != 0)
		error = prof_error_create(PROF_ERROR_MISMATCH,
			"The file %s has changed: its build ID is different.", mapping->path);
	return finish(module, error, ret);
}

void prof_elf_close(struct prof_elf *module)
{
	if (!module)
		return;
	dwarf_cfi_end(module->eh_frame);
	dwarf_end(module->dwarf);
	elf_end(module->elf);
	if (module->fd >= 0)
		close(module->fd);
	prof_symbols_deinit(&module->symbols);
	elf_end(module->split);
	if (module->split_fd >= 0)
		close(module->split_fd);
	free(module->image);
	prof_fdes_deinit(&module->fdes);
	free(module);
}

bool prof_elf_is_current(
	const struct prof_elf *module, pid_t pid, const struct prof_mapping *mapping)
{
	struct stat file;

	if (module->fd < 0)
		return true;
	AUTO_CLOSE int fd = open_by_mapping(pid, mapping);
	if (fd < 0)
		fd = open_by_path(pid, mapping);
	return fd >= 0 && !fstat(fd, &file) && file.st_ino == module->file.st_ino &&
		file.st_dev == module->file.st_dev && file.st_size == module->file.st_size &&
		file.st_mtim.tv_sec == module->file.st_mtim.tv_sec &&
		file.st_mtim.tv_nsec == module->file.st_mtim.tv_nsec;
}

static void find_debug_frame(void *context)
{
	struct prof_elf *module = context;

	module->debug_frame = dwarf_getcfi(module->dwarf);
}

/* There was no memory for it; see prof_dwarf_call(). */
static void abandon_dwarf(struct prof_elf *module)
{
	module->dwarf = NULL;
	module->debug_frame = NULL;
}

/* Opens .debug_frame, plain or compressed, if there is one. */
static void open_debug_frame(struct prof_elf *module)
{
	GElf_Shdr header;

	if (module->dwarf_tried)
		return;
	module->dwarf_tried = true;
	if (!prof_section_find(module->elf, ".debug_frame", &header) &&
		!prof_section_find(module->elf, ".zdebug_frame", &header))
		return;
	module->dwarf = dwarf_begin_elf(module->elf, DWARF_C_READ, NULL);
	if (module->dwarf && !prof_dwarf_call(module->dwarf, find_debug_frame, module))
		abandon_dwarf(module);
}

/* The row that .debug_frame has for the address. */
struct compiling {
	struct prof_elf *module;
	struct prof_cfi_rows *rows;
	const struct prof_arch *arch;
	uint64_t address;
	uint32_t row;
};

static void compile_debug_frame(void *context)
{
	struct compiling *compiling = context;
	struct prof_elf *module = compiling->module;

	compiling->row = prof_cfi_compile(compiling->rows, compiling->arch, module->debug_frame,
		module->bias, compiling->address);
}

uint32_t prof_elf_compile(struct prof_elf *module, struct prof_cfi_rows *rows,
	const struct prof_arch *arch, uint64_t address)
{
	uint32_t row = PROF_NONE;

	if (module->eh_frame)
		row = prof_cfi_compile(rows, arch, module->eh_frame, module->bias, address);
	if (row != PROF_NONE)
		return row;
	open_debug_frame(module);
	struct compiling compiling = {module, rows, arch, address, PROF_NONE};
	if (module->debug_frame && !prof_dwarf_call(module->dwarf, compile_debug_frame, &compiling))
		abandon_dwarf(module);
	return compiling.row;
}

/* Adds the FDEs of the section NAME to MODULE's table.  If memory is short, some are left out. */
static void read_section(struct prof_elf *module, const char *name, bool eh_frame)
{
	GElf_Ehdr header;
	GElf_Shdr section_header;
	Elf_Scn *section = prof_section_find(module->elf, name, &section_header);

	if (!section || section_header.sh_type == SHT_NOBITS || !gelf_getehdr(module->elf, &header))
		return;
	struct prof_fde_section found = {
		.ident = header.e_ident,
		.data = elf_rawdata(section, NULL),
		.address = section_header.sh_addr,
		.eh_frame = eh_frame,
	};
	if (found.data && found.data->d_buf && !prof_fdes_add(&module->fdes, &found))
		module->fdes_read = false;
}

const struct prof_fdes *prof_elf_fdes(struct prof_elf *module)
{
	if (!module->fdes_read) {
		module->fdes_read = true;
		prof_fdes_deinit(&module->fdes);
		read_section(module, ".eh_frame", true);
		/* libdw uncompresses the sections in place as it opens them. */
		open_debug_frame(module);
		if (module->debug_frame)
			read_section(module, ".debug_frame", false);
		prof_fdes_sort(&module->fdes);
	}
	return &module->fdes;
}

Elf *prof_elf_handle(const struct prof_elf *module)
{
	return module->elf;
}

bool prof_elf_bounds(struct prof_elf *module, uint64_t address, uint64_t *low, uint64_t *high)
{
	const struct prof_fde *fde = prof_fdes_find(prof_elf_fdes(module), address - module->bias);
	if (!fde)
		return false;
	*low = fde->low + module->bias;
	*high = fde->high + module->bias;
	return true;
}

/* Reads LENGTH bytes at OFFSET of MODULE's file into BUFFER. */
static bool read_at(const struct prof_elf *module, uint64_t offset, void *buffer, size_t length)
{
	size_t size = 0;

	if (module->fd >= 0)
		return pread(module->fd, buffer, length, (off_t)offset) == (ssize_t)length;
	const char *bytes = elf_rawfile(module->elf, &size);
	if (!bytes || offset > size || length > size - offset)
		return false;
	memcpy(buffer, bytes + offset, length);
	return true;
}

/* Reads LENGTH bytes at ADDRESS of a segment with FLAGS into BUFFER.  False: it cannot. */
static bool read_segment(const struct prof_elf *module, unsigned flags, uint64_t address,
	void *buffer, size_t length)
{
	uint64_t own = address - module->bias;
	size_t at = 0;
	GElf_Phdr segment;

	while (next_segment(module->elf, flags, &at, &segment)) {
		uint64_t before = own - segment.p_vaddr;
		if (before <= segment.p_filesz && length <= segment.p_filesz - before)
			return read_at(module, segment.p_offset + before, buffer, length);
	}
	return false;
}

bool prof_elf_code(const struct prof_elf *module, uint64_t address, void *buffer, size_t length)
{
	return read_segment(module, PF_X, address, buffer, length);
}

bool prof_elf_data(const struct prof_elf *module, uint64_t address, void *buffer, size_t length)
{
	return read_segment(module, PF_R, address, buffer, length);
}

const unsigned char *prof_elf_edge(
	struct prof_elf *module, uint64_t address, size_t *size, size_t *offset)
{
	static const char *const names[] = {".init", ".fini"};
	uint64_t own = address - module->bias;
	GElf_Shdr header;

	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		Elf_Scn *section = prof_section_find(module->elf, names[i], &header);
		if (!section || header.sh_type == SHT_NOBITS ||
			own - header.sh_addr >= header.sh_size)
			continue;
		const Elf_Data *data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf)
			continue;
		*size = data->d_size;
		*offset = own - header.sh_addr;
		return data->d_buf;
	}
	return NULL;
}

const char *prof_elf_symbol(struct prof_elf *module, uint64_t address, uint64_t *low)
{
	if (!module->symbols_read)
		module->symbols_read = prof_symbols_read(&module->symbols, module->elf);
	const struct prof_symbol *symbol =
		prof_symbols_find(&module->symbols, address - module->bias);
	if (!symbol)
		return NULL;
	*low = symbol->low + module->bias;
	return symbol->name;
}

/* The name of symbol NUMBER in the table SECTION of ELF, or NULL. */
static const char *symbol_name(Elf *elf, size_t section, size_t number)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Scn *table = elf_getscn(elf, section);
	Elf_Data *data = table && gelf_getshdr(table, &header) ? elf_getdata(table, NULL) : NULL;

	if (!data || !number || number > INT_MAX || !gelf_getsym(data, (int)number, &symbol))
		return NULL;
	const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
	return name && *name ? name : NULL;
}

/* The name that the relocations in SECTION give the word at OFFSET, or NULL. */
static const char *relocated(Elf *elf, Elf_Scn *section, uint64_t offset)
{
	GElf_Shdr header;
	GElf_Rela row;

	if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || !header.sh_entsize)
		return NULL;
	Elf_Data *data = elf_getdata(section, NULL);
	for (int i = 0; data && gelf_getrela(data, i, &row); i++) {
		if (row.r_offset == offset)
			return symbol_name(elf, header.sh_link, GELF_R_SYM(row.r_info));
	}
	return NULL;
}

const char *prof_elf_slot(const struct prof_elf *module, uint64_t slot)
{
	Elf_Scn *section = NULL;
	const char *name = NULL;

	while (!name && (section = elf_nextscn(module->elf, section)))
		name = relocated(module->elf, section, slot - module->bias);
	return name;
}

/* Writes the build id of ELF in hex to TEXT; "" if it has none. */
static void read_build_id(Elf *elf, char text[2 * BUILD_ID_BYTES + 1])
{
	const void *bytes;
	ssize_t length = dwelf_elf_gnu_build_id(elf, &bytes);

	for (ssize_t i = 0; i < length && i < BUILD_ID_BYTES; i++)
		sprintf(text + 2 * i, "%02x", ((const unsigned char *)bytes)[i]);
}

bool prof_elf_add_symbols(struct prof_elf *module, const char *path)
{
	struct prof_symbols symbols = {0};
	char build_id[2 * BUILD_ID_BYTES + 1] = "";
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf *elf = fd >= 0 && !module->split ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;

	if (elf)
		read_build_id(elf, build_id);
	if (!*build_id || strcmp(build_id, prof_elf_build_id(module)) != 0 ||
		!prof_symbols_read(&symbols, elf) || !symbols.items.count) {
		prof_symbols_deinit(&symbols);
		elf_end(elf);
		return false;
	}
	prof_symbols_deinit(&module->symbols);
	module->symbols = symbols;
	module->symbols_read = true;
	module->split = elf;
	module->split_fd = fd;
	fd = -1;
	return true;
}

uint64_t prof_elf_bias(const struct prof_elf *module)
{
	return module->bias;
}

const char *prof_elf_build_id(struct prof_elf *module)
{
	if (!module->build_id_read)
		read_build_id(module->elf, module->build_id);
	module->build_id_read = true;
	return module->build_id;
}
