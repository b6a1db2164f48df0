#include "view/shown.h"

#include <string.h>

/* Reads one metric, LENGTH bytes of TEXT. */
static struct prof_error *read_one(const char *text, size_t length, struct prof_shown *ret)
{
	char name[64];
	size_t flavors = 0;

	*ret = (struct prof_shown){0};
	while (flavors < length && strchr("ei", text[flavors]))
		flavors++;
	size_t looks = flavors;
	while (looks < length && strchr(".+%", text[looks]))
		looks++;
	/* Without a sign the letters belong to the name. */
	if (looks == flavors)
		looks = flavors = 0;
	for (size_t i = 0; i < looks; i++) {
		ret->exclusive |= text[i] == 'e';
		ret->inclusive |= text[i] == 'i';
		ret->value |= text[i] == '.' || text[i] == '+';
		ret->percent |= text[i] == '%';
	}
	if (!flavors)
		ret->exclusive = ret->inclusive = true;
	if (!looks)
		ret->value = ret->percent = true;
	length -= looks;
	if (length >= sizeof name)
		length = sizeof name - 1;
	memcpy(name, text + looks, length);
	name[length] = '\0';
	return prof_metric_find(name, &ret->metric);
}

struct prof_error *prof_shown_read(const char *text, struct prof_shown_list *ret)
{
	struct prof_shown_list list = {0};

	for (;;) {
		size_t length = strcspn(text, ",:");
		if (list.count == PROF_COUNT(list.items))
			return prof_error_create(PROF_ERROR_USAGE,
				"A view shows %zu metrics at most.", PROF_COUNT(list.items));
		struct prof_error *error = read_one(text, length, &list.items[list.count++]);
		if (error)
			return error;
		if (!text[length])
			break;
		text += length + 1;
	}
	*ret = list;
	return NULL;
}
