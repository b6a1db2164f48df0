#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as a page: what a real browser shows of it is what the views show; by mouse and keys, wide and narrow."""

import base64
import csv
import gzip
import io
import itertools
import json
import math
import os
import re
import subprocess
import tempfile

from answers import says
from browser import BROWSER, Browser
from session import MORE, Gdb, lacking, ok, plan, skip, wait_until

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMAND = os.path.join(os.environ["GDBPROF_BUILD"], "gdbprof")
RECURSIVE = ("main;f;g;f;g;h 40\nmain;f;f;g 20\nmain;f 10.5\nmain;e;g 20\nmain;rest 9\nmain;f;g;f 3\n"
             "main;e;f;e;g;e 2\nother;f;x;f;f 5\n")
RUN = "window.hacked=1"
HOSTILE = [
    b"<script>" + RUN.encode() + b"</script>",
    b"</title></g></svg><script>" + RUN.encode() + b"</script>",
    b"</text><foreignObject><img src=x onerror='" + RUN.encode() + b"'/></foreignObject>",
    b"\" onload=\"" + RUN.encode() + b"\" x=\"",
    b"' onclick='" + RUN.encode() + b"'",
    b"]]>" + RUN.encode() + b"<![CDATA[",
    b"<!ENTITY x \"y\">&x &lt &#60script>",
    b"javascript:" + RUN.encode(),
    b"control \x01\x1b[2J\x7f\x0b end",
    b"no UTF-8 \xff\xc3(\xed\xa0\x80",
    b"no XML \xef\xbf\xbe\xef\xbf\xbf",
    b"backwards \xe2\x80\xae",
    b"caf\xc3\xa9 \xf0\x9f\x94\xa5",
    b"${" + RUN.encode() + b"}",
]
SHOWN_HOSTILE = [name.decode() for name in HOSTILE[:8]] + [
    "control \\x01\\x1b[2J\\x7f\\x0b end", "no UTF-8 \\xff\\xc3(\\xed\\xa0\\x80", "no XML \ufffe\uffff",
    "backwards \\u202e", "caf\u00e9 \U0001f525", HOSTILE[13].decode()]

# By name: the exclusive and inclusive figures of the functions that are shown.
FUNCTIONS = """const found = [];
    for (const row of document.querySelectorAll('#panel-functions .body .row')) {
        const [exclusive, , inclusive, , name] = row.children;
        found.push([name.textContent, exclusive.title, inclusive.title]);
    }
    return found;"""
ROWS = """return [...document.querySelectorAll(arguments[0] + ' .body .row')].map(
              row => [...row.children].map(cell => cell.textContent))"""
# All nodes of the collapsed tree as prof-tree has them.
TREE = """return report.tab.tree.slice(1).map(node => [
              String(node.level), report.model.data.function_name[node.item], node.stub ? '1' : '0',
              node.stub ? '' : report.model.number(node.value, true),
              node.stub ? '' : report.model.number(node.own, true)])"""
ACTIVE = "const at = document.activeElement; return at.id || at.className"
STATUS = "return document.querySelector('#status').textContent"
# Of each text that is seen: the contrast to what is behind it, and the text, if it is too low.
CONTRAST = """const channel = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const parts = color => color.match(/[0-9.]+/g).map(Number);
    const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    const behind = at => {
        for (; at; at = at.parentElement) {
            const color = parts(getComputedStyle(at).backgroundColor);
            if (color.length === 3 || color[3] > 0)
                return color;
        }
        return [255, 255, 255];
    };
    const low = [];
    let count = 0;
    for (const at of document.querySelectorAll('body *')) {
        const own = [...at.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        if (!own || !at.getClientRects().length || at.closest('script, style, title'))
            continue;
        const svg = at.namespaceURI.endsWith('svg');
        const ink = parts(getComputedStyle(at)[svg ? 'fill' : 'color']);
        const paper = svg ? parts(getComputedStyle(at.parentElement.querySelector('rect')).fill) : behind(at);
        count++;
        if (ratio(ink, paper) < 4.5)
            low.push([at.textContent.slice(0, 40), ratio(ink, paper)]);
    }
    return [count, low];"""


def write(name, data):
    with open(name, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def gdbprof(*arguments):
    """What `gdbprof` prints."""
    done = subprocess.run([COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout.decode(errors="replace")


def view(*arguments):
    """The rows of a view, as CSV has them."""
    return list(csv.DictReader(io.StringIO(gdbprof("report", "--format=csv", *arguments))))


def data_of(path):
    """The data in the page PATH, packed and not."""
    with open(path, encoding="utf-8") as file:
        text = re.search(r'id="data">(.*?)</script>', file.read(), re.S)[1]
    packed = base64.b64decode(text)
    return packed, gzip.decompress(packed)


def goto(browser, name, link=""):
    """Open the page NAME at LINK, as one would from elsewhere."""
    browser.open("/dev/null")
    browser.open(os.path.abspath(name) + link)
    wait_until(lambda: browser.run("return !!window.report || !!document.querySelector('[role=alert]')"))


def link(browser, to):
    """Follow the link TO within the page."""
    browser.run("location.hash = arguments[0]", to)
    wait_until(lambda: browser.run("return location.hash === arguments[0]", to))


def figures(rows):
    """Of [name, exclusive, inclusive]: those that are any, by name, summed up and rounded."""
    found = {}
    for name, exclusive, inclusive in rows:
        one, other = found.get(name, (0, 0))
        found[name] = (one + float(exclusive), other + float(inclusive))
    return {name: (round(a, 7), round(b, 7)) for name, (a, b) in found.items() if a or b}


def same(shown, rows):
    """Does the page show what the view's ROWS have?"""
    return figures(shown) == figures((row["name"], row["exclusive"], row["inclusive"]) for row in rows)


def test_written():
    """What is written, without a browser."""
    out = Gdb().run("prof-load rec", "prof-report a.html", "prof-report a.txt", "prof-report",
                    "prof-report b.html --function=h", "prof-report /no/d.html", "prof-load grind", "prof-report c.html")
    gdbprof("html", "rec", "-o", "shell.html")
    ok("a.html is written." in out[1] and says(out[2], ".html") and "b.html is written." in out[4] and
       says(out[5], "/no/d.html") and says(out[7], "stacks") and not os.path.exists("c.html"),
       "prof-report writes a page", out)
    ok(data_of("a.html") == data_of("shell.html"), "as gdbprof html does")
    ok(len(json.loads(data_of("b.html")[1])["sample_node"]) == 1, "a filter chooses what is in it")
    with open("a.html", encoding="utf-8") as file:
        text = re.sub(r'id="data">.*?</script>', "", file.read(), flags=re.S)
    links = set(re.findall(r"(?<!-)\b(?:src|url\((?!#)|@import|https?:|<link)[^\s>\"]*", text))
    ok(links == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"}, "nothing is fetched from anywhere", links)
    bad = gdbprof("html", "none", "-o", "x.html")
    ok("none" in bad and not os.path.exists("x.html") and "Name a profile" in gdbprof("html"), "errors are told", bad)


# How the colors of light look to readers without the cones for red, green or blue (Machado and others, 2009).
CONES = {"all": [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
         "no red": [(.152286, 1.052583, -.204868), (.114503, .786281, .099216), (-.003882, -.048116, 1.051998)],
         "no green": [(.367322, .860646, -.227968), (.280085, .672501, .047413), (-.011820, .042940, .968881)],
         "no blue": [(1.255528, -.076749, -.178779), (-.078411, .930809, .147602), (.004733, .691367, .303900)]}
DIFFERENT = 20  # between two colors in CIELAB; 2 can just be told apart


def light_of(color):
    """The parts of COLOR, in hex digits, as light."""
    parts = [int(color[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    return [part / 12.92 if part <= .04045 else ((part + .055) / 1.055) ** 2.4 for part in parts]


def lab(light):
    """LIGHT as a place in CIELAB."""
    def curve(value):
        return value ** (1 / 3) if value > .008856 else 7.787 * value + 16 / 116
    red, green, blue = (min(1, max(0, part)) for part in light)
    x = curve((.4124 * red + .3576 * green + .1805 * blue) / .9505)
    y = curve(.2126 * red + .7152 * green + .0722 * blue)
    z = curve((.0193 * red + .1192 * green + .9505 * blue) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_colors():
    """Load objects and states can be told apart by readers who are color-blind."""
    with open(os.path.join(TOP, "core/picture/flame.css"), encoding="utf-8") as file:
        schemes = file.read().split("@media (prefers-color-scheme: dark)")
    near, checked = [], 0
    for scheme, numbers, (eyes, rows) in itertools.product(schemes, (range(1, 9), range(11, 18)), CONES.items()):
        colors = [light_of(re.search(r"\.c%d { fill: #(\w{6})" % number, scheme)[1]) for number in numbers]
        seen = [lab([sum(a * b for a, b in zip(row, color)) for row in rows]) for color in colors]
        for (one, a), (other, b) in itertools.combinations(zip(numbers, seen), 2):
            checked += 1
            if math.dist(a, b) < DIFFERENT:
                near.append((eyes, one, other, math.dist(a, b)))
    ok(checked == 2 * 4 * (28 + 21) and not near, "colors differ for color-blind readers, too", near)


def test_figures(browser):
    """Recursion of all kinds: functions, callers, callees, trees."""
    goto(browser, "shell.html", "#functions")
    ok(same(browser.run(FUNCTIONS), view("rec", "--view=functions")), "functions are those of prof-functions",
       browser.run(FUNCTIONS))
    wrong = []
    for name in ("main", "f", "g", "h", "e", "x", "other", "rest"):
        link(browser, "#callers/" + name)
        rows = view("rec", "--view=callers", "--of=" + name)
        for role, half in (("caller", 1), ("callee", 2)):
            shown = {row[2]: float(row[0]) for row in browser.run(ROWS, "#panel-callers .half:nth-child(%d)" % half)}
            expected = {row["name"]: float(row["attributed"]) for row in rows
                        if row["role"] == role and float(row["attributed"])}
            if shown != expected:
                wrong.append((name, role, shown, expected))
    ok(not wrong, "callers and callees are those of prof-callers", wrong)
    link(browser, "#tree")
    wrong = []
    for degree in ("none", "direct", "conservative", "full"):
        browser.run("const select = document.querySelector('#panel-tree select'); select.value = arguments[0];"
                    "select.dispatchEvent(new Event('change'))", degree)
        shown = sorted(tuple(row) for row in browser.run(TREE))
        expected = sorted(
            (row["level"], row["name"], row["stub"], "" if row["stub"] == "1" else
             "%.15g" % (float(row["direct"]) + float(row["indirect"])),
             "" if row["stub"] == "1" else "%.15g" % float(row["in_only"]))
            for row in view("rec", "--view=tree", "--collapse=" + degree))
        if shown != expected:
            wrong.append((degree, shown, expected))
    ok(not wrong, "trees are those of prof-tree, whatever they collapse", wrong)
    goto(browser, "shell.html", "#functions?within=h")
    ok(same(browser.run(FUNCTIONS), view("rec", "--view=functions", "--function=h")) and
       browser.run(STATUS).startswith("Filter: stacks with h (1 of 8 samples)."), "a filter by function is that of the views",
       (browser.run(FUNCTIONS), browser.run(STATUS)))
    ok("panel-timeline" not in browser.run("return document.body.innerHTML") and not browser.log(),
       "what was imported without times has no timeline", browser.log())


def record():
    """A recording of several threads that has enough samples, as threads.prof."""
    def run(seconds):
        return Gdb("states").run("prof-start --rate=500", "run", "prof-stop", "prof-save threads.prof",
                                 "prof-functions --format=csv")[4]
    return run(1)


def test_recording(browser):
    """What was recorded: threads, times, states, lines with source text."""
    here = os.getcwd()
    os.chdir(TOP)  # the program has the names of its source files from there
    gdbprof("html", here + "/threads.prof", "--sources", "-o", here + "/threads.html")
    os.chdir(here)
    browser.size(1280, 2000)  # all rows are in view
    goto(browser, "threads.html", "#functions?metric=cpu")
    ok(same(browser.run(FUNCTIONS), view("threads.prof", "--view=functions", "--metric=cpu")), "CPU time is that of the views",
       (browser.run(FUNCTIONS), view("threads.prof", "--view=functions", "--metric=cpu")))
    first = next(row["thread"] for row in view("threads.prof", "--view=threads", "--metric=cpu") if row["thread"])
    number = json.loads(data_of("threads.html")[1])["thread_id"].index(int(first))
    link(browser, "#functions?metric=wall&thread=%d" % number)
    ok(same(browser.run(FUNCTIONS), view("threads.prof", "--view=functions", "--metric=wall", "--thread=" + first)),
       "a filter by thread is that of the views")
    seconds = json.loads(data_of("threads.html")[1])["mark_time"][-1] / 1e6
    link(browser, "#functions?metric=wall&from=0&to=%d" % (seconds / 2 * 1e6))
    some = float(browser.run(FUNCTIONS)[0][1])
    link(browser, "#functions?metric=wall")
    every = float(browser.run(FUNCTIONS)[0][1])
    rows = view("threads.prof", "--view=functions", "--metric=wall", "--time=0s-%.6fs" % (int(seconds / 2 * 1e6) / 1e6))
    ok(0 < some < every and abs(some - float(rows[0]["exclusive"])) < .02 * every, "a filter by time, too",
       (some, every, rows[0]))
    link(browser, "#timeline")
    browser.click("#lanes")
    browser.keys("Right")
    one = browser.run(STATUS)
    browser.keys("Right", "Shift+Right")
    two = browser.run("return [report.model.filter.from, report.model.filter.to, report.model.passed]")
    browser.keys("Escape")
    ok(one.startswith("Filter: time ") and two[1] - two[0] > 0 and two[0] > 0 and browser.run(STATUS) == "",
       "keys select a stretch of the timeline", (one, two))
    browser.drag("#lanes", -100, 100)
    dragged = browser.run("return [report.model.filter.from, report.model.filter.to, report.model.end]")
    ok(0 < dragged[0] < dragged[1] < dragged[2], "the pointer does", dragged)
    browser.click("#tab-functions")
    ok(browser.run(STATUS).startswith("Filter: time "), "and it is a filter of all tabs", browser.run(STATUS))
    browser.click("#clear")
    lanes = browser.run("return [...document.querySelectorAll('.lane-name')].length")
    browser.run("document.querySelector('.lane-name').click()")
    ok(lanes == len(view("threads.prof", "--view=threads")) - 1 and browser.run(STATUS).startswith("Filter: thread "),
       "threads have lanes, which are buttons", lanes)
    link(browser, "#lines/user")
    source = browser.run("return [document.querySelector('.code.current').textContent, "
                         "document.querySelectorAll('.code').length]")
    ok("user" in browser.run(ROWS, "#panel-lines")[0][4] or source[1] > 50, "lines have their source text", source)
    rows = {(row[4].split(", ")[1], row[4].split(":")[1].split(",")[0]): float(row[0])
            for row in browser.run(ROWS, "#panel-lines") if ":" in row[4]}
    expected = {tuple(re.match(r'(\S+), line (\d+)', row["name"]).groups()): float(row["exclusive"])
                for row in view("threads.prof", "--view=lines") if ", line " in row["name"]}
    ok(rows and all(expected[key] == value for key, value in rows.items()) and not browser.log(),
       "and the figures of prof-lines", (rows, expected, browser.log()))
    browser.size(1280, 900)


def test_keys(browser):
    """Tabs, tables, search and links, without a mouse."""
    goto(browser, "shell.html")
    browser.run("document.querySelector('#tab-summary').focus()")
    browser.keys("Right", "Right")
    ok(browser.run(ACTIVE) == "tab-functions" and browser.run("return location.hash") == "#functions" and
       browser.run("return document.querySelector('#tab-functions').getAttribute('aria-selected')") == "true",
       "arrows go from tab to tab", browser.run(ACTIVE))
    browser.run("document.querySelector('#panel-functions .table').focus()")
    browser.keys("Down", "Down")
    chosen = browser.run("return document.querySelector('#panel-functions .current').textContent")
    browser.keys("Enter")
    wait_until(lambda: browser.run("return location.hash").startswith("#callers/"))
    ok("h" in chosen and browser.run("return location.hash + document.querySelector('h2.name').textContent") ==
       "#callers/hh", "rows are chosen and opened", (chosen, browser.run("return location.hash")))
    browser.run("history.back()")
    wait_until(lambda: browser.run("return location.hash").startswith("#functions"))
    ok(browser.run("return document.querySelector('#panel-functions .current').textContent").endswith("h"),
       "one can go back", browser.run("return location.hash"))
    browser.keys("/", "R", "e", "s", "t")
    found = [row[4] for row in browser.run(ROWS, "#panel-functions")]
    browser.keys("Escape")
    ok(found == ["<Total>", "rest"] and len(browser.run(ROWS, "#panel-functions")) == 9, "/ searches, Esc ends it", found)
    link(browser, "#tree")
    browser.run("document.querySelector('#panel-tree .table').focus()")
    before = len(browser.run(ROWS, "#panel-tree"))
    browser.keys("Left")
    closed = len(browser.run(ROWS, "#panel-tree"))
    browser.keys("Right")
    ok(closed < before == len(browser.run(ROWS, "#panel-tree")), "Left and Right close and open rows", (before, closed))
    link(browser, "#flame")
    browser.run("document.querySelector('#boxes g').focus()")
    browser.keys("Down", "Down", "Enter")
    zoomed = browser.run("return report.tab.zoomed.map(item => report.model.data.function_name[item])")
    browser.keys("Escape")
    ok(zoomed == ["main", "f"] and browser.run("return report.tab.zoomed.length") == 0,
       "keys zoom the flame graph", zoomed)
    browser.keys("/", "g")
    ok(browser.run("return document.querySelector('#matched').textContent").startswith("5 found, matched 77.63 %") and
       not browser.log(), "and search it", browser.run("return document.querySelector('#matched').textContent"))


def test_mouse(browser):
    goto(browser, "shell.html", "#flame")
    boxes = "return document.querySelectorAll('#boxes g').length"
    before = browser.run(boxes)
    browser.click("#boxes g:nth-child(3) rect")
    wide = browser.run("const f = [...document.querySelectorAll('#boxes g')].find(g => g.box.name === 'f');"
                       "return f.querySelector('rect').getBoundingClientRect().width / f.ownerSVGElement.getBoundingClientRect().width")
    browser.click("#reset")
    browser.click("#inverted")
    inverted = browser.run("return [...document.querySelectorAll('#boxes g')].map(g => g.box).filter(b => b.parent && !b.parent.parent).map(b => b.name)")
    ok(before > 10 and wide > .97 and set(inverted[:2]) == {"g", "h"}, "a click zooms, and callees may stand above", (before, wide, inverted))
    link(browser, "#callers/f")
    browser.click("#panel-callers .half:nth-child(2) .body .row")
    wait_until(lambda: browser.run("return location.hash") == "#callers/g")
    ok(browser.run("return document.querySelector('h2.name').textContent") == "g", "a click goes to a callee")


def test_hostile(browser):
    write("hostile", b"".join(b"main;%s;%s %d\n" % (name, name, 10 + i) for i, name in enumerate(HOSTILE)))
    gdbprof("html", "hostile", "-o", "hostile.html")
    wrong = []
    for tab in ("summary", "flame", "functions", "callers/" + "main", "tree"):
        goto(browser, "hostile.html", "#" + tab)
        if tab == "functions":
            names = [row[4] for row in browser.run(ROWS, "#panel-functions")]
        if browser.run("return window.hacked !== undefined || document.querySelectorAll('script').length !== 2 ||"
                       "document.querySelectorAll('img, foreignObject, [onclick], [onload], title title').length > 0") or browser.log():
            wrong.append((tab, browser.log()))
    ok(sorted(names) == sorted(["<Total>", "main"] + SHOWN_HOSTILE), "hostile names are shown as text", names)
    ok(not wrong, "and are nothing but text", wrong)


def test_looks(browser, name, widths, schemes, tabs):
    """Nothing is wider than the window, and every text can be read."""
    wide, low, seen = [], [], 0
    for scheme in schemes:
        browser.scheme(scheme)
        for width in widths:
            browser.size(width, 900)
            for tab in tabs:
                link(browser, "#" + tab)
                if browser.run("return document.documentElement.scrollWidth > innerWidth"):
                    wide.append((scheme, width, tab))
                count, bad = browser.run(CONTRAST)
                seen += count
                low += [(scheme, width, tab, *entry) for entry in bad]
    ok(not wide, name + ": nothing is wider than the window", wide)
    ok(not low and seen > 20 * len(tabs) * len(widths) * len(schemes) / 2, name + ": texts have the contrast of WCAG AA", (seen, low))
    browser.scheme("light")
    browser.size(1280, 900)


def test_many(browser):
    """100,000 distinct stacks: figures, size, and how long a step takes."""
    lines = []
    state = 7
    for i in range(100000):
        names = []
        for depth in range(14):
            state = (state * 1103515245 + 12345) % 2**31
            names.append("function_%d" % ((state >> 16) % (8 + 20 * depth)))
        lines.append("main;%s;leaf_%d %d\n" % (";".join(names), i % 5000, 1 + state % 7))
    write("many", "".join(lines))
    gdbprof("html", "many", "-o", "many.html")
    packed, plain = data_of("many.html")
    size = os.path.getsize("many.html")
    ok(size < 1.5 * len(packed) and size < 1.5 * len(gzip.compress(plain, 6)), "a large page is below 1.5 times its packed data",
       (size, len(packed)))
    goto(browser, "many.html", "#functions")
    steps = browser.run("""const times = {}, time = (name, work) => {
            const begin = performance.now(); work(); document.body.getBoundingClientRect();
            times[name] = performance.now() - begin; };
        times.load = performance.now();
        time('filter', () => report.filter({within: 3}));
        time('all', () => report.filter({within: -1}));
        for (const tab of ['flame', 'callers', 'tree', 'functions'])
            time(tab, () => report.show(tab));
        report.show('flame');
        time('zoom', () => report.tab.zoom([report.model.functions.item[1]]));
        time('deeper', () => report.tab.zoom(report.tab.layOut()[5].path));
        return times;""")
    print("# 100,000 stacks, %d bytes (%.2f times the packed data), ms: %s" %
          (size, size / len(packed), {name: round(value) for name, value in steps.items()}))
    link(browser, "#functions")
    browser.run("document.querySelector('#panel-functions .table').focus()")
    browser.keys("End")
    rows = view("many", "--view=functions")
    shown = browser.run(ROWS, "#panel-functions")
    expected = {row["name"]: float(row["inclusive"]) for row in rows}
    ok(len(shown) < 100 < len(rows) and all(expected[row[4]] == float(row[2]) for row in shown) and not browser.log(),
       "its figures are those of prof-functions, and few rows are drawn", (len(rows), len(shown), shown[-3:]))


WRITTEN, SHOWN = 6, 5 + 9 + 7 + 2 + 2 + 2 + (4 if MORE else 0)

plan(WRITTEN + SHOWN)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    write("rec", RECURSIVE)
    write("grind", "events: Ir\nfn=main\n1 5\n")
    test_written()
    test_colors()
    why = lacking(*BROWSER)
    if why:
        skip(SHOWN, "in a browser", why)
    else:
        record()
        with Browser() as browser:
            browser.size(1280, 900)
            test_figures(browser)
            test_recording(browser)
            test_keys(browser)
            test_mouse(browser)
            test_hostile(browser)
            goto(browser, "threads.html")
            test_looks(browser, "threads", [400], ["dark"], ["summary", "flame", "functions", "timeline"])
            if MORE:
                every = ["summary", "flame", "functions", "callers", "tree", "timeline", "lines"]
                test_looks(browser, "every tab", [1280, 400], ["light", "dark"], every)
                test_many(browser)
    os.chdir("/")
