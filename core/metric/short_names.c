/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/short_names.h"

#include "base/columns.h"
#include "metric/name_groups.h"

#include <string.h>

/* The place in a name, and what has been printed of it. */
struct shortening {
	const char *name; /* all of it */
	const char *at;   /* not printed yet */
	bool parameters;
	struct prof_text *text;
};

/* Is the character before what is next part of an identifier? */
static bool follows_word(const struct shortening *shortening)
{
	return shortening->at > shortening->name && prof_name_is_word(shortening->at[-1]);
}

static bool follows(const struct shortening *shortening, const char *what)
{
	size_t length = strlen(what);

	return (size_t)(shortening->at - shortening->name) >= length &&
		!memcmp(shortening->at - length, what, length);
}

/* Prints what is before END. */
static void copy(struct shortening *shortening, const char *end)
{
	prof_text_bytes(shortening->text, shortening->at, (size_t)(end - shortening->at));
	shortening->at = end;
}

/* Prints INSTEAD of the group at AT, if that is longer.  False: it is not, or has no end. */
static bool elide(struct shortening *shortening, const char *group, const char *instead)
{
	const char *end = prof_name_skip_group(group);

	if (!end || (size_t)(end - shortening->at) <= strlen(instead))
		return false;
	prof_text_print(shortening->text, "%s", instead);
	shortening->at = end;
	return true;
}

/* Do template arguments begin at the '<' that is next? */
static bool is_arguments(const struct shortening *shortening)
{
	/* What is in angle brackets here is a name: "<T as Trait>::f", "f()::<lambda(int)>". */
	static const char *const names[] = {"<impl ", "<lambda", "<unnamed", "<anonymous", "<dyn "};
	const char *end = prof_name_skip_group(shortening->at);

	if (follows_word(shortening) || follows(shortening, "]") || follows(shortening, "}"))
		return true;
	/* As in Rust: "core::mem::take::<u8>". */
	if (!follows(shortening, "::") || !end)
		return false;
	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		if (prof_name_begins(shortening->at, names[i]))
			return false;
	}
	return !memmem(shortening->at, (size_t)(end - shortening->at), " as ", 4);
}

/*
 * What follows the type PATTERN at AT, blanks and the inline namespaces of libraries aside; NULL:
 * it is another.
 */
static const char *skip_type(const char *at, const char *pattern)
{
	static const char *const inlined[] = {"__cxx11::", "__1::"};

	while (*pattern) {
		for (size_t i = 0; i < PROF_COUNT(inlined); i++) {
			if (prof_name_begins(at, inlined[i]))
				at += strlen(inlined[i]);
		}
		at += strspn(at, " ");
		if (*at++ != *pattern++)
			return NULL;
	}
	return at;
}

/* Prints the usual name of the type of the standard library that is next, if it has one. */
static bool print_alias(struct shortening *shortening)
{
	static const struct {
		const char *pattern, *name;
	} types[] = {
		{"std::basic_string<char,std::char_traits<char>,std::allocator<char>>",
			"std::string"},
		{"std::basic_string<wchar_t,std::char_traits<wchar_t>,std::allocator<wchar_t>>",
			"std::wstring"},
		{"std::basic_string_view<char,std::char_traits<char>>", "std::string_view"},
		{"std::basic_ostream<char,std::char_traits<char>>", "std::ostream"},
		{"std::basic_istream<char,std::char_traits<char>>", "std::istream"},
	};

	if (!prof_name_begins(shortening->at, "std::") || follows_word(shortening) ||
		follows(shortening, "::"))
		return false;
	for (size_t i = 0; i < PROF_COUNT(types); i++) {
		const char *end = skip_type(shortening->at, types[i].pattern);
		if (!end)
			continue;
		prof_text_print(shortening->text, "%s", types[i].name);
		shortening->at = end;
		return true;
	}
	return false;
}

/* Prints the operator's name that may be next, and its template arguments. */
static bool print_operator(struct shortening *shortening)
{
	const char *end = follows_word(shortening) ? NULL : prof_name_skip_symbol(shortening->at);

	if (!end)
		return false;
	copy(shortening, end);
	/* As in "operator< <int>". */
	if (prof_name_begins(end, " <"))
		copy(shortening, end + 1);
	if (*shortening->at == '<')
		elide(shortening, shortening->at, "<...>");
	if (*shortening->at == '(' && !shortening->parameters)
		elide(shortening, shortening->at, "(...)");
	return true;
}

static bool print_group(struct shortening *shortening)
{
	const char *at = shortening->at;

	switch (*at) {
	case '<':
		return is_arguments(shortening) && elide(shortening, at, "<...>");
	case '!':
		return at[1] == '(' && follows_word(shortening) &&
			elide(shortening, at + 1, "!(...)");
	case '(':
		return !shortening->parameters &&
			(follows_word(shortening) || follows(shortening, ">") ||
				follows(shortening, "]")) &&
			elide(shortening, at, "(...)");
	default:
		return false;
	}
}

void prof_short_names_print(const char *name, bool parameters, struct prof_text *text)
{
	struct shortening shortening = {name, name, parameters, text};

	while (*shortening.at && !text->failed) {
		if (!print_operator(&shortening) && !print_alias(&shortening) &&
			!print_group(&shortening))
			copy(&shortening, shortening.at + 1);
	}
}

/* What follows the name of the function in SHOWN: where in it that is. */
static const char *find_place(const char *shown)
{
	static const char *const begins[] = {
		" + 0x", " - 0x", ", line ", ", instructions without "};
	const char *place = shown + strlen(shown);

	for (size_t i = 0; i < PROF_COUNT(begins); i++) {
		const char *found = strstr(shown, begins[i]);
		place = found && found < place ? found : place;
	}
	return place;
}

bool prof_short_names_drop_folders(const char *shown, struct prof_text *text)
{
	static const char before[] = " in \"";
	const char *file = strstr(find_place(shown), before);
	const char *slash = file ? strrchr(file, '/') : NULL;

	if (!slash)
		return false;
	prof_text_bytes(text, shown, (size_t)(file - shown) + strlen(before));
	prof_text_bytes(text, slash + 1, strlen(slash + 1));
	return true;
}

/* Adds the LENGTH bytes at SHOWN, a name, in COLUMNS columns, which are too few for it. */
static void cut(const char *shown, size_t length, size_t columns, struct prof_text *text)
{
	static const char dots[] = "...";
	size_t room = columns > strlen(dots) ? columns - strlen(dots) : 0;
	/* The end of a name is its own; but nobody knows what "<Function: f>" is without its begin.
	 */
	size_t head = prof_columns_skip(shown, *shown == '<' ? room - (room > 0) : room / 3);
	while (head && *shown != '<' && strchr("<.,(: ", shown[head - 1]))
		head--;
	size_t width = prof_columns_of(shown, length);
	size_t kept = room - prof_columns_of(shown, head);
	size_t tail = prof_columns_skip_to(shown, width - kept);
	while (tail < length && *shown != '<' && strchr(">.,): ", shown[tail]))
		tail++;
	prof_text_bytes(text, shown, head);
	prof_text_bytes(text, dots, columns < strlen(dots) ? columns : strlen(dots));
	prof_text_bytes(text, shown + tail, length - tail);
}

void prof_short_names_cut(const char *shown, size_t columns, struct prof_text *text)
{
	const char *place = find_place(shown);
	size_t rest = prof_columns_of(place, strlen(place));

	if (!strncmp(place, ", instructions", 14)) {
		place = shown + strlen(shown);
		rest = 0;
	}
	if (columns < rest + PROF_SHORT_NAMES_LEAST) {
		place = shown + strlen(shown);
		rest = 0;
	}
	cut(shown, (size_t)(place - shown), columns - rest, text);
	prof_text_bytes(text, place, strlen(place));
}
