# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What tests of make share: $place is a folder of their own.

count=0
# ok STATUS NAME: tells it; of a failure, also what the last command printed.
ok() {
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		tail -20 "${place:?}/out" | cut -c1-200 | sed 's/^/# /'
	fi
}

# A make of its own, not a part of the one that runs the tests.
run_make() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make --no-print-directory "$@" >"${place:?}/out" 2>&1
}
