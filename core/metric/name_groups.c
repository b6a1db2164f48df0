/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/name_groups.h"

#include "base/memory.h"
#include "base/error.h"

#include <ctype.h>
#include <string.h>

/* How deep brackets may be nested. */
enum { DEEPEST = 64 };

bool prof_name_is_word(char character)
{
	return isalnum((unsigned char)character) || character == '_' || character == '$' ||
		(unsigned char)character >= 0x80;
}

bool prof_name_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

const char *prof_name_skip_symbol(const char *text)
{
	static const char word[] = "operator";
	/* A symbol stands before those that it begins with. */
	static const char *const symbols[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "<<", ">>",
		"<=", ">=", "->", "==", "!=", "&&", "||", "++", "--",
		"+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "+", "-", "*", "/", "%", "^", "&",
		"|", "~", "!", "=", "<", ">", ","};

	if (!prof_name_begins(text, word))
		return NULL;
	text += strlen(word);
	text += strspn(text, " ");
	for (size_t i = 0; i < PROF_COUNT(symbols); i++) {
		if (prof_name_begins(text, symbols[i]))
			return text + strlen(symbols[i]);
	}
	return NULL;
}

const char *prof_name_skip_group(const char *at)
{
	char open[DEEPEST];
	size_t depth = 0;

	do {
		/* The brackets of "operator<" are none. */
		const char *behind = depth && *at == 'o' && !prof_name_is_word(at[-1])
			? prof_name_skip_symbol(at)
			: NULL;
		if (behind) {
			at = behind;
			continue;
		}
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
