# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewrite what the pages of this folder have from `help`: run inside GDB, by `make reference`.

A page has blocks between two comments, `from help: KEY` and `end of help`.  KEY is a command, an option that
several commands share ("--limit"), a setting ("set prof rate"), a convenience function ("$_prof_mark"), a
function of the Python module ("prof.samples"), "commands", the list of all commands, or the shell command
("gdbprof") or one of its actions ("gdbprof record").  Everything outside of the blocks is written by hand.  A key without a block, or a block with an unknown key, is an error.

The environment variable REFERENCE names another folder with the pages.
"""

import glob
import inspect
import os
import re
import subprocess
import sys
import tempfile

import _prof
import gdb
import prof

FOLDER = os.environ.get("REFERENCE", os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"(<!-- from help: (.*?) -->\n).*?(<!-- end of help -->)", re.S)
# The page of what has none of its own.
PAGES = {"info prof": "prof-status", "show prof version": "settings", "commands": "README"}


def ask(command):
    """What GDB prints for COMMAND."""
    return gdb.execute(command, to_string=True)


def complete(text):
    """The words that may follow TEXT, which ends in a blank: gdb.execute() would take that away, a script keeps it."""
    with tempfile.NamedTemporaryFile("w", suffix=".gdb", encoding="utf-8") as script:
        script.write("complete %s\n" % text)
        script.flush()
        return [line[len(text):] for line in ask("source " + script.name).splitlines() if line.startswith(text)]


def ask_shell(*words):
    """What the shell command, which is beside the module, prints for WORDS: how it is used, and the rest."""
    command = os.path.join(os.path.dirname(_prof.__file__), "gdbprof")
    text = subprocess.run((command, *words, "--help"), check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    usage, _, rest = text.partition("\n\n")
    return usage[len("usage: "):], rest


class Help:
    """A help text, divided into its parts."""

    def __init__(self, text):
        head, _, options = text.partition("\nOptions:\n")
        self.first, _, rest = head.partition("\n")
        found = re.match(r"Usage: (.*)\n?", rest)
        self.usage = found.group(1) if found else ""
        self.body = (rest[found.end():] if found else rest).strip()
        # By option: how it is written, and what it does.
        self.options = {}
        for usage, does in re.findall(r"^  (--.*)\n((?:    .*\n?)*)", options, re.M):
            self.options[re.match(r"[\w-]+", usage).group()] = (usage, " ".join(does.split()))


class Reference:
    """What GDB's help has of gdbprof, and the pages."""

    def __init__(self):
        names = ask("complete prof-").split() + ["info prof", "prof"]
        # GDB adds a list of its own to the help of a prefix.
        texts = {name: ask("help " + name).partition("\nList of prof subcommands:\n")[0] for name in names}
        self.commands = {name: Help(text) for name, text in texts.items()}
        self.groups = {title: listed.replace(",", "").split()
                       for title, listed in re.findall(r"^([A-Z].*):\n((?:  .*\n)+)", texts["prof"], re.M)}
        self.settings = re.findall(r"^set (prof \S+) -- ", ask("help set prof"), re.M)
        functions = re.findall(r"^function (_prof\w+) -- ", ask("help function"), re.M)
        self.functions = {"$" + name: Help(ask("help function " + name)) for name in functions}
        self.usages = re.findall(r"^  (gdbprof (\S+).*)\n", ask_shell()[1], re.M)
        self.python = {"prof." + name: value for name, value in vars(prof).items()
                       if inspect.isfunction(value) and not name.startswith("_")}
        self.pages = {}
        for path in glob.glob(os.path.join(FOLDER, "*.md")):
            with open(path, encoding="utf-8") as file:
                self.pages[os.path.basename(path)[:-3]] = file.read()
        self.filters = re.findall(r"from help: (--.*?) -->", self.pages.get("options", "").partition("\n## Filters\n")[2])

    def shared(self):
        """{option: {(usage, what it does): commands}} of the options that several commands describe alike."""
        found = {}
        for command, text in self.commands.items():
            for option, described in text.options.items():
                found.setdefault(option, {}).setdefault(described, []).append(command)
        several = {option: {described: commands for described, commands in ways.items() if len(commands) > 1}
                   for option, ways in found.items()}
        return {option: ways for option, ways in several.items() if ways}

    def prose(self, text, own=""):
        """TEXT as Markdown: other commands and settings than OWN become links, options and values code."""
        text = re.sub(r"(?<!\n)\n(?!\n|- ) *", " ", text)

        def link(found):
            name = found.group().strip('"')
            if name in "<*":
                return "\\" + name
            if name == own or name.startswith("-"):
                return "`%s`" % name
            if name in self.commands:
                return "[`%s`](%s.md)" % (name, PAGES.get(name, name))
            if name[4:] in self.settings:
                return "[`%s`](settings.md#%s)" % (name, name.replace(" ", "-"))
            return found.group()
        option = r"(?<![\w-])--[a-z][a-z-]*(?:='[^']*'|\S*[\w*])"
        return re.sub(r'"set prof [\w-]+"|\bprof-[a-z-]*[a-z]|%s|[<*]' % option, link, text)

    def block_of_command(self, name, text):
        lines = [self.prose(text.first, name), "", "    " + text.usage]
        if text.body:
            lines += ["", self.prose(text.body, name)]
        shared = self.shared()
        own = [row for option, row in text.options.items() if row not in shared.get(option, {})]
        links = ["[`%s`](options.md#%s)" % (row[0], option) for option, row in text.options.items()
                 if row in shared.get(option, {}) and option not in self.filters]
        if any(option in self.filters for option in text.options):
            links.append("the [filters](options.md#filters)")
        if own:
            lines += ["", "Options:", ""] + ["- `%s`: %s" % (usage, self.prose(does, name)) for usage, does in own]
        if links:
            lines += ["", "%s: %s." % ("Other options" if own else "Options", ", ".join(links))]
        return lines

    def block_of_option(self, ways):
        lines = []
        for (usage, does), commands in ways.items():
            lines += ["", "    " + usage, "", self.prose(does)]
            if len(ways) > 1:
                lines += ["", "Commands: %s." % ", ".join("[`%s`](%s.md)" % (name, name) for name in commands)]
        return lines[1:]

    def block_of_setting(self, name):
        text = Help(ask("help set " + name))
        value = gdb.parameter(name)
        return [self.prose(text.first), "", "    set %s %s" % (name, "|".join(complete("set %s " % name)) or "VALUE"), "",
                self.prose(text.body), "", "Default: %s." % ("`%s`" % value if value else "no value")]

    def block_of_function(self, text):
        return [self.prose(text.first), "", "    " + text.usage, "", self.prose(text.body)]

    def block_of_python(self, name, function):
        return ["    %s%s" % (name, inspect.signature(function)), "", self.prose(inspect.getdoc(function))]

    def block_of_commands(self):
        lines = ["[`prof`](prof.md) begins the names of all of them: `prof tree` is `prof-tree`."]
        for title, listed in self.groups.items():
            lines += ["", title + ":", "", "| command | what it does |", "|---|---|"]
            lines += ["| [`%s`](%s.md) | %s |" % (name, PAGES.get(name, name), self.prose(self.commands[name].first, name))
                      for name in ("prof-" + rest for rest in listed)]
        return lines

    def block_of_shell(self):
        return [ask_shell()[1].partition("\n")[0], ""] + ["    " + usage for usage, _ in self.usages]

    def block_of_action(self, name):
        usage, rest = ask_shell(name)
        first, _, body = rest.partition("\n\n")
        text = Help("%s\nUsage: %s\n%s" % (first, usage, body))
        # The options of its view, which is this by default, have pages of their own.
        views = self.commands["prof-functions"].options if name == "report" else ()
        return [self.prose(first), "", "    " + usage, "", self.prose(text.body), "", "Options:", ""] + [
            "- `%s`: %s" % (usage, self.prose(does)) for option, (usage, does) in text.options.items()
            if option not in views]

    def blocks(self):
        """{(page, key): the lines of its block}"""
        blocks = {(PAGES.get(name, name), name): self.block_of_command(name, text)
                  for name, text in self.commands.items()}
        blocks.update({("options", option): self.block_of_option(ways) for option, ways in self.shared().items()})
        blocks.update({("settings", "set " + name): self.block_of_setting(name) for name in self.settings})
        blocks["settings", "show prof version"] = [Help(ask("help show prof version")).first]
        blocks.update({("functions", name): self.block_of_function(text) for name, text in self.functions.items()})
        blocks.update({("python", name): self.block_of_python(name, value) for name, value in self.python.items()})
        blocks["gdbprof", "gdbprof"] = self.block_of_shell()
        blocks.update({("gdbprof", "gdbprof " + name): self.block_of_action(name) for _, name in self.usages})
        blocks["README", "commands"] = self.block_of_commands()
        return blocks

    def rewrite(self):
        """Rewrite the pages; the problems, a sentence each."""
        blocks = self.blocks()
        there = [(page, key) for page, text in self.pages.items() for _, key, _ in BLOCK.findall(text)]
        problems = ["%s.md has no block \"%s\"." % place for place in blocks if there.count(place) != 1]
        problems += ["%s.md has a block \"%s\", which help does not have." % place
                     for place in there if place not in blocks]
        for page, text in self.pages.items():
            new = BLOCK.sub(lambda found, page=page: "%s%s\n%s" % (
                found.group(1), "\n".join(blocks.get((page, found.group(2)), [])), found.group(3)), text)
            if new != text:
                with open(os.path.join(FOLDER, page + ".md"), "w", encoding="utf-8") as file:
                    file.write(new)
        return problems


_problems = Reference().rewrite()
if _problems:
    print("\n".join(_problems))
    sys.exit(1)
