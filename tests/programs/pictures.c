/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program of some size that others wrote, the stb libraries: it makes a picture, writes it as PNG
 * and as JPEG, reads both, and scales one.  The argument says how often.
 */
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include <stb/stb_image.h>
#include <stb/stb_image_resize.h>
#include <stb/stb_image_write.h>

enum { WIDTH = 320, HEIGHT = 240, CHANNELS = 3, SIZE = WIDTH * HEIGHT * CHANNELS };

struct file {
	unsigned char *bytes;
	size_t length, capacity;
};

static void append(void *context, void *bytes, int length)
{
	struct file *file = context;

	while (file->length + (size_t)length > file->capacity) {
		file->capacity = 2 * file->capacity + 4096;
		file->bytes = realloc(file->bytes, file->capacity);
		if (!file->bytes)
			abort();
	}
	memcpy(file->bytes + file->length, bytes, (size_t)length);
	file->length += (size_t)length;
}

static unsigned char *read_back(struct file *file)
{
	int width, height, channels;
	unsigned char *pixels = stbi_load_from_memory(
		file->bytes, (int)file->length, &width, &height, &channels, CHANNELS);

	if (!pixels || width != WIDTH || height != HEIGHT)
		abort();
	free(file->bytes);
	return pixels;
}

static void round_trip(const unsigned char *pixels)
{
	static unsigned char small[SIZE];
	struct file png = {0}, jpeg = {0};

	stbi_write_png_to_func(append, &png, WIDTH, HEIGHT, CHANNELS, pixels, WIDTH * CHANNELS);
	stbi_write_jpg_to_func(append, &jpeg, WIDTH, HEIGHT, CHANNELS, pixels, 90);
	unsigned char *exact = read_back(&png);
	unsigned char *near = read_back(&jpeg);
	if (memcmp(exact, pixels, SIZE) != 0)
		abort();
	stbir_resize_uint8(near, WIDTH, HEIGHT, 0, small, WIDTH / 2, HEIGHT / 3, 0, CHANNELS);
	free(exact);
	free(near);
}

int main(int argc, char **argv)
{
	static unsigned char pixels[SIZE];
	int times = argc > 1 ? atoi(argv[1]) : 1;

	for (unsigned i = 0; i < SIZE; i++)
		pixels[i] = (unsigned char)((i * i >> 7) ^ (i % WIDTH) ^ (i / 977 * 3));
	while (times-- > 0)
		round_trip(pixels);
	return 0;
}
