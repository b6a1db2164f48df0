/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What older C libraries lack; the oldest is that of Debian 11, glibc 2.31. */
#ifndef PROF_BASE_COMPAT_H
#define PROF_BASE_COMPAT_H

#include <features.h>

#if !__GLIBC_PREREQ(2, 32)
#include <signal.h>
#include <stddef.h>

/* The name of SIGNAL without "SIG"; NULL: it is real-time, or none. */
static inline const char *sigabbrev_np(int signal)
{
#define NAME(name) [SIG##name] = #name
	static const char *const names[] = {NAME(HUP), NAME(INT), NAME(QUIT), NAME(ILL), NAME(TRAP),
		NAME(ABRT), NAME(BUS), NAME(FPE), NAME(KILL), NAME(USR1), NAME(SEGV), NAME(USR2),
		NAME(PIPE), NAME(ALRM), NAME(TERM), NAME(STKFLT), NAME(CHLD), NAME(CONT),
		NAME(STOP), NAME(TSTP), NAME(TTIN), NAME(TTOU), NAME(URG), NAME(XCPU), NAME(XFSZ),
		NAME(VTALRM), NAME(PROF), NAME(WINCH), NAME(POLL), NAME(PWR), NAME(SYS)};
#undef NAME
	return signal > 0 && (size_t)signal < sizeof names / sizeof *names ? names[signal] : NULL;
}
#endif

#if !__GLIBC_PREREQ(2, 33)
#define mallinfo2 mallinfo /* its figures are ints */
#endif

#endif
