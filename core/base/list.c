/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/list.h"

void prof_list_add(struct prof_text *list, const char *name)
{
	if (list->length)
		prof_text_print(list, ", ");
	prof_text_name(list, name);
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
