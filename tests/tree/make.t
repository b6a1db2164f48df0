#!/bin/sh
# What is built stays built, what is installed works, and nothing is left of it after.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$top" || exit 1

echo 1..6
count=0
# ok STATUS NAME: tells it; of a failure, also what the last command printed.
ok() {
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		sed 's/^/# /' "$place/out"
	fi
}
# A make of its own, not a part of the one that runs the tests.
run_make() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make --no-print-directory "$@" >"$place/out" 2>&1
}

run_make all && run_make -q all
ok $? 'a second make rebuilds nothing'

run_make install DESTDIR="$place/root" PREFIX=/opt/prof
ok $? 'installs'

printf 'main;work 3\nmain;rest 1\n' >"$place/stacks.folded"
loader=$place/root/opt/prof/lib/gdbprof/prof.py
mkdir "$place/home"
(
	cd "$place/home" && env -u GDBPROF_BUILD HOME="$place/home" gdb -nx -batch \
		-ex "source $loader" -ex "prof-load $place/stacks.folded" \
		-ex 'prof-functions --format=csv' -ex 'python import _prof; print(_prof.__file__)'
) >"$place/out" 2>&1
grep -q '^work,.*,3' "$place/out"
ok $? 'the installed prof.py loads, reads a file and shows it'
grep -q "^$place/root/opt/prof/lib/gdbprof/_prof.abi3.so\$" "$place/out"
ok $? 'what it loads is the plugin beside it'

run_make uninstall DESTDIR="$place/root" PREFIX=/opt/prof
ok $? 'uninstalls'
# Loading may have left a compiled prof.py beside it.
find "$place/root" ! -type d >"$place/out"
find "$place/root" -name '*prof*' -path '*/lib/*' >>"$place/out"
test ! -s "$place/out"
ok $? 'nothing of it is left'
