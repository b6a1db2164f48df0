/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For scripted debug sessions in C++: classes, templates, overloads, lambdas and exceptions, with
 * enough work in between that a sampler has the time to disturb.
 */
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static volatile unsigned long sink;
static int released;

/* Some milliseconds of work. */
__attribute__((noinline)) static void burn(long turns)
{
	for (long i = 0; i < turns * 5000; i++)
		sink += (unsigned long)i;
}

namespace shapes
{

class Shape
{
      public:
	explicit Shape(const std::string &name) : name(name)
	{
	}
	virtual ~Shape()
	{
		burn(300);
		released++;
	}
	virtual double area() const = 0;
	virtual void scale(double factor) = 0;

	std::string name;
	int scaled = 0;
};

class Square : public Shape
{
      public:
	explicit Square(double side) : Shape("square"), side(side)
	{
	}
	double area() const override
	{
		burn(1000);
		return side * side;
	}
	void scale(double factor) override
	{
		if (factor <= 0)
			throw std::invalid_argument("factor");
		side *= factor;
		scaled++;
	}

      private:
	double side;
};

class Circle : public Shape
{
      public:
	explicit Circle(double radius) : Shape("circle"), radius(radius)
	{
	}
	double area() const override
	{
		burn(1500);
		return 3 * radius * radius;
	}
	void scale(double factor) override
	{
		radius *= factor;
		scaled++;
	}

      private:
	double radius;
};

} // namespace shapes

using Shapes = std::vector<std::unique_ptr<shapes::Shape>>;

template <typename T> __attribute__((noinline)) T twice(T value)
{
	burn(500);
	return value + value;
}

template <typename T, int N> struct Ring {
	T items[N] = {};
	int at = 0;

	__attribute__((noinline)) void push(T item)
	{
		burn(200);
		items[at] = item;
		at = (at + 1) % N;
	}
};

__attribute__((noinline)) static int weigh(int value)
{
	burn(700);
	return value * 3;
}

__attribute__((noinline)) static double weigh(double value)
{
	burn(700);
	return value / 3;
}

__attribute__((noinline)) static double total(const Shapes &all)
{
	double sum = 0;

	for (const auto &shape : all)
		sum += shape->area();
	return sum;
}

/* Throws through itself when LEVEL is at its end. */
__attribute__((noinline)) static int descend(int level, Shapes &all)
{
	shapes::Square local(level);

	burn(300);
	if (!level)
		all[0]->scale(-1);
	int below = descend(level - 1, all);
	return below + 1;
}

__attribute__((noinline)) static int attempt(Shapes &all)
{
	int caught = 0;

	try {
		caught = descend(3, all);
	} catch (const std::invalid_argument &error) {
		burn(500);
		caught = (int)std::string(error.what()).size();
	}
	try {
		try {
			throw 42;
		} catch (int) {
			burn(500);
			throw;
		}
	} catch (int number) {
		caught += number;
	}
	return caught;
}

/* A session jumps here from the beginning of main(): SUM is then whatever its register holds. */
__attribute__((noinline)) static void finished(double sum, int caught)
{
	sink = sum > 0;
	std::printf("%d %d\n", caught, released);
	std::fflush(stdout);
}

int main()
{
	Shapes all;
	std::map<std::string, int> counts;
	Ring<int, 3> ring;

	all.push_back(std::make_unique<shapes::Square>(2));
	all.push_back(std::make_unique<shapes::Circle>(1));
	all.push_back(std::make_unique<shapes::Square>(3));
	for (const auto &shape : all)
		counts[shape->name]++;
	double sum = total(all);
	std::for_each(all.begin(), all.end(), [&](const auto &shape) {
		burn(800);
		shape->scale(counts[shape->name]);
		sum += weigh(shape->area());
	});
	for (int i = 0; i < 5; i++)
		ring.push(weigh(i));
	sum += twice(ring.items[0]) + twice(0.5);
	int caught = attempt(all);
	std::printf("%.1f ", sum);
	finished(sum, caught);
	return caught % 128;
}
