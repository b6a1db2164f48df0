/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/list.h"

void prof_list_add(struct prof_text *list, const char *name)
{
	if (list->length)
		prof_text_print(list, ", ");
	prof_text_name(list, name);
}

void prof_list_name(struct prof_list_names *names, const char *name)
{
	if (++names->count > names->most)
		return;
	if (names->count > 1)
		prof_text_print(names->text, ", ");
	prof_text_name(names->text, name);
}

void prof_list_end(const struct prof_list_names *names)
{
	if (names->count > names->most)
		prof_text_print(names->text, " and %zu more", names->count - names->most);
}

struct prof_error *prof_list_lacks(const struct prof_text *list, enum prof_error_code code,
	const char *kind, const char *name, size_t length)
{
	struct prof_error *error = prof_text_error(list);

	if (error)
		return error;
	return prof_error_create(code, "There is no %s \"%.*s\"; there are: %s.", kind, (int)length,
		name, prof_text_get(list));
}
