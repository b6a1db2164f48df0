/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/markup.h"

#include "base/columns.h"
#include "metric/short_names.h"

#include <ctype.h>
#include <string.h>

const char *const prof_names_words[PROF_NAMES - PROF_NAMES_FULL] = {"full", "short"};

/* What ends a marked part; its begin is the kind's number as a character. */
static const char END = '\007';

/* Parts of a line, marked ones and others by turns; more than these are left as they are. */
enum { PARTS = 32 };

struct part {
	enum prof_markup_kind kind; /* 0: not marked */
	struct prof_text text;      /* as it is to be seen */
};

struct line {
	struct part parts[PARTS];
	size_t count;
};

static void line_deinit(struct line *line)
{
	for (size_t i = 0; i < line->count; i++)
		prof_text_deinit(&line->parts[i].text);
}

void prof_markup_begin(struct prof_text *text, enum prof_markup_kind kind)
{
	const char mark = (char)kind;

	prof_text_bytes(text, &mark, 1);
}

void prof_markup_end(struct prof_text *text)
{
	prof_text_bytes(text, &END, 1);
}

void prof_markup_name(struct prof_text *text, const char *name)
{
	if (!*name)
		return;
	prof_markup_begin(text, PROF_MARKUP_FUNCTION);
	prof_text_name(text, name);
	prof_markup_end(text);
}

static bool is_mark(char character)
{
	return (character > 0 && character < PROF_MARKUP_KINDS) || character == END;
}

/* The length of the bytes at AT, no more than LENGTH, before the next mark. */
static size_t unmarked(const char *at, size_t length)
{
	size_t count = 0;

	while (count < length && !is_mark(at[count]))
		count++;
	return count;
}

/* Adds the LENGTH bytes at AT without marks. */
static void strip(const char *at, size_t length, struct prof_text *text)
{
	while (length) {
		size_t plain = unmarked(at, length);
		prof_text_bytes(text, at, plain);
		plain += plain < length;
		at += plain;
		length -= plain;
	}
}

/* Is what is marked as KIND a name, which can be made shorter? */
static bool is_name(enum prof_markup_kind kind)
{
	return kind == PROF_MARKUP_NAME || kind == PROF_MARKUP_FUNCTION;
}

/* Is it cut where a line is too long? */
static bool is_cut(enum prof_markup_kind kind)
{
	return is_name(kind) || kind == PROF_MARKUP_LINE;
}

void prof_markup_keep(struct prof_text *text, const char *marked)
{
	bool dropped = false;

	for (; *marked; marked++) {
		bool mark = is_mark(*marked);
		if (mark && *marked != END)
			dropped = is_cut((enum prof_markup_kind) * marked);
		if (!mark || !dropped)
			prof_text_bytes(text, marked, 1);
	}
}

void prof_markup_strip(struct prof_text *text, const char *marked)
{
	strip(marked, strlen(marked), text);
}

static size_t columns_of(const struct prof_text *text)
{
	return prof_columns_of(prof_text_get(text), text->length);
}

static size_t width_of(const struct line *line)
{
	size_t width = 0;

	for (size_t i = 0; i < line->count; i++)
		width += columns_of(&line->parts[i].text);
	return width;
}

/* Splits the LENGTH bytes at AT into the parts of LINE. */
static void split(const char *at, size_t length, struct line *line)
{
	while (length) {
		enum prof_markup_kind kind =
			is_mark(*at) && *at != END ? (enum prof_markup_kind) * at : 0;
		size_t skipped = is_mark(*at);
		struct part *part = &line->parts[line->count];
		if (line->count == PARTS - 1) {
			part->kind = 0;
			strip(at, length, &part->text);
			line->count++;
			return;
		}
		size_t plain = unmarked(at + skipped, length - skipped);
		part->kind = kind;
		prof_text_bytes(&part->text, at + skipped, plain);
		line->count++;
		at += skipped + plain;
		length -= skipped + plain;
	}
}

/* Replaces the text of PART by a shorter one that CHANGE adds. */
#define REPLACE(part, changed)                     \
	do {                                       \
		prof_text_deinit(&(part)->text);   \
		(part)->text = (changed);          \
		(changed) = (struct prof_text){0}; \
	} while (0)

static void shorten(struct part *part, bool parameters)
{
	AUTO_TEXT struct prof_text changed = {0};

	prof_short_names_print(prof_text_get(&part->text), parameters, &changed);
	REPLACE(part, changed);
}

static void drop_folders(struct part *part)
{
	AUTO_TEXT struct prof_text changed = {0};

	if (prof_short_names_drop_folders(prof_text_get(&part->text), &changed))
		REPLACE(part, changed);
}

/* Cuts PART to COLUMNS columns. */
static void cut(struct part *part, size_t columns)
{
	AUTO_TEXT struct prof_text changed = {0};
	const char *shown = prof_text_get(&part->text);

	if (is_name(part->kind))
		prof_short_names_cut(shown, columns, &changed);
	else {
		prof_text_bytes(&changed, shown, prof_columns_skip(shown, columns));
		/* A style that began before the cut ends here. */
		if (strchr(shown, '\033'))
			prof_text_print(&changed, "\033[m");
	}
	REPLACE(part, changed);
}

/* The widest of the marked parts of LINE, or NULL. */
static struct part *find_widest(struct line *line)
{
	struct part *widest = NULL;

	for (size_t i = 0; i < line->count; i++) {
		struct part *part = &line->parts[i];
		if (is_cut(part->kind) &&
			(!widest || columns_of(&part->text) > columns_of(&widest->text)))
			widest = part;
	}
	return widest;
}

/* Makes the marked parts of LINE shorter until it takes no more than COLUMNS, or as few as can be.
 */
static void fit(struct line *line, size_t columns)
{
	for (size_t i = 0; i < line->count && width_of(line) > columns; i++) {
		if (is_name(line->parts[i].kind))
			drop_folders(&line->parts[i]);
		if (is_name(line->parts[i].kind) && width_of(line) > columns)
			shorten(&line->parts[i], false);
	}
	for (size_t width; (width = width_of(line)) > columns;) {
		struct part *widest = find_widest(line);
		size_t have = widest ? columns_of(&widest->text) : 0;
		size_t least = widest && is_name(widest->kind) ? PROF_SHORT_NAMES_LEAST : 0;
		if (have <= least)
			return;
		size_t over = width - columns;
		cut(widest, have > over + least ? have - over : least);
	}
}

/* Have the LENGTH bytes at AT more blanks in a row than the two between sentences? */
static bool has_columns(const char *at, size_t length)
{
	for (size_t i = 0; i + 2 < length; i++) {
		if (at[i] != ' ' || at[i + 1] != ' ')
			continue;
		/* A figure may end with a full stop, too. */
		if (i < 2 || at[i - 1] != '.' || !isalpha((unsigned char)at[i - 2]) ||
			!isalpha((unsigned char)at[i + 2]))
			return true;
	}
	return false;
}

/* Are the LENGTH bytes at AT sentences, and no row of a table? */
static bool is_prose(const char *at, size_t length)
{
	return length && *at != ' ' && !has_columns(at, length) && unmarked(at, length) == length;
}

/* Adds the sentence of LENGTH bytes at AT in lines of no more than COLUMNS columns. */
static void wrap(const char *at, size_t length, size_t columns, struct prof_text *text)
{
	while (prof_columns_of(at, length) > columns) {
		size_t most = prof_columns_skip(at, columns + 1);
		const char *blank = memrchr(at, ' ', most);
		if (!blank)
			blank = memchr(at, ' ', length);
		if (!blank)
			break;
		const char *end = blank[-1] == ' ' ? blank - 1 : blank;
		blank += blank[1] == ' ';
		prof_text_bytes(text, at, (size_t)(end - at));
		prof_text_bytes(text, "\n", 1);
		length -= (size_t)(blank + 1 - at);
		at = blank + 1;
	}
	prof_text_bytes(text, at, length);
}

/* Adds PART in its style; names in angle brackets, which are those of no function, have none. */
static void print_part(
	const struct prof_markup *markup, const struct part *part, struct prof_text *text)
{
	const char *shown = prof_text_get(&part->text);
	const char *style = markup->styles[part->kind];
	bool styled = *style && *shown && *shown != '<';

	text->failed |= part->text.failed;
	prof_text_print(text, "%s", styled ? style : "");
	prof_text_bytes(text, shown, part->text.length);
	prof_text_print(text, "%s", styled ? "\033[m" : "");
}

/* Has MARKUP any style? */
static bool has_styles(const struct prof_markup *markup)
{
	for (size_t i = 0; i < PROF_MARKUP_KINDS; i++) {
		if (*markup->styles[i])
			return true;
	}
	return false;
}

static void print_line(
	const struct prof_markup *markup, const char *at, size_t length, struct prof_text *text)
{
	PROF_AUTO(line_deinit) struct line line = {0};
	bool full = markup->names == PROF_NAMES_FULL;

	if (markup->columns && is_prose(at, length)) {
		wrap(at, length, markup->columns, text);
		return;
	}
	split(at, length, &line);
	for (size_t i = 0; i < line.count && !full; i++) {
		if (is_name(line.parts[i].kind))
			shorten(&line.parts[i], true);
	}
	if (markup->columns && !full)
		fit(&line, markup->columns);
	for (size_t i = 0; i < line.count; i++) {
		print_part(markup, &line.parts[i], text);
	}
}

void prof_markup_print(const struct prof_markup *markup, const char *marked, struct prof_text *text)
{
	struct prof_markup chosen = *markup;

	if (!markup->screen)
		chosen.columns = 0;
	if (chosen.names == PROF_NAMES_DEFAULT)
		chosen.names = markup->screen ? PROF_NAMES_SHORT : PROF_NAMES_FULL;
	if (chosen.names == PROF_NAMES_FULL && !chosen.columns && !has_styles(markup)) {
		prof_markup_strip(text, marked);
		return;
	}
	while (*marked && !text->failed) {
		size_t length = strcspn(marked, "\n");
		print_line(&chosen, marked, length, text);
		prof_text_bytes(text, "\n", marked[length] == '\n');
		marked += length + (marked[length] == '\n');
	}
}
