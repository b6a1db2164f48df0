/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What names that are typed stand for; what is said of GDB's `break` was seen of GDB 13. */
#include "metric/names.h"

#include "model/experiment.h"
#include "suite.h"

static void takes(const char *text, const char *name)
{
	ck_assert_msg(prof_names_match(text, name), "\"%s\" is not \"%s\"", text, name);
}

static void leaves(const char *text, const char *name)
{
	ck_assert_msg(!prof_names_match(text, name), "\"%s\" is \"%s\"", text, name);
}

START_TEST(parameters_may_be_left_out)
{
	takes("f", "f(int)");
	takes("f", "f(char, std::vector<int>)");
	takes("f", "f(void (*)(int), char) const");
	takes("f", "f() volatile &&");
	takes("f", "f(int) [clone .cold]");
	takes("f(int)", "f(int)");
	takes("f(int)", "f(int) const");
	takes("f(unsigned long,int)", "f(unsigned long, int)");
	leaves("f(int)", "f(char)");
	leaves("f(int)", "f");
	leaves("f()", "f(int)");
	leaves("f", "ff(int)");
	leaves("f", "f2(int)");
	leaves("f", "g(f)");
	leaves("int", "f(int)");
	leaves("", "f(int)");
}
END_TEST

START_TEST(a_trailing_part_is_enough)
{
	takes("run", "app::run(int)");
	takes("run", "app::io::run()");
	takes("io::run", "app::io::run()");
	takes("run(int)", "app::run(int)");
	leaves("app::run", "app::io::run()");
	leaves("pp::run", "app::run()");
	leaves("app", "app::run()");
	leaves("x::app::run", "app::run()");
	leaves("run", "app::run::stop()");
	takes("run", "void app::Grid<std::pair<int, a::b>, 3>::run(int) const");
	takes("Local::g", "f(int)::Local::g()");
	takes("f::Local::g", "f(int) const::Local::g()");
	leaves("app:run", "app::run()");
}
END_TEST

START_TEST(colons_at_the_begin_are_for_the_whole)
{
	takes("::run", "run(int)");
	takes("::app::run", "app::run(int)");
	leaves("::run", "app::run(int)");
	takes("::twice", "int twice<int>(int)");
}
END_TEST

START_TEST(template_arguments_may_be_left_out)
{
	takes("twice", "twice<int>(int)");
	takes("twice", "int app::twice<int>(int)");
	takes("twice<int>", "int app::twice<int>(int)");
	takes("app::twice<int>(int)", "std::vector<int> const& app::twice<int>(int)");
	leaves("twice<int>", "double twice<double>(double)");
	takes("Grid::total", "shapes::Grid<double, 4>::total(int)");
	takes("Grid<double,4>::total", "shapes::Grid<double, 4>::total(int)");
	leaves("Grid<long, 4>::total", "shapes::Grid<double, 4>::total(int)");
	takes("f", "void f<((1)>(0))>()");
	takes("f", "decltype (a->b) f<&(A::b)>(A*)");
	leaves("int", "int twice<int>(int)");
}
END_TEST

START_TEST(operators_are_names)
{
	takes("operator()", "app::S::operator()(int) const");
	takes("operator()(int)", "app::S::operator()(int) const");
	takes("S::operator ()", "app::S::operator()() const");
	leaves("operator()", "app::S::operator[](int)");
	leaves("operator", "app::S::operator()(int)");
	takes("operator[]", "S::operator[](int)");
	takes("operator<", "S::operator<(S const&) const");
	takes("operator<", "bool operator< <int>(S<int>)");
	takes("operator< <int>", "bool operator< <int>(S<int>)");
	leaves("operator<", "operator<<(int)");
	takes("operator<<", "std::ostream& app::operator<< <char>(std::ostream&)");
	takes("operator->", "P<int>::operator->()");
	takes("operator->*", "P::operator->*(int)");
	takes("operator,", "operator,(A, B)");
	takes("operator==", "bool operator==(A, B)");
	takes("operator new", "operator new(unsigned long)");
	leaves("operator new", "operator new[](unsigned long)");
	takes("operator new[]", "operator new[](unsigned long)");
	takes("operator bool", "S::operator bool() const");
	takes("S::operator std::vector<int>", "app::S::operator std::vector<int>() const");
	takes("operator\"\" _km", "operator\"\" _km(long double)");
	takes("operators", "app::operators(int)");
}
END_TEST

START_TEST(what_has_no_identifier_is_a_part_too)
{
	takes("f", "(anonymous namespace)::f()");
	takes("(anonymous namespace)::f", "(anonymous namespace)::f()");
	takes("(anonymous namespace)::f", "app::(anonymous namespace)::f(int)");
	leaves("app::f", "app::(anonymous namespace)::f(int)");
	leaves("f", "(anonymous namespace)(f)");
	takes("~S", "app::S::~S()");
	takes("S::~S", "app::S::~S()");
	leaves("S", "app::S::~S()");
	takes("S", "app::S::S(int)");
	takes("operator()", "main::{lambda(int)#1}::operator()(int) const");
	takes("{lambda(int)#1}::operator()", "main::{lambda(int)#1}::operator()(int) const");
	takes("f", "app::f[abi:cxx11](int)");
	takes("f[abi:cxx11]", "app::f[abi:cxx11](int)");
	takes("f", "f[abi:cxx11]<int>(int)");
}
END_TEST

START_TEST(other_languages_have_their_own)
{
	takes("run", "app::run");
	takes("drain::{{closure}}", "app::drain::{{closure}}");
	takes("next", "<alloc::vec::Vec<T> as core::iter::Iterator>::next");
	takes("call_once", "core::ops::FnOnce::call_once");
	takes("call", "<dyn Fn(A) -> B as x>::call");
	takes("app.run", "app.run(int)");
	leaves("run", "main.run");
	leaves("main", "main.(*T).run");
	leaves("main.", "main.(*T).run");
	leaves("main.f", "main.f[...]");
}
END_TEST

START_TEST(names_with_blanks_are_whole)
{
	leaves("b", "a b");
	leaves("a", "a b");
	leaves("main run", "run(int)");
	leaves("main run(int)", "run(int)");
	leaves("int twice<int>(int)", "twice<int>(int)");
	leaves("static", "<static>@0x5f30 (<libfoo.so>)");
	leaves("f", "f.cold");
	leaves("cold", "f.cold");
	leaves("Total", "<Total>");
}
END_TEST

START_TEST(any_text_may_be_a_name)
{
	static const char *const texts[] = {"(", ")", "<", ">", "f(", "f(]", "f<(>",
		"::", "::::", "f::", "operator", "operator<<<", "[abi:", "f[abi:", "f() [clone ",
		" ", "f(int) constant", "a ", "operator(", "{[(<", "->", "f()x", "\xff(\x80)"};
	char deep[2 * 100000 + 2] = "f";

	for (size_t i = 0; i < PROF_COUNT(texts); i++) {
		leaves("f", texts[i]);
		leaves(texts[i], "f");
	}
	takes("f", "f(<)");
	memset(deep + 1, '(', sizeof deep - 2);
	leaves("f", deep);
	for (size_t i = 0; i + 2 < sizeof deep; i += 3)
		memcpy(deep + i, "a::", 3);
	strcpy(deep + sizeof deep - 6, "::f()");
	takes("f", deep);
	leaves(deep, deep);
}
END_TEST

/* By function, what TEXT stands for among those SEEN, as a word: "yn" and so on. */
static void find(const char *const *names, const bool *seen, const char *text, const char *expected)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	bool found[8]; /* the last is <Unknown>'s */
	char word[9] = "";
	size_t many = 0;
	uint32_t function;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (size_t i = 0; names[i]; i++)
		ck_assert_ok(prof_experiment_function(
			experiment, names[i], strlen(names[i]), 0, &function));
	size_t count = prof_names_find(experiment, seen, text, found);
	for (size_t i = 0; i < experiment->functions.count; i++) {
		word[i] = found[i] ? 'y' : 'n';
		many += found[i];
	}
	ck_assert_str_eq(word, expected);
	ck_assert_uint_eq(count, many);
}

START_TEST(exact_names_win)
{
	static const char *const names[] = {"run", "run(int)", "app::run(int)", "a b", "b()", NULL};
	static const bool seen[] = {false, true, true, true, false, false};

	find(names, NULL, "run", "ynnnn");
	find(names, seen, "run", "nyynn");
	find(names, NULL, "run(int)", "nynnn");
	find(names, NULL, "app::run", "nnynn");
	find(names, NULL, "a b", "nnnyn");
	find(names, NULL, "b", "nnnny");
	find(names, seen, "b", "nnnnn");
	find(names, NULL, "ru", "nnnnn");
}
END_TEST

/* The short name of NAME is EXPECTED. */
static void check_base(const char *name, const char *expected)
{
	const char *begin;
	size_t length = prof_names_base(name, &begin);

	ck_assert_msg(length == strlen(expected) && !strncmp(begin, expected, length), "%.*s",
		(int)length, begin);
}

START_TEST(the_last_part_is_a_short_name)
{
	check_base("main", "main");
	check_base("shapes::Grid<double, 4>::total(int) const", "total");
	check_base("std::vector<int> make<int>(a::b)", "make");
	check_base("std::operator<< <std::char_traits<char> >(int)", "operator<<");
	check_base("a::(anonymous namespace)::f()", "f");
	check_base("memcpy@plt", "memcpy@plt");
	check_base("<Unknown>", "<Unknown>");
	check_base("not a (name", "not a (name");
	check_base("a::", "a::");
	check_base("", "");
}
END_TEST

START_TEST(what_a_short_name_elides_may_be_anything)
{
	takes("twice<...>", "int app::twice<long>(long)");
	takes("twice<...>(...)", "int app::twice<long>(long)");
	takes("Grid<...>::total(int) const", "Grid<double, 4>::total(int) const");
	leaves("twice<...>", "twice(long)");
	takes("operator==<...>", "bool operator==<char, long>(A<char>, B)");
	takes("operator== <...>", "bool operator==<char, long>(A<char>, B)");
}
END_TEST

START_TEST(short_names_are_found)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	bool found[4];
	uint32_t function;
	static const char name[] =
		"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::size() const";

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_function(experiment, name, strlen(name), 0, &function));
	ck_assert_uint_eq(prof_names_find(experiment, NULL, "std::string::size() const", found), 1);
	ck_assert_uint_eq(prof_names_find(experiment, NULL, "string::size", found), 1);
	ck_assert_uint_eq(prof_names_find(experiment, NULL, "std::string::length", found), 0);
}
END_TEST

RUN_TESTS("names", parameters_may_be_left_out, a_trailing_part_is_enough,
	colons_at_the_begin_are_for_the_whole, template_arguments_may_be_left_out,
	operators_are_names, what_has_no_identifier_is_a_part_too, other_languages_have_their_own,
	names_with_blanks_are_whole, any_text_may_be_a_name, exact_names_win,
	the_last_part_is_a_short_name, what_a_short_name_elides_may_be_anything,
	short_names_are_found)
