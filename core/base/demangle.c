#include "base/demangle.h"

#include <stddef.h>
#include <string.h>

/* Of the C++ runtime library, whose header is C++. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

char *prof_demangle(const char *name)
{
	int status;

	/* Without the prefix it would take any name for that of a type: "i" is int. */
	if (strncmp(name, "_Z", 2) != 0)
		return NULL;
	return __cxa_demangle(name, NULL, NULL, &status);
}
