/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/names.h"

#include "base/error.h"
#include "metric/name_groups.h"
#include "metric/short_names.h"
#include "model/experiment.h"

#include <string.h>

/* How many parts of a name, from its end, are compared. */
enum { DEEPEST = 64 };

/* A part of a name; BEGIN is NULL: there is none. */
struct span {
	const char *begin, *end;
};

/* The parts between "::". */
struct part {
	struct span base;       /* "run", "operator()", "(anonymous namespace)", "<T as Trait>" */
	struct span arguments;  /* "<int>" */
	struct span parameters; /* "(int, char)" */
};

struct name {
	struct part parts[DEEPEST]; /* part number I is in [I % DEEPEST] */
	size_t count;
	bool global;   /* it begins with "::" */
	bool returned; /* a type precedes it */
};

/* What follows the operator's symbol, or its name, where AT begins with the word "operator". */
static const char *skip_operator(const char *at)
{
	const char *behind = prof_name_skip_symbol(at);

	if (behind)
		return behind;
	at += strlen("operator");
	/* "new[]", "\"\" _km", and conversions, whose types can have namespaces and arguments. */
	while (at && *at && *at != '(')
		at = *at == '<' ? prof_name_skip_group(at) : at + 1;
	return at;
}

static bool ends_base(const char *at)
{
	return !*at || *at == ' ' || *at == '<' || prof_name_begins(at, "::") ||
		prof_name_begins(at, "[abi:");
}

/* What follows the base name at AT, or NULL. */
static const char *skip_base(const char *at)
{
	if (prof_name_begins(at, "operator") && !prof_name_is_word(at[strlen("operator")]))
		return skip_operator(at);
	if (*at && strchr("(<{", *at))
		at = prof_name_skip_group(at);
	while (at && !ends_base(at)) {
		if (*at == '(') {
			/* In Go, the receiver of a method is in the middle: "main.(*T).run". */
			const char *behind = prof_name_skip_group(at);
			if (!behind || *behind != '.')
				return at;
			at = behind;
		} else {
			at = strchr("[{", *at) ? prof_name_skip_group(at) : at + 1;
		}
	}
	return at;
}

static const char *skip_tags(const char *at)
{
	while (at && prof_name_begins(at, "[abi:"))
		at = prof_name_skip_group(at);
	return at;
}

/* What follows the qualifiers behind a function's parameters, at AT. */
static const char *skip_qualifiers(const char *at)
{
	static const char *const words[] = {"const", "volatile", "noexcept", "&&", "&"};

	for (const char *behind = at; behind;) {
		at = behind;
		const char *word = at + strspn(at, " ");
		behind = prof_name_begins(word, "[clone ") || prof_name_begins(word, "[abi:")
			? prof_name_skip_group(word)
			: NULL;
		for (size_t i = 0; i < PROF_COUNT(words) && !behind; i++) {
			size_t length = strlen(words[i]);
			if (prof_name_begins(word, words[i]) &&
				(*word == '&' || !prof_name_is_word(word[length])))
				behind = word + length;
		}
	}
	return at;
}

/* Reads the group that may begin at AT into SPAN; returns what follows it, or NULL. */
static const char *read_group(const char *at, char open, struct span *span)
{
	const char *behind = at;

	if (at && *at == open) {
		behind = prof_name_skip_group(at);
		*span = (struct span){at, behind};
	}
	return behind;
}

static const char *read_part(const char *at, struct part *part)
{
	const char *behind = skip_base(at);

	*part = (struct part){.base = {at, behind}};
	behind = skip_tags(behind);
	/* As in "operator< <int>". */
	if (behind && prof_name_begins(behind, " <"))
		behind++;
	behind = skip_tags(read_group(behind, '<', &part->arguments));
	behind = read_group(behind, '(', &part->parameters);
	return behind && part->parameters.begin ? skip_qualifiers(behind) : behind;
}

/* Splits TEXT into its parts.  False: it is not a name with parts. */
static bool read_name(const char *text, struct name *name)
{
	const struct part *part = NULL;

	name->count = 0;
	name->returned = false;
	name->global = prof_name_begins(text, "::");
	for (const char *at = name->global ? text + 2 : text; at;) {
		part = &name->parts[name->count % DEEPEST];
		at = read_part(at, &name->parts[name->count++ % DEEPEST]);
		if (!at || !*at)
			return at && (!name->returned || part->parameters.begin);
		if (prof_name_begins(at, "::")) {
			at += 2;
		} else if (*at == ' ') {
			/* What was read so far is the return type. */
			name->returned = true;
			name->count = 0;
			at += strspn(at, " ");
		} else {
			return false;
		}
	}
	return false;
}

/* Are A and B the same, except for blanks? */
static bool is_same(struct span a, struct span b)
{
	for (;;) {
		while (a.begin < a.end && *a.begin == ' ')
			a.begin++;
		while (b.begin < b.end && *b.begin == ' ')
			b.begin++;
		if (a.begin == a.end || b.begin == b.end)
			return a.begin == a.end && b.begin == b.end;
		if (*a.begin++ != *b.begin++)
			return false;
	}
}

/* Is SPAN a group that a short name has in the place of a longer one? */
static bool is_elided(struct span span)
{
	return span.end - span.begin == 5 && !memcmp(span.begin + 1, "...", 3);
}

/* Is WANTED absent or elided, or the same as FOUND? */
static bool fits(struct span wanted, struct span found)
{
	return !wanted.begin || (found.begin && (is_elided(wanted) || is_same(wanted, found)));
}

/* Does WANTED, the parts of a text that was typed, match NAME? */
static bool stands_for(const struct name *wanted, const char *name)
{
	struct name found;

	if (!read_name(name, &found) || wanted->count > found.count ||
		(wanted->global && wanted->count != found.count))
		return false;
	for (size_t i = 1; i <= wanted->count; i++) {
		const struct part *a = &wanted->parts[(wanted->count - i) % DEEPEST];
		const struct part *b = &found.parts[(found.count - i) % DEEPEST];
		if (!is_same(a->base, b->base) || !fits(a->arguments, b->arguments) ||
			!fits(a->parameters, b->parameters))
			return false;
	}
	return true;
}

/* Splits a text that was typed: blanks in it separate names, not a type from a name. */
static bool read_wanted(const char *text, struct name *wanted)
{
	return read_name(text, wanted) && !wanted->returned && wanted->count <= DEEPEST;
}

bool prof_names_match(const char *text, const char *name)
{
	struct name wanted;

	return read_wanted(text, &wanted) && stands_for(&wanted, name);
}

size_t prof_names_base(const char *name, const char **begin)
{
	struct name pieces;

	*begin = name;
	if (!read_name(name, &pieces))
		return strlen(name);
	const struct span *base = &pieces.parts[(pieces.count - 1) % DEEPEST].base;
	if (base->begin == base->end)
		return strlen(name);
	*begin = base->begin;
	return (size_t)(base->end - base->begin);
}

/* Does WANTED stand for NAME as people see it, "std::string::size()"? */
static bool stands_for_short(const struct name *wanted, const char *name)
{
	AUTO_TEXT struct prof_text shown = {0};

	prof_short_names_print(name, true, &shown);
	return strcmp(prof_text_get(&shown), name) != 0 &&
		stands_for(wanted, prof_text_get(&shown));
}

size_t prof_names_find(
	const struct prof_experiment *experiment, const bool *seen, const char *text, bool *found)
{
	struct name wanted;
	size_t functions = prof_experiment_functions(experiment);
	size_t count = 0;

	for (uint32_t i = 0; i < functions; i++) {
		found[i] = (!seen || seen[i]) &&
			!strcmp(prof_experiment_function_name(experiment, i), text);
		count += found[i];
	}
	if (count || !read_wanted(text, &wanted))
		return count;
	for (int shortened = 0; shortened < 2 && !count; shortened++) {
		for (uint32_t i = 0; i < functions; i++) {
			const char *name = prof_experiment_function_name(experiment, i);
			found[i] = (!seen || seen[i]) &&
				(shortened ? stands_for_short : stands_for)(&wanted, name);
			count += found[i];
		}
	}
	return count;
}
