# SPDX-License-Identifier: GPL-3.0-or-later
"""What the shell command `gdbprof record` has GDB do; see shell/record.c."""

import os
import resource
import signal
import sys
import tempfile

import gdb

NOT_RECORDED = 125  # the exit status where the recording could not begin, as of timeout(1)

_LOG = "set logging enabled" if int(gdb.VERSION.split(".")[0]) >= 12 else "set logging"

_said_name = None  # the path of the file that GDB's messages go to while the program runs
_said = None  # the file itself
_signal = None  # that has stopped the program last
_notes = None  # of a rank: the file descriptor for signals that all of its processes get
_aside = None  # where the profile is that was there before, until the program runs


def _execute(command):
    return gdb.execute(command, to_string=True)


def _note_stop(event):
    """Remember which signal has stopped the program; for SIGTRAP GDB tells none."""
    global _signal
    _signal = getattr(event, "stop_signal", None)


class _Trapped(gdb.Function):
    """Is the program there, and stopped by a SIGTRAP of its own?  GDB cannot pass that on unasked."""

    def __init__(self):
        super().__init__("_gdbprof_record_trapped")

    def invoke(self):
        return bool(gdb.selected_inferior().pid) and _signal is None


def _define_run():
    """Make the command that runs the program, while GDB's messages go to a file.

    Only what GDB's command line has executed prints nothing: messages of the program's end come after what
    Python has executed.
    """
    _execute("""define gdbprof-record-run
set logging file %s
set logging redirect on
%s on
python record_unlink()
run
while $_gdbprof_record_trapped()
signal SIGTRAP
end
%s off
end""" % (_said_name, _LOG, _LOG))


def record_unlink():
    """GDB has the file of its messages open: whatever happens now, it is not left."""
    os.unlink(_said_name)


def _set_aside():
    """Move the profile that is there already out of the way of the new one."""
    global _aside
    path = os.environ.get("GDBPROF_REPLACES")
    if path:
        aside = "%s.old.%d" % (path, os.getpid())
        os.rename(path, aside)
        _aside = aside


def _put_back():
    """Nothing was recorded: let the profile that was there be there again."""
    if _aside:
        os.replace(_aside, os.environ["GDBPROF_REPLACES"])


def _on_run(_event):
    """The program runs: the profile that was there is the old one from now on."""
    global _aside
    gdb.events.cont.disconnect(_on_run)
    if _notes is not None:  # SIGINT is the program's, and GDB would send it once more
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    if _aside:
        os.replace(_aside, os.environ["GDBPROF_REPLACES"] + ".old")
        _aside = None


def _say(message):
    """Print MESSAGE past GDB, whose output may go to the file."""
    os.write(2, ("gdbprof: %s\n" % message).encode(errors="replace"))


def _fail(why):
    """End GDB after the message WHY."""
    _put_back()
    _say(why)
    gdb.execute("quit %d" % NOT_RECORDED)


def _restore_environment():
    """Give the program the environment that GDB was given: GDB adds to it."""
    for name in ("SHELL", "LINES", "COLUMNS"):
        kept = os.environ.get("GDBPROF_" + name)
        _execute("unset environment " + name if kept is None else "set environment %s %s" % (name, kept))
        _execute("unset environment GDBPROF_" + name)
    for name in ("GDBPROF_RECORD", "GDBPROF_REPLACES", "GDBPROF_NOTES", "GDBPROF_ENTRIES"):
        _execute("unset environment " + name)
    entries = ["GDBPROF_ENTRY_%d" % i for i in range(int(os.environ["GDBPROF_ENTRIES"]))]
    more = entries + ["PWD"] * ("PWD" not in os.environ)  # a shell sets that one
    if more:
        _execute("set exec-wrapper /usr/bin/env %s -- %s" % (
            " ".join("-u " + name for name in more), " ".join('"$%s"' % name for name in entries)))


def record_begin():
    """Begin the recording, as the environment says."""
    global _notes, _said, _said_name
    # The program runs as without GDB: it gets its signals, and is where the kernel puts it.
    for command in ("set confirm off", "set disable-randomization off", "set startup-with-shell on",
                    "handle all nostop noprint pass", "handle SIGINT nostop noprint pass"):
        _execute(command)
    plugin = sys.modules.get("_prof")  # if prof.py could load it; if not, prof-start is missing
    if plugin and "GDBPROF_NOTES" in os.environ:
        _notes = int(os.environ["GDBPROF_NOTES"])
        plugin.ignore_group_signals(_notes)
    gdb.events.stop.connect(_note_stop)
    gdb.events.cont.connect(_on_run)
    try:
        _restore_environment()
        _set_aside()
        _execute("prof-start " + os.environ["GDBPROF_RECORD"])
    except (gdb.error, OSError, UnicodeError) as error:
        _fail(error)
    file, _said_name = tempfile.mkstemp(prefix="gdbprof-")
    _said = open(file, errors="replace")
    _Trapped()
    _define_run()


def _die(number):
    """End as the program did, by the signal NUMBER, but without a core file of GDB's."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
    os.kill(os.getpid(), number)


def record_end():
    """End the recording, and GDB as the program has ended."""
    code, number = gdb.convenience_variable("_exitcode"), gdb.convenience_variable("_exitsignal")
    if code is None and number is None and not gdb.selected_inferior().pid:
        gdb.execute(_LOG + " off")  # not for its output: that would be in the file
        _execute("prof-stop")
        _fail("The program could not be run.  %s" % _said.read().strip())
    # The screen is the program's, and may be the output of a whole job: no progress is shown there.
    os.environ["TERM"] = "dumb"
    told = _execute("prof-stop").splitlines()
    _say(told[0] if told else "Nothing was recorded.")
    if gdb.selected_inferior().pid:  # GDB was interrupted
        _execute("kill")
        _die(signal.SIGINT)
    if number is not None:
        _die(int(number))
    # All is done: a launcher that ends the rank now must not have GDB handle that while it takes Python down.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    gdb.execute("quit %d" % int(code))


# GDB loads the program after this file, and prints what it does about scripts that belong to it.
for _kind in ("gdb", "python"):
    _execute("set auto-load %s-scripts off" % _kind)
