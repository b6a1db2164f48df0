/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/number.h"

#include "metric/metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *prof_number_fixed(prof_value value, int64_t units, int places, char *buffer)
{
	prof_value one = (prof_value)units * PROF_VALUE_ONE;
	prof_value magnitude = value < 0 ? -value : value;
	prof_value whole = magnitude / one;
	prof_value scale = 1;

	for (int i = 0; i < places; i++)
		scale *= 10;
	prof_value fraction = (magnitude % one * scale + one / 2) / one;
	if (fraction == scale) {
		whole++;
		fraction = 0;
	}
	buffer[0] = '-';
	prof_value_print(whole * PROF_VALUE_ONE, 1, value < 0 ? buffer + 1 : buffer);
	if (places > 0) {
		size_t length = strlen(buffer);
		snprintf(buffer + length, PROF_NUMBER_TEXT - length, ".%0*lld", places,
			(long long)fraction);
	}
	return buffer;
}

/* An exact zero in a column whose other numbers have PLACES decimals. */
static const char *zero(int places, char *buffer)
{
	snprintf(buffer, PROF_NUMBER_TEXT, "0.%*s", places, "");
	return buffer;
}

const char *prof_number_value(prof_value value, const struct prof_metric *metric, char *buffer)
{
	if (metric->places < 0)
		return prof_value_print(value, metric->units, buffer);
	if (!value && metric->places > 0)
		return zero(metric->places, buffer);
	return prof_number_fixed(value, metric->units, metric->places, buffer);
}

const char *prof_number_percent(double percent, bool rough, char *buffer)
{
	int places = rough ? 0 : 2;

	if (percent == 0 && places)
		return zero(places, buffer);
	snprintf(buffer, PROF_NUMBER_TEXT, "%.*f", places, percent);
	return buffer;
}

const char *prof_number_real(double real, char *buffer)
{
	/*
	 * 17 digits are always enough, and often fewer are, and read better: 0.1, not
	 * 0.10000000000000001.
	 */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buffer, PROF_NUMBER_TEXT, "%.*g", digits, real);
		if (strtod(buffer, NULL) == real)
			break;
	}
	return buffer;
}
