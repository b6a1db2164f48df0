/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tips: after each stop, a line on what the program did since the stop before. */
#ifndef PROF_PLUGIN_COMMAND_TIPS_H
#define PROF_PLUGIN_COMMAND_TIPS_H

/* Has the session print them from now on, while `prof tips` is on. */
void tips_register(void);

#endif
