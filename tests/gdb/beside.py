# SPDX-License-Identifier: GPL-3.0-or-later
"""For Python that runs in GDB: a thread beside GDB's own."""

import signal
import threading


def start_beside(function, *arguments):
    """Call FUNCTION with ARGUMENTS in a new thread, which gets no signals.

    GDB waits for a SIGCHLD in sigsuspend().  The kernel delivers it to any thread that does not block it, and then GDB
    waits for ever.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        threading.Thread(target=function, args=arguments, daemon=True).start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
