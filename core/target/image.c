/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/image.h"

#include "target/image_private.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file while it is read. */
struct reader {
	struct prof_image *image; /* borrowed */
	int fd;
	Elf *elf;
	size_t section_names;
	size_t text;           /* the section .text */
	const char *names_end; /* end of all symbols */
	struct prof_source source;
};

static void reader_deinit(struct reader *reader)
{
	prof_source_deinit(&reader->source);
	elf_end(reader->elf);
	prof_memory_close(&reader->fd);
}

static struct prof_error *unusable(const struct reader *reader, const char *what)
{
	return prof_error_create(
		PROF_ERROR_DAMAGED, "The program \"%s\" %s.", reader->image->path, what);
}

bool prof_image_probe(const char *bytes, size_t length)
{
	return length >= SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG);
}

static bool is_code(Elf *elf, size_t section)
{
	GElf_Shdr header;
	Elf_Scn *found = elf_getscn(elf, section);

	return found && gelf_getshdr(found, &header) && header.sh_flags & SHF_EXECINSTR;
}

/*
 * Where a suffix of a name that gprof knows ends; the suffix begins with the '.' at AT: ".1" is a
 * function within another, or a copy of one, and so is ".constprop.1".  NULL: it is another suffix.
 */
static const char *skip_copy(const char *at)
{
	static const char *const copies[] = {".clone.", ".constprop."};

	for (size_t i = 0; i < PROF_COUNT(copies); i++) {
		size_t length = strlen(copies[i]);
		if (!strncmp(at, copies[i], length) && at[length]) {
			at += length - 1;
			break;
		}
	}
	size_t digits = strspn(at + 1, "0123456789");
	at += 1 + digits;
	return !*at || (*at == '.' && digits) ? at : NULL;
}

/*
 * Has a person written NAME, of a static function, as far as gprof can tell?  It has no '$', and a
 * '.' only in the suffix of a copy.  After such a suffix gprof reads on in the table, up to END:
 * the next name must be good, too.
 */
static bool is_plain(const char *name, const char *end)
{
	if (!*name || !strncmp(name, "__gnu_compiled", 14) || !strncmp(name, "___gnu_compiled", 15))
		return false;
	while (name < end && *name) {
		if (*name == '$')
			return false;
		bool copy = *name == '.';
		while (*name == '.') {
			name = skip_copy(name);
			if (!name)
				return false;
		}
		if (copy || *name)
			name++;
	}
	return true;
}

/* What gprof takes for a function: a symbol of code, or any weak symbol that is no object. */
static bool is_function(const struct reader *reader, const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	int bind = GELF_ST_BIND(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_COMMON ||
		type == STT_SECTION || type == STT_FILE || type == STT_GNU_IFUNC ||
		type == STT_COMMON)
		return false;
	if (bind == STB_WEAK)
		return type != STT_OBJECT;
	if (!is_code(reader->elf, symbol->st_shndx))
		return false;
	return bind == STB_GLOBAL || (bind == STB_LOCAL && is_plain(name, reader->names_end));
}

static struct prof_error *add_symbol(
	struct reader *reader, const GElf_Sym *symbol, const char *name)
{
	struct prof_image_symbol found = {
		.low = symbol->st_value,
		.file = PROF_NONE,
		.function = PROF_NONE,
		.local = GELF_ST_BIND(symbol->st_info) == STB_LOCAL,
		.marked = GELF_ST_TYPE(symbol->st_info) == STT_FUNC,
	};
	struct prof_error *error =
		prof_strings_add(&reader->image->strings, name, strlen(name), &found.name);

	if (error)
		return error;
	struct prof_image_symbol *place = prof_array_push(&reader->image->functions);
	if (!place)
		return prof_error_nomem();
	*place = found;
	return NULL;
}

/* Any symbol in .text may name code. */
static struct prof_error *add_label(struct reader *reader, const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	struct prof_source_label label = {
		.low = symbol->st_value,
		.high = symbol->st_value + (symbol->st_size ? symbol->st_size : 1),
		.order = (uint32_t)reader->source.labels.count,
		.function = type == STT_FUNC,
	};

	if (symbol->st_shndx != reader->text ||
		(type != STT_NOTYPE && type != STT_FUNC && type != STT_GNU_IFUNC))
		return NULL;
	struct prof_error *error =
		prof_strings_add(reader->source.strings, name, strlen(name), &label.name);
	if (error)
		return error;
	struct prof_source_label *place = prof_array_push(&reader->source.labels);
	if (!place)
		return prof_error_nomem();
	*place = label;
	return NULL;
}

static struct prof_error *read_table(
	struct reader *reader, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	Elf_Data *names = elf_getdata(elf_getscn(reader->elf, header->sh_link), NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Sym symbol;

	if (!data || !names || !names->d_buf)
		return NULL;
	const char *end = (const char *)names->d_buf + names->d_size;
	while (end > (const char *)names->d_buf && end[-1])
		end--;
	reader->names_end = end;
	for (size_t i = 0; i < count && gelf_getsym(data, (int)i, &symbol); i++) {
		const char *name = elf_strptr(reader->elf, header->sh_link, symbol.st_name);
		struct prof_error *error = name ? add_label(reader, &symbol, name) : NULL;
		if (!error && name && is_function(reader, &symbol, name))
			error = add_symbol(reader, &symbol, name);
		if (error)
			return error;
	}
	return NULL;
}

static struct prof_error *find_text(struct reader *reader)
{
	struct prof_image *image = reader->image;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(reader->elf, section))) {
		const char *name = gelf_getshdr(section, &header)
			? elf_strptr(reader->elf, reader->section_names, header.sh_name)
			: NULL;
		if (!name || strcmp(name, ".text") != 0)
			continue;
		reader->text = elf_ndxscn(section);
		image->text_low = header.sh_addr;
		image->text_high = header.sh_addr + header.sh_size;
		break;
	}
	if (image->text_high <= image->text_low)
		return unusable(reader, "has no section .text");
	return NULL;
}

static struct prof_error *read_symbols(struct reader *reader)
{
	struct prof_image *image = reader->image;
	struct prof_error *error = NULL;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (!error && (section = elf_nextscn(reader->elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			error = read_table(reader, section, &header);
	}
	if (error)
		return error;
	if (!image->functions.count)
		return unusable(reader, "has no symbols: it was stripped");
	return NULL;
}

static struct prof_error *open_elf(struct reader *reader)
{
	struct prof_image *image = reader->image;
	struct stat status;
	GElf_Ehdr header;

	reader->fd = open(image->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (reader->fd < 0 || fstat(reader->fd, &status))
		return prof_error_create(PROF_ERROR_SYSTEM,
			"The program \"%s\" cannot be read: %s.", image->path, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return unusable(reader, "is not a regular file");
	elf_version(EV_CURRENT);
	reader->elf = elf_begin(reader->fd, ELF_C_READ_MMAP, NULL);
	if (!reader->elf || elf_kind(reader->elf) != ELF_K_ELF ||
		!gelf_getehdr(reader->elf, &header) ||
		elf_getshdrstrndx(reader->elf, &reader->section_names))
		return unusable(reader, "is not an ELF file, or is damaged");
	image->word = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	image->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	return NULL;
}

/* By address; at one address, symbols of functions first, and global ones before these. */
static int compare_symbols(const void *left, const void *right, void *context)
{
	const struct prof_image_symbols *symbols = context;
	size_t one = *(const size_t *)left;
	size_t other = *(const size_t *)right;
	const struct prof_image_symbol *a = &symbols->items[one];
	const struct prof_image_symbol *b = &symbols->items[other];

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->marked != b->marked)
		return a->marked ? -1 : 1;
	if (a->local != b->local)
		return a->local ? 1 : -1;
	return (one > other) - (one < other);
}

/*
 * Is LATER the better name of two at one address?  Prefer a global one; then a function; then one
 * without an underscore at its beginning, or after its first letter.
 */
static bool is_better(const struct prof_image *image, const struct prof_image_symbol *later,
	const struct prof_image_symbol *first)
{
	const char *a = prof_image_text(image, later->name);
	const char *b = prof_image_text(image, first->name);

	if (later->local != first->local)
		return first->local;
	if (later->marked != first->marked)
		return later->marked;
	return (*a != '_' && *b == '_') || (*a && a[1] != '_' && *b && b[1] == '_');
}

/* Keeps only the best of the sorted symbols at each address. */
static void leave_best(const struct prof_image *image, struct prof_image_symbols *symbols)
{
	struct prof_image_symbol *items = symbols->items;
	size_t kept = 0;

	for (size_t i = 0; i < symbols->count; i++) {
		if (!kept || items[kept - 1].low != items[i].low)
			items[kept++] = items[i];
		else if (is_better(image, &items[i], &items[kept - 1]))
			items[kept - 1] = items[i];
	}
	symbols->count = kept;
}

struct prof_error *prof_image_settle(
	const struct prof_image *image, struct prof_image_symbols *symbols)
{
	size_t count = symbols->count;
	AUTO_FREE size_t *order = malloc((count + 1) * sizeof *order);
	struct prof_image_symbols sorted = {0};

	if (!order || !prof_array_reserve(&sorted, count))
		return prof_error_nomem();
	for (size_t i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof *order, compare_symbols, symbols);
	for (size_t i = 0; i < count; i++)
		sorted.items[i] = symbols->items[order[i]];
	sorted.count = count;
	free(symbols->items);
	leave_best(image, &sorted);
	for (size_t i = 0; i < sorted.count; i++) {
		if (!sorted.items[i].high)
			sorted.items[i].high =
				i + 1 < sorted.count ? sorted.items[i + 1].low : image->text_high;
	}
	*symbols = sorted;
	return NULL;
}

/* Adds where in the source the sorted functions begin. */
static struct prof_error *find_source(struct reader *reader)
{
	AUTO_SOURCE_CURSOR struct prof_source_cursor cursor = {0};
	struct prof_image *image = reader->image;
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < image->functions.count; i++) {
		struct prof_image_symbol *symbol = &image->functions.items[i];
		const struct prof_source_row *row;
		uint32_t name;
		error = prof_source_move(&reader->source, &cursor, symbol->low, &row, &name);
		if (error || !row || !row->line || name == PROF_NONE)
			continue;
		symbol->file = row->file;
		symbol->line = row->line;
	}
	return error;
}

static void image_auto(struct prof_image **image)
{
	prof_image_destroy(*image);
}

struct prof_error *prof_image_read(
	const char *path, const struct prof_progress *progress, struct prof_image **ret)
{
	PROF_AUTO(image_auto) struct prof_image *image = calloc(1, sizeof *image);
	PROF_AUTO(reader_deinit) struct reader reader = {.image = image, .fd = -1};

	if (!image)
		return prof_error_nomem();
	image->path = strdup(path);
	if (!image->path)
		return prof_error_nomem();
	reader.source.strings = &image->strings;
	struct prof_error *error = open_elf(&reader);
	if (!error)
		error = find_text(&reader);
	if (!error)
		error = read_symbols(&reader);
	if (!error)
		error = prof_source_read(&reader.source, reader.elf, progress);
	if (error)
		return error;
	error = prof_image_settle(image, &image->functions);
	if (!error)
		error = find_source(&reader);
	if (!error)
		error = prof_image_add_lines(image, &reader.source);
	if (!error)
		*ret = steal(&image);
	return error;
}

void prof_image_destroy(struct prof_image *image)
{
	if (!image)
		return;
	free(image->path);
	free(image->functions.items);
	free(image->lines.items);
	prof_strings_deinit(&image->strings);
	free(image);
}
