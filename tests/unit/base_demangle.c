#include "base/demangle.h"
#include "suite.h"

static void assert_demangled(const char *name, const char *expected)
{
	char *demangled = prof_demangle(name);

	if (expected)
		ck_assert_str_eq(demangled, expected);
	else
		ck_assert_ptr_null(demangled);
	free(demangled);
}

START_TEST(names_of_cplusplus_are_those_of_the_source)
{
	assert_demangled("_Z3runi", "run(int)");
	assert_demangled("_ZN3app2io4copyIlEEvl", "void app::io::copy<long>(long)");
	assert_demangled("_Z4workv.constprop.0", "work() [clone .constprop.0]");
}
END_TEST

START_TEST(other_names_are_none)
{
	assert_demangled("main", NULL);
	assert_demangled("i", NULL);
	assert_demangled("", NULL);
	assert_demangled("_Z", NULL);
	assert_demangled("_Znonsense", NULL);
}
END_TEST

RUN_TESTS("demangle", names_of_cplusplus_are_those_of_the_source, other_names_are_none)
