/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The program's environment, as the user gave it. */
#ifndef PROF_AGENT_PRELOAD_H
#define PROF_AGENT_PRELOAD_H

/* Takes this library, if it is the first there, out of LD_PRELOAD. */
void prof_agent_preload_restore(void);

#endif
