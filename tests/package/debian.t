#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# dpkg-buildpackage makes a package that lintian finds nothing wrong with, that is the same wherever it is built,
# that works where it is installed, and of which nothing is left when it is removed.
#
# With CHECK=yes, the tests of the core run while it is built, as on a build daemon.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$top" || exit 1

for tool in dpkg-buildpackage dh lintian fakeroot; do
	command -v "$tool" >/dev/null || {
		echo "1..0 # SKIP there is no $tool"
		exit 0
	}
done
DEB_BUILD_PROFILES=nocheck dpkg-checkbuilddeps >"$place/out" 2>&1 || {
	echo "1..0 # SKIP $(tail -1 "$place/out")"
	exit 0
}

echo 1..7
# shellcheck source=tests/tree/make.sh
. tests/tree/make.sh
version=$(dpkg-parsechangelog -S Version)
[ "${CHECK:-}" = yes ] || export DEB_BUILD_OPTIONS=nocheck

# build FOLDER: makes the packages beside FOLDER, a copy of the sources.
build() {
	mkdir -p "$1" && git ls-files | xargs cp --parents -t "$1" &&
		(cd "$1" && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u BUILD -u WERROR dpkg-buildpackage -us -uc -b) >"$place/out" 2>&1
}
build "$place/one/gdbprof"
ok $? 'dpkg-buildpackage makes the packages'
lintian --allow-root --fail-on=error,warning --tag-display-limit 0 "$place"/one/*.changes >"$place/out" 2>&1 &&
	[ ! -s "$place/out" ]
ok $? 'lintian finds nothing wrong with them'

# A database of packages of its own: nothing of this machine is touched.
root=$place/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" && : >"$root/var/lib/dpkg/status"
# run_dpkg ARGUMENT...: of that root.
run_dpkg() {
	fakeroot dpkg --root="$root" --force-depends --log=/dev/null "$@" >>"$place/out" 2>&1
}
find "$root" ! -path '*/var/lib/dpkg*' | sort >"$place/before"
package=$(echo "$place"/one/gdbprof_"$version"_*.deb)
: >"$place/out"
run_dpkg -i "$package"
ok $? 'it is installed'
(
	PATH=$root/usr/bin:$PATH
	export PATH
	unset GDBPROF_BUILD
	debian/tests/record
) >"$place/out" 2>&1
status=$?
[ "$status" = 0 ] || [ "$status" = 77 ]
ok $? "it records and reports there$([ "$status" = 77 ] && echo ' # SKIP the kernel lets no process trace another')"
: >"$place/out"
run_dpkg --purge gdbprof
ok $? 'it is removed'
find "$root" ! -path '*/var/lib/dpkg*' | sort | diff "$place/before" - >"$place/out"
ok $? 'nothing of it is left'

same=0
DEB_BUILD_OPTIONS=nocheck build "$place/another folder/of-the-sources" || same=1
for file in "$place"/one/*.deb; do
	cmp "$file" "$place/another folder/${file##*/}" >>"$place/out" 2>&1 || same=1
done
ok $same 'packages that are built elsewhere are the same, byte for byte'
