/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program without MPI that loads the library in its first argument for itself alone, as
 * interpreters load their extensions, and executes the main() there, which is named begin.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL);
	int (*begin)(int, char **);

	if (!library) {
		puts(dlerror());
		return 1;
	}
	*(void **)&begin = dlsym(library, "begin");
	return begin(argc - 1, argv + 1);
}
