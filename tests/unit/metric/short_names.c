/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names as people see them.  Those of C++ were printed by c++filt and by GDB, of programs of gcc
 * and clang. */
#include "metric/short_names.h"

#include "suite.h"

static void shortens(bool parameters, const char *name, const char *expected)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_short_names_print(name, parameters, &text);
	ck_assert_str_eq(prof_text_get(&text), expected);
}

static void becomes(const char *name, const char *expected)
{
	shortens(true, name, expected);
}

static void stays(const char *name)
{
	shortens(true, name, name);
}

static void cuts(const char *shown, size_t columns, const char *expected)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_short_names_cut(shown, columns, &text);
	ck_assert_str_eq(prof_text_get(&text), expected);
}

START_TEST(template_arguments_are_elided)
{
	becomes("std::vector<long, std::allocator<long> >::push_back(long&&)",
		"std::vector<...>::push_back(long&&)");
	becomes("std::_Hashtable<std::pair<int, a::b<3> >, 4>::f(std::map<int, char> const&) const",
		"std::_Hashtable<...>::f(std::map<...> const&) const");
	becomes("void app::run<unsigned long>(unsigned long)", "void app::run<...>(unsigned long)");
	becomes("f<void (*)(int)>(void (*)(std::set<long>))", "f<...>(void (*)(std::set<...>))");
	becomes("std::function<void (int)>::operator()(int) const",
		"std::function<...>::operator()(int) const");
	becomes("f<(Kind)17>()", "f<...>()");
	becomes("f<(3>2), true>()", "f<...>()");
	becomes("f<(1<<3), true>()", "f<...>()");
	becomes("f<&S::operator-> >()", "f<...>()");
	becomes("f<&S::operator<, &S::operator> >()", "f<...>()");
	becomes("a::b[abi:cxx11]<unsigned long>(int)", "a::b[abi:cxx11]<...>(int)");
}
END_TEST

START_TEST(what_is_as_short_stays)
{
	stays("main");
	stays("f(int)");
	stays("twice<int>(int)");
	stays("Grid<4>::total(int)");
	stays("");
}
END_TEST

START_TEST(operators_are_no_brackets)
{
	stays("operator<(A const&, B const&)");
	stays("S::operator<=(int) const");
	stays("S::operator<=>(int) const");
	stays("S::operator->() const");
	stays("S::operator->*(int)");
	stays("operator<<(A&, int)");
	stays("S::operator>>=(int)");
	stays("S::operator()(int) const");
	stays("S::operator[](unsigned long)");
	stays("operator new[](unsigned long)");
	stays("operator\"\" _km(long double)");
	stays("operators<x");
	becomes("bool operator< <unsigned char>(S<unsigned char> const&)",
		"bool operator< <...>(S<...> const&)");
	becomes("std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)",
		"std::ostream& std::operator<< <...>(std::ostream&, char const*)");
	becomes("bool std::operator==<char, long>(A<char>, B)",
		"bool std::operator==<...>(A<...>, B)");
	becomes("P<unsigned int>::operator-><unsigned int>() const",
		"P<...>::operator-><...>() const");
	becomes("S::operator std::vector<long, int>() const",
		"S::operator std::vector<...>() const");
	becomes("S::operator()<unsigned int>(int)", "S::operator()<...>(int)");
}
END_TEST

START_TEST(types_of_the_library_have_their_own_names)
{
	becomes("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::append(char const*)",
		"std::string::append(char const*)");
	becomes("f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>> const&)",
		"f(std::string const&)");
	becomes("f(std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char>>)",
		"f(std::string)");
	becomes("f(std::basic_string<wchar_t, std::char_traits<wchar_t>, std::allocator<wchar_t> >)",
		"f(std::wstring)");
	becomes("f(std::basic_string_view<char, std::char_traits<char> >)", "f(std::string_view)");
	becomes("std::basic_ostream<char, std::char_traits<char> >& std::endl(int)",
		"std::ostream& std::endl(int)");
	becomes("std::__cxx11::basic_string<char, my::traits, std::allocator<char> >::f()",
		"std::__cxx11::basic_string<...>::f()");
	becomes("my::std::basic_string<char, std::char_traits<char>, std::allocator<char> >::f()",
		"my::std::basic_string<...>::f()");
}
END_TEST

START_TEST(lambdas_and_namespaces_without_a_name_stay)
{
	stays("(anonymous namespace)::fill(int)");
	stays("main::{lambda(int)#1}::operator()(int) const");
	stays("main()::<lambda(int)>::operator()(int) const");
	stays("main::$_0::operator()() const");
	stays("S::<unnamed struct>::f()");
	becomes("main::{lambda(std::vector<long> const&)#1}::operator()(std::vector<long> const&) const",
		"main::{lambda(std::vector<...> const&)#1}::operator()(std::vector<...> const&) const");
}
END_TEST

START_TEST(other_languages_keep_what_names_them)
{
	/* Rust, in its older and its newer form. */
	stays("<alloc::string::String as core::fmt::Display>::fmt");
	stays("core::fmt::num::<impl core::fmt::Display for u32>::fmt");
	stays("app::main::{{closure}}");
	becomes("core::ptr::drop_in_place<alloc::vec::Vec<u8>>", "core::ptr::drop_in_place<...>");
	becomes("<alloc::vec::Vec<u8, A> as core::ops::Drop>::drop",
		"<alloc::vec::Vec<...> as core::ops::Drop>::drop");
	becomes("core::mem::take::<alloc::vec::Vec<u8>>", "core::mem::take::<...>");
	/* D, Ada, Go. */
	becomes("std.algorithm.sort!(\"a < b\", int[]).sort(int[])",
		"std.algorithm.sort!(...).sort(int[])");
	stays("app.twice!(int).twice(int)");
	stays("ada.strings.unbounded.\"=\"");
	stays("main.(*Tree[...]).Walk");
	stays("main.Max[go.shape.int]");
	/* What stands for functions. */
	stays("<Total>");
	stays("<static>@0x18c90 (<libprofagent.so>)");
}
END_TEST

START_TEST(brackets_without_an_end_stay)
{
	stays("f<a::b<c");
	stays("f<(a>");
	stays("f!(a");
	stays("operator");
	stays("f<\\x1b[2J");
}
END_TEST

START_TEST(parameters_are_elided_when_asked)
{
	shortens(false, "f(unsigned long, char) const", "f(...) const");
	shortens(false, "f(int)", "f(int)");
	shortens(false, "(anonymous namespace)::g((anonymous namespace)::words&)",
		"(anonymous namespace)::g(...)");
	shortens(false, "S::operator()(unsigned long)", "S::operator()(...)");
	shortens(false, "operator<<(A const&, int)", "operator<<(...)");
	shortens(false, "std::vector<long, A>::at(unsigned long)", "std::vector<...>::at(...)");
	shortens(false, "f(unsigned long)::{lambda(unsigned long)#1}::operator()() const",
		"f(...)::{lambda(...)#1}::operator()() const");
}
END_TEST

START_TEST(a_cut_leaves_both_ends)
{
	cuts("std::_Hashtable<...>::_M_find_before_node(...) const", 40,
		"std::_Hashta...nd_before_node(...) const");
	cuts("abcdefghijklmnopqrstuvwxyz", 12, "abc...uvwxyz");
	cuts("abcdef", 3, "...");
	cuts("abcdef", 1, ".");
	cuts("abcdef", 0, "");
	cuts("std::vector<...>::at(...) + 0x00000012, line 3 in \"a.h\"", 48,
		"std...at(...) + 0x00000012, line 3 in \"a.h\"");
	cuts("<Function: prof_agent_record_write, instructions without line numbers>", 40,
		"<Function: prof_agent_record_write, ...>");
}
END_TEST

START_TEST(characters_are_not_cut)
{
	/* Greek letters have two bytes and one column, those of Japanese three bytes and two
	 * columns. */
	cuts("αβγδεζηθικλμ", 9, "αβ...ικλμ");
	cuts("関数関数関数関数", 11, "関...数関数");
	/* A combining accent goes with its letter. */
	cuts("aaaae\u0301bbbbbbbbbb", 9, "aa...bbbb");
}
END_TEST

START_TEST(folders_of_a_file_are_dropped)
{
	AUTO_TEXT struct prof_text text = {0};

	ck_assert(prof_short_names_drop_folders(
		"f<...>(...) + 0x09, line 61 in \"/usr/include/c++/12/bits/invoke.h\"", &text));
	ck_assert_str_eq(prof_text_get(&text), "f<...>(...) + 0x09, line 61 in \"invoke.h\"");
	ck_assert(!prof_short_names_drop_folders("f, line 61 in \"invoke.h\"", &text));
	ck_assert(!prof_short_names_drop_folders("a/b", &text));
}
END_TEST

RUN_TESTS("short_names", template_arguments_are_elided, what_is_as_short_stays,
	operators_are_no_brackets, types_of_the_library_have_their_own_names,
	lambdas_and_namespaces_without_a_name_stay, other_languages_keep_what_names_them,
	brackets_without_an_end_stay, parameters_are_elided_when_asked, a_cut_leaves_both_ends,
	characters_are_not_cut, folders_of_a_file_are_dropped)
