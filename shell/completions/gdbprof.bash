# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of gdbprof for bash: the command itself knows what may follow.

_gdbprof()
{
	local word last words=()

	# bash cuts words at "=", and gdbprof wants them whole.
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		last=$((${#words[@]} - 1))
		if [[ $last -ge 0 && ($word == = || ${words[last]} == --*=) ]]; then
			words[last]+=$word
		else
			words+=("$word")
		fi
	done
	mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" --complete "${words[@]}" 2>/dev/null)
	if [[ ${words[${#words[@]} - 1]} == --*=* && $COMP_WORDBREAKS == *=* ]]; then
		COMPREPLY=("${COMPREPLY[@]#*=}")
	fi
	if [[ ${COMPREPLY[0]} == *= ]]; then
		compopt -o nospace 2>/dev/null
	fi
}
complete -o default -F _gdbprof gdbprof
