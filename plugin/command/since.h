/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stops as users count them. */
#ifndef PROF_PLUGIN_COMMAND_SINCE_H
#define PROF_PLUGIN_COMMAND_SINCE_H

#include <stdint.h>

/*
 * The number for "--since=stop:N" of the last time but NUMBER - 1 that the program ran, from 1.
 * While the program runs, that time goes on, and no mark shows it yet.
 */
uint64_t since_number(uint64_t number);

#endif
