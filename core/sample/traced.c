#include "sample/traced.h"

const char *const prof_traced_names[PROF_TRACED_VALUES] = {
	[PROF_TRACED_ALLOCATIONS] = "allocations",
	[PROF_TRACED_BYTES] = "bytes",
	[PROF_TRACED_LEAKS] = "leaks",
	[PROF_TRACED_LEAKED] = "leaked",
	[PROF_TRACED_PEAK] = "peak",
	[PROF_TRACED_TEMPORARY] = "temporary",
	[PROF_TRACED_DELAYS] = "delays",
	[PROF_TRACED_WAITED] = "waited",
	[PROF_TRACED_CALLS] = "calls",
	[PROF_TRACED_INSIDE] = "inside",
};
