#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed works where it is, with its manual, its documents and its header, and nothing is left of it.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$top" || exit 1

echo 1..13
# shellcheck source=tests/tree/make.sh
. tests/tree/make.sh

# What others have installed there, and the folders that such systems have.
root="$place/a root"
prefix=$root/opt/prof
for folder in bin include lib/triplet/pkgconfig share/man/man1 share/man/man7 share/doc/gdbprofiler \
	share/bash-completion/completions share/zsh/site-functions; do
	mkdir -p "$prefix/$folder" && : >"$prefix/$folder/gdbprof-of-others"
done
find "$root" | sort >"$place/before"

install_variables='PREFIX=/opt/prof libdir=/opt/prof/lib/triplet'
# shellcheck disable=SC2086  # words are wanted
run_make install DESTDIR="$root" $install_variables
ok $? 'installs below a DESTDIR with a blank, and in libdir'

printf 'main;work 3\nmain;rest 1\n' >"$place/stacks.folded"
loader=$prefix/lib/triplet/gdbprof/prof.py
mkdir "$place/home"
# load FILE: sources it in a GDB that shows a profile.
load() {
	(
		cd "$place/home" && env -u GDBPROF_BUILD HOME="$place/home" gdb -nx -batch \
			-ex "source $1" -ex "prof-load $place/stacks.folded" \
			-ex 'prof-functions --format=csv' -ex 'python import _prof; print(_prof.__file__)'
	) >"$place/out" 2>&1
}
load "$loader" && grep -q '^work,.*,3' "$place/out"
ok $? 'the installed prof.py loads, reads a file and shows it'
grep -q "^$prefix/lib/triplet/gdbprof/_prof.abi3.so\$" "$place/out"
ok $? 'what it loads is the plugin beside it'
ln -s "$loader" "$place/gdbprof.py"
load "$place/gdbprof.py" && grep -q '^work,.*,3' "$place/out"
ok $? 'a link to it loads, too, as in the folder of the system'

(
	cd "$place/home" && "$prefix/bin/gdbprof" record -o true.prof true &&
		"$prefix/bin/gdbprof" report --view=intervals true.prof
) >"$place/out" 2>&1
grep -q "start .. exit" "$place/out"
ok $? 'the installed gdbprof records and reports'

(
	cd "$prefix/share/man" &&
		grep -q '^\.TH GDBPROF 1 ' man1/gdbprof.1 && grep -q '^\.TH GDBPROF-RECORD 1 ' man1/gdbprof-record.1 &&
		grep -q '^\.TH GDBPROF 7 ' man7/gdbprof.7
) 2>"$place/out"
ok $? 'the manual pages are installed'

(
	cd "$place/home" && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$prefix/lib/triplet/gdbprof/python python3 -c \
		'import gdbprof; print(gdbprof.open("true.prof").info["program"])'
) >"$place/out" 2>&1
grep -q '/true$' "$place/out"
ok $? 'so does the module for other Pythons, which reads what was recorded'

sed -n 's/.*PROF_VERSION "\(.*\)"/\1/p' core/base/version.h >"$place/version"
PKG_CONFIG_PATH=$prefix/lib/triplet/pkgconfig
export PKG_CONFIG_PATH
pkg-config --modversion gdbprof >"$place/out" 2>&1 && cmp "$place/version" "$place/out"
ok $? 'pkg-config knows the version'
[ "$(pkg-config --variable=loader gdbprof)" = /opt/prof/lib/triplet/gdbprof/prof.py ]
ok $? 'and the loader'
[ "$(pkg-config --cflags gdbprof | tr -d ' ')" = -I/opt/prof/include ] &&
	echo 'int main(void) { gdbprof_mark("here"); return 0; }' >"$place/marks.c" &&
	${CC:-cc} -I "$prefix/include" -include gdbprof.h -o "$place/marks" "$place/marks.c" >"$place/out" 2>&1 &&
	"$place/marks" && readelf -n "$place/marks" | grep -q 'Name: mark'
ok $? 'and the folder of the header, with which a program is compiled that makes marks'

# Of each link in the documents: does it lead to a file?
find "$prefix/share/doc/gdbprof" -name '*.md' >"$place/pages"
while read -r page; do
	grep -o '](\.*[a-z][^:)#]*[#)]' "$page" | sed 's/^..//; s/.$//' | while read -r link; do
		[ -e "${page%/*}/$link" ] || echo "$page: $link"
	done
done <"$place/pages" >"$place/out"
[ "$(wc -l <"$place/pages")" -gt 50 ] && [ ! -s "$place/out" ] && [ -e "$prefix/share/doc/gdbprof/examples/service.c" ]
ok $? 'the links of the installed documents lead somewhere, and the examples are there'

# shellcheck disable=SC2086
run_make uninstall DESTDIR="$root" $install_variables
ok $? 'uninstalls'
find "$root" | sort | diff "$place/before" - >"$place/out"
ok $? 'nothing of it is left, and nothing of others is missing'
