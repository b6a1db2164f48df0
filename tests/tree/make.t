#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is built stays built and is the same wherever it is built, and flags of the user are heard.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$top" || exit 1

echo 1..9
# shellcheck source=tests/tree/make.sh
. tests/tree/make.sh

run_make all && run_make -q all
ok $? 'a second make rebuilds nothing'

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
