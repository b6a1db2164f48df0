#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is built stays built and is the same wherever it is built, flags of the user are heard, what is
# installed works, and nothing is left of it after.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$top" || exit 1

echo 1..16
count=0
# ok STATUS NAME: tells it; of a failure, also what the last command printed.
ok() {
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		tail -20 "$place/out" | cut -c1-200 | sed 's/^/# /'
	fi
}
# A make of its own, not a part of the one that runs the tests.
run_make() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make --no-print-directory "$@" >"$place/out" 2>&1
}

run_make all && run_make -q all
ok $? 'a second make rebuilds nothing'

root="$place/a root"
run_make install DESTDIR="$root" PREFIX=/opt/prof libdir=/opt/prof/lib/triplet
ok $? 'installs below a DESTDIR with a blank, and in libdir'

printf 'main;work 3\nmain;rest 1\n' >"$place/stacks.folded"
loader=$root/opt/prof/lib/triplet/gdbprof/prof.py
mkdir "$place/home"
(
	cd "$place/home" && env -u GDBPROF_BUILD HOME="$place/home" gdb -nx -batch \
		-ex "source $loader" -ex "prof-load $place/stacks.folded" \
		-ex 'prof-functions --format=csv' -ex 'python import _prof; print(_prof.__file__)'
) >"$place/out" 2>&1
grep -q '^work,.*,3' "$place/out"
ok $? 'the installed prof.py loads, reads a file and shows it'
grep -q "^$root/opt/prof/lib/triplet/gdbprof/_prof.abi3.so\$" "$place/out"
ok $? 'what it loads is the plugin beside it'

(
	cd "$place/home" && rm -f true.prof && "$root/opt/prof/bin/gdbprof" record -o true.prof true &&
		"$root/opt/prof/bin/gdbprof" report --view=intervals true.prof
) >"$place/out" 2>&1
grep -q "start .. exit" "$place/out"
ok $? 'the installed gdbprof records and reports'

(
	cd "$root/opt/prof/share/man" &&
		grep -q '^\.TH GDBPROF 1 ' man1/gdbprof.1 && grep -q '^\.TH GDBPROF-RECORD 1 ' man1/gdbprof-record.1 &&
		grep -q '^\.TH GDBPROF 7 ' man7/gdbprof.7
) 2>"$place/out"
ok $? 'the manual pages are installed'

run_make uninstall DESTDIR="$root" PREFIX=/opt/prof libdir=/opt/prof/lib/triplet
ok $? 'uninstalls'
# Loading may have left a compiled prof.py beside it.
find "$root" ! -type d >"$place/out"
find "$root" -name '*prof*' -path '*/lib/*' -o -name gdbprof -path '*/bin/*' >>"$place/out"
test ! -s "$place/out"
ok $? 'nothing of it is left'

# GNU make 4.4 takes another implicit rule than 4.3 where two would do.
run_make -rpn all programs && grep -q '^# No implicit rules' "$place/out"
ok $? 'all rules name their targets'

# compiles_all FLAG...: does the make that printed $place/out compile with each FLAG?
compiles_all() {
	grep -e ' -c -o ' "$place/out" >"$place/compiled" && [ -s "$place/compiled" ] || return 1
	for flag; do
		! grep -qv -e "\(^\| \)$flag " "$place/compiled" || return 1
	done
}
run_make -n V=1 WERROR= BUILD="$place/flags" CC='cc -pipe' AR=the-ar CPPFLAGS=-DGIVEN CFLAGS=-O3 LDFLAGS=-Lgiven all &&
	compiles_all 'cc -pipe' -DGIVEN -O3 && grep -q '^rm .* the-ar ' "$place/out"
ok $? 'CC, CPPFLAGS, CFLAGS and AR are heard'
[ "$(grep -c -e ' -Lgiven ' "$place/out")" = 4 ]
ok $? 'so is LDFLAGS, wherever something is linked'
! grep -q -e -Werror "$place/out"
ok $? 'warnings are not errors'
run_make -n V=1 WERROR= BUILD="$place/flags" WERROR=1 all && compiles_all -Werror
ok $? 'but with WERROR=1'

# What is small enough to be built twice, of each kind: an object, a generated one, a library, a program.
products='core/base/error.o made/formats/pprof.pb-c.o libprofagent.so gdbprof-watchdog'
copy="$place/a copy"
mkdir "$copy" && cp -R Makefile core plugin "$copy" && find "$copy" >"$place/before"
# build FOLDER: makes the products there.
build() {
	# shellcheck disable=SC2046,SC2059,SC2086  # words are wanted
	run_make BUILD="$1" $(printf "$1/%s\n" $products)
}
build "$place/one" && (cd "$copy" && build "$place/two/deep")
ok $? 'builds elsewhere, from a folder with a blank too'
find "$copy" | cmp - "$place/before" >"$place/out" 2>&1
ok $? 'nothing is written among the sources then'
differ=0
for file in $products; do
	cmp "$place/one/$file" "$place/two/deep/$file" >>"$place/out" 2>&1 || differ=1
done
grep -l "$top" "${GDBPROF_BUILD:-build}/_prof.abi3.so" >>"$place/out" && differ=1
ok $differ 'what is built has no trace of where'
