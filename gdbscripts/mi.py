# SPDX-License-Identifier: GPL-3.0-or-later
"""GDB/MI: each command prof-NAME is there as -prof-NAME, which takes the same arguments.

What can be shown as JSON is the result, with the names that JSON has; null is left out.  Anything else that the command
prints is the text `message`.  Needs GDB 12, where Python can define such commands.
"""

import json
import re

import _prof
import gdb


def _quoted(argument):
    """ARGUMENT as it is typed at the prompt."""
    if argument and not re.search(r"[\s\"'\\]", argument):
        return argument
    return '"%s"' % re.sub(r'(["\\])', r"\\\1", argument)


def _value(value):
    """VALUE as MI can have it: the names of fields consist of letters, digits, - and _."""
    if isinstance(value, dict):
        return {re.sub(r"[^A-Za-z0-9_-]", "_", name): _value(item)
                for name, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_value(item) for item in value if item is not None]
    return str(value).lower() if isinstance(value, bool) else value


def _result(text):
    """What a command has printed: an object of JSON in a line of its own, and text."""
    lines = text.splitlines()
    found = next((line for line in lines if line.startswith("{")), None)
    result = _value(json.loads(found)) if found else {}
    message = "\n".join(line for line in lines if line is not found).strip()
    if message:
        result["message"] = message
    return result


class _Command:
    """The command prof-NAME; as JSON, if AS_JSON."""

    def __init__(self, name, as_json):
        self.prefix = [name] + ["--format=json"] * as_json
        super().__init__("-" + name)

    def invoke(self, arguments):
        try:
            text = gdb.execute(" ".join(self.prefix + [_quoted(argument) for argument in arguments]), to_string=True)
        except gdb.error as error:  # a command's own mistakes come as this
            raise gdb.GdbError(str(error)) from None
        return _result(text) or None


def register():
    """Makes the commands, where GDB has such and they are not there yet."""
    if hasattr(gdb, "MICommand") and not hasattr(_prof, "mi_commands"):
        kind = type("_MiCommand", (_Command, gdb.MICommand), {})
        _prof.mi_commands = [kind(name, as_json) for name, as_json in _prof.commands()]
