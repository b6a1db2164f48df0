/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/names.h"

#include "base/error.h"
#include "model/experiment.h"

#include <ctype.h>
#include <string.h>

/* How many parts of a name, from its end, are compared, and how deep brackets may be nested. */
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

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Can CHARACTER be part of an identifier?  Anything outside of ASCII can. */
static bool is_word(char character)
{
	return isalnum((unsigned char)character) || character == '_' || character == '$' ||
		(unsigned char)character >= 0x80;
}

/* What follows the group in brackets at AT; NULL: it has no end, or is nested too deeply. */
static const char *skip_group(const char *at)
{
	char open[DEEPEST];
	size_t depth = 0;

	do {
		switch (*at) {
		case '(':
		case '[':
		case '{':
		case '<':
			if (depth == DEEPEST)
				return NULL;
			open[depth++] = *at;
			break;
		case '>':
			/* Elsewhere it means "greater than", or is part of an arrow. */
			depth -= open[depth - 1] == '<' && at[-1] != '-';
			break;
		case ')':
		case ']':
		case '}':
			/* A '<' that was not closed in here meant "less than". */
			while (depth && open[depth - 1] == '<')
				depth--;
			if (!depth || (open[depth - 1] == '(') != (*at == ')') ||
				(open[depth - 1] == '[') != (*at == ']'))
				return NULL;
			depth--;
			break;
		case '\0':
			return NULL;
		}
		at++;
	} while (depth);
	return at;
}

/* What follows the operator's symbol; AT is behind the word "operator". */
static const char *skip_operator(const char *at)
{
	at += strspn(at, " ");
	if (begins(at, "()") || begins(at, "[]"))
		return at + 2;
	if (!is_word(*at) && *at != '"')
		return at + strspn(at, "+-*/%^&|~!=<>,");
	/* "new[]", "\"\" _km", and conversions, whose types can have namespaces and arguments. */
	while (at && *at && *at != '(')
		at = *at == '<' ? skip_group(at) : at + 1;
	return at;
}

static bool ends_base(const char *at)
{
	return !*at || *at == ' ' || *at == '<' || begins(at, "::") || begins(at, "[abi:");
}

/* What follows the base name at AT, or NULL. */
static const char *skip_base(const char *at)
{
	if (begins(at, "operator") && !is_word(at[strlen("operator")]))
		return skip_operator(at + strlen("operator"));
	if (*at && strchr("(<{", *at))
		at = skip_group(at);
	while (at && !ends_base(at)) {
		if (*at == '(') {
			/* In Go, the receiver of a method is in the middle: "main.(*T).run". */
			const char *behind = skip_group(at);
			if (!behind || *behind != '.')
				return at;
			at = behind;
		} else {
			at = strchr("[{", *at) ? skip_group(at) : at + 1;
		}
	}
	return at;
}

static const char *skip_tags(const char *at)
{
	while (at && begins(at, "[abi:"))
		at = skip_group(at);
	return at;
}

/* What follows the qualifiers behind a function's parameters, at AT. */
static const char *skip_qualifiers(const char *at)
{
	static const char *const words[] = {"const", "volatile", "noexcept", "&&", "&"};

	for (const char *behind = at; behind;) {
		at = behind;
		const char *word = at + strspn(at, " ");
		behind = begins(word, "[clone ") || begins(word, "[abi:") ? skip_group(word) : NULL;
		for (size_t i = 0; i < PROF_COUNT(words) && !behind; i++) {
			size_t length = strlen(words[i]);
			if (begins(word, words[i]) && (*word == '&' || !is_word(word[length])))
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
		behind = skip_group(at);
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
	if (behind && begins(behind, " <"))
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
	name->global = begins(text, "::");
	for (const char *at = name->global ? text + 2 : text; at;) {
		part = &name->parts[name->count % DEEPEST];
		at = read_part(at, &name->parts[name->count++ % DEEPEST]);
		if (!at || !*at)
			return at && (!name->returned || part->parameters.begin);
		if (begins(at, "::")) {
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

/* Is WANTED absent, or the same as FOUND? */
static bool fits(struct span wanted, struct span found)
{
	return !wanted.begin || (found.begin && is_same(wanted, found));
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
	for (uint32_t i = 0; i < functions; i++) {
		found[i] = (!seen || seen[i]) &&
			stands_for(&wanted, prof_experiment_function_name(experiment, i));
		count += found[i];
	}
	return count;
}
