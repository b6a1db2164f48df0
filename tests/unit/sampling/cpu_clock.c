/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/cpu_clock.h"

#include "scratch.h"

START_TEST(rates_are_averaged_as_times)
{
	enter_scratch();
	put_file("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "1000000\n");
	put_file("sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "3000000\n");
	put_file("sys/devices/system/cpu/cpufreq/cpuinfo_max_freq", "7000000\n");
	put_file("sys/devices/system/cpu/cpuidle/cpufreq/cpuinfo_max_freq", "7000000\n");
	put_file("proc/cpuinfo", "cpu MHz\t\t: 7000.000\n");
	ck_assert_int_eq(prof_cpu_clock("."), 1500000000);
}
END_TEST

START_TEST(the_base_frequency_comes_before_the_highest)
{
	enter_scratch();
	put_file("sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "2000000\n");
	put_file("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "5000000\n");
	ck_assert_int_eq(prof_cpu_clock("."), 2000000000);
}
END_TEST

START_TEST(cpuinfo_is_read_where_no_frequency_is_scaled)
{
	enter_scratch();
	put_file("sys/devices/system/cpu/cpu0/online", "1\n");
	put_file("proc/cpuinfo",
		"processor\t: 0\ncpu MHz\t\t: 1000.000\nprocessor\t: 1\ncpu MHz\t\t: 3000.000\n");
	ck_assert_int_eq(prof_cpu_clock("."), 1500000000);
}
END_TEST

START_TEST(what_nobody_says_is_unknown)
{
	enter_scratch();
	put_file("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "<unknown>\n");
	put_file("proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 0.000\n");
	ck_assert_int_eq(prof_cpu_clock("."), 0);
	ck_assert_int_eq(prof_cpu_clock("/nonexistent"), 0);
}
END_TEST

START_TEST(this_machine_has_a_rate_or_none_is_known)
{
	int64_t rate = prof_cpu_clock("");

	ck_assert(rate == 0 || (rate > 10000000 && rate < 20000000000));
}
END_TEST

RUN_TESTS("cpu clock", cpuinfo_is_read_where_no_frequency_is_scaled, rates_are_averaged_as_times,
	the_base_frequency_comes_before_the_highest, this_machine_has_a_rate_or_none_is_known,
	what_nobody_says_is_unknown)
