#include "plugin/inject.h"

struct prof_error *inject_library(struct injection *injection)
{
	(void)injection;
	return prof_error_create(PROF_ERROR_UNSUPPORTED, "It can't be injected.");
}
