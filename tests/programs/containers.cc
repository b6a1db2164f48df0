/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Long names: two threads fill containers of the standard library and wait for each other. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace
{
using words = std::unordered_map<std::string, std::map<std::string, std::vector<long>>>;

std::mutex whole;

void fill(words &into, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		std::lock_guard<std::mutex> held(whole);
		std::string key = "a key that is longer than what fits " + std::to_string(i % 512);
		into[key]["values of " + key].push_back(i);
	}
}

long add_up(const words &all)
{
	long sum = 0;
	std::function<void(const std::vector<long> &)> add = [&sum](const std::vector<long> &some) {
		std::vector<long> sorted = some;
		std::sort(sorted.begin(), sorted.end(), [](long a, long b) { return a > b; });
		for (long value : sorted)
			sum += value;
	};

	for (const auto &[key, inner] : all) {
		for (const auto &[name, values] : inner)
			add(values);
	}
	return sum;
}
} // namespace

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? std::atoi(argv[1]) : 100000;
	words all;
	std::thread other(fill, std::ref(all), rounds);

	fill(all, rounds);
	other.join();
	std::printf("%ld\n", add_up(all));
}
