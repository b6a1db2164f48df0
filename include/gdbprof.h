/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Marks made by the program that gdbprof records: see doc/howto/marks-in-the-program.md of gdbprof.
 *
 *	gdbprof_mark("request done");
 *	gdbprof_pause();		sampling pauses
 *	gdbprof_resume();		and goes on
 *	gdbprof_thread_pause();		the thread that calls it is not sampled any more
 *	gdbprof_thread_resume();	but it is now
 *	gdbprof_end();			the recording ends; the program goes on
 *
 * Each is a static probe (SDT): an instruction that does nothing as long as nobody records, and
 * needs no library.  Debuggers and tracers find it as gdbprof:mark, gdbprof:pause,
 * gdbprof:thread_pause and so on.  For C and C++; where a compiler or system has no such probes
 * they are nothing.
 */
#ifndef GDBPROF_H
#define GDBPROF_H

#if defined __GNUC__ && defined __ELF__

#ifdef __LP64__
#define GDBPROF_ADDRESS_ ".8byte "
#define GDBPROF_SIZE_ "8"
#else
#define GDBPROF_ADDRESS_ ".4byte "
#define GDBPROF_SIZE_ "4"
#endif

/*
 * The note of section .note.stapsdt that describes the probe NAME, with ARGUMENTS as it has them.
 */
#define GDBPROF_PROBE_(name, arguments, operand)                                                 \
	__asm__ volatile("990:	nop\n"                                                            \
			 ".pushsection .note.stapsdt,\"?\",\"note\"\n"                           \
			 ".balign 4\n"                                                           \
			 ".4byte 992f-991f, 994f-993f, 3\n"                                      \
			 "991:	.asciz \"stapsdt\"\n"                                             \
			 "992:	.balign 4\n"                                                      \
			 "993:	" GDBPROF_ADDRESS_ "990b\n" GDBPROF_ADDRESS_                     \
			 "_.stapsdt.base\n" GDBPROF_ADDRESS_ "0\n"                               \
			 ".asciz \"gdbprof\"\n"                                                  \
			 ".asciz \"" name "\"\n"                                                 \
			 ".asciz \"" arguments "\"\n"                                            \
			 "994:	.balign 4\n"                                                      \
			 ".popsection\n"                                                         \
			 ".ifndef _.stapsdt.base\n"                                              \
			 ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
			 ".weak _.stapsdt.base\n"                                                \
			 ".hidden _.stapsdt.base\n"                                              \
			 "_.stapsdt.base: .space 1\n"                                            \
			 ".size _.stapsdt.base, 1\n"                                             \
			 ".popsection\n"                                                         \
			 ".endif\n" ::operand)

/* A mark with LABEL, a string. */
#define gdbprof_mark(label) GDBPROF_PROBE_("mark", GDBPROF_SIZE_ "@%0", "r"((const char *)(label)))

/* From a pause on nothing is sampled until sampling is resumed; a second pause changes nothing. */
#define gdbprof_pause() GDBPROF_PROBE_("pause", "", "i"(0))
#define gdbprof_resume() GDBPROF_PROBE_("resume", "", "i"(0))

/* The same of the thread that calls it alone: its time until it is resumed is in no sample. */
#define gdbprof_thread_pause() GDBPROF_PROBE_("thread_pause", "", "i"(0))
#define gdbprof_thread_resume() GDBPROF_PROBE_("thread_resume", "", "i"(0))

/* The recording ends here, and the program goes on. */
#define gdbprof_end() GDBPROF_PROBE_("end", "", "i"(0))

#else

#define gdbprof_mark(label) ((void)(label))
#define gdbprof_pause() ((void)0)
#define gdbprof_resume() ((void)0)
#define gdbprof_thread_pause() ((void)0)
#define gdbprof_thread_resume() ((void)0)
#define gdbprof_end() ((void)0)

#endif

#endif
