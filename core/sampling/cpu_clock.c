/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/cpu_clock.h"

#include "base/memory.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_LENGTH = 4096, LINE_LENGTH = 256, HZ_OF_KHZ = 1000, HZ_OF_MHZ = 1000000 };

/* A harmonic mean that is being computed. */
struct mean {
	unsigned count;
	double inverses; /* the sum of 1 / rate */
};

static void add(struct mean *mean, double rate)
{
	if (!(rate > 0))
		return;
	mean->count++;
	mean->inverses += 1 / rate;
}

static void close_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

static void close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

/* The number in the file NAME of the folder FOLDER; 0: there is none. */
static double read_number(const char *folder, const char *name)
{
	char path[PATH_LENGTH];
	char line[LINE_LENGTH];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	PROF_AUTO(close_file) FILE *file = fopen(path, "re");
	return file && fgets(line, sizeof line, file) ? strtod(line, NULL) : 0;
}

/* Is NAME "cpu" and a number? */
static bool is_cpu(const char *name)
{
	size_t digits = strncmp(name, "cpu", 3) != 0 ? 0 : strspn(name + 3, "0123456789");

	return digits && !name[3 + digits];
}

/* Adds the CPUs whose frequency the kernel changes. */
static void add_scaled(const char *root, struct mean *mean)
{
	static const char *const files[] = {"base_frequency", "cpuinfo_max_freq"};
	char path[PATH_LENGTH / 2];

	snprintf(path, sizeof path, "%s/sys/devices/system/cpu", root);
	PROF_AUTO(close_folder) DIR *folder = opendir(path);
	const struct dirent *entry;
	while (folder && (entry = readdir(folder))) {
		char cpu[PATH_LENGTH - LINE_LENGTH];
		double rate = 0;
		if (!is_cpu(entry->d_name))
			continue;
		snprintf(cpu, sizeof cpu, "%s/%s/cpufreq", path, entry->d_name);
		for (size_t i = 0; !rate && i < PROF_COUNT(files); i++)
			rate = read_number(cpu, files[i]);
		add(mean, rate * HZ_OF_KHZ);
	}
}

/* Adds the CPUs that /proc/cpuinfo lists. */
static void add_listed(const char *root, struct mean *mean)
{
	static const char key[] = "cpu MHz";
	char path[PATH_LENGTH];
	char line[LINE_LENGTH];

	snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
	PROF_AUTO(close_file) FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file)) {
		const char *value = strchr(line, ':');
		if (value && !strncmp(line, key, sizeof key - 1))
			add(mean, strtod(value + 1, NULL) * HZ_OF_MHZ);
	}
}

int64_t prof_cpu_clock(const char *root)
{
	struct mean mean = {0};

	add_scaled(root, &mean);
	if (!mean.count)
		add_listed(root, &mean);
	return mean.count ? (int64_t)(mean.count / mean.inverses + 0.5) : 0;
}
