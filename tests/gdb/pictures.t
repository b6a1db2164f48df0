#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures: prof-flame draws flame graphs as SVG, which a real browser shows, zooms and searches."""

import os
import re
import tempfile
import xml.etree.ElementTree as ElementTree

from answers import says
from browser import BROWSER, Browser
from session import Gdb, lacking, ok, plan, skip, wait_until

SVG = "{http://www.w3.org/2000/svg}"

# 100 samples; in g and what it calls are 60 of them, 20 more in the other g.
STACKS = "main;f;g;h 40\nmain;f;g 20\nmain;f 10\nmain;e;g 20\nmain;rest 9\nmain;tiny;bit 1\n"

# What is not to be run, by whatever part of the picture it comes to.
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

ERRORS = "return [window.hacked === undefined, document.querySelectorAll('parsererror').length]"
BOX = """const box = [...document.querySelectorAll('#boxes g')].find(
             g => g.querySelector('title').textContent.startsWith(arguments[0] + '\\n'));"""
STATE = BOX + """const rect = box.querySelector('rect').getBoundingClientRect();
         return {left: rect.left, width: rect.width, shown: box.style.display !== 'none',
                 text: (box.querySelector('text') || {}).textContent,
                 focused: box === document.activeElement, hit: box.classList.contains('hit'),
                 all: document.documentElement.getBoundingClientRect().width};"""


def write(name, data):
    with open(name, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def titles(path):
    """What is said of each box of the picture PATH, by its name; of the same name, the first."""
    root = ElementTree.parse(path).getroot()
    found = {}
    boxes = next(group for group in root.iter(SVG + "g") if group.get("id") == "boxes")
    for title in boxes.iter(SVG + "title"):
        name, about = title.text.split("\n", 1)
        found.setdefault(name, about)
    return found


def words(path):
    """All that is written in the picture PATH, a line each."""
    return "\n".join("".join(text.itertext())
                     for text in ElementTree.parse(path).getroot().iter(SVG + "text"))


def is_written(text):
    """Does prof-flame say that it has written a file, and nothing else?"""
    return re.fullmatch(r"\s*\S+ is written\.\s*", text)


def test_written():
    """What stands in the file, without any script."""
    out = Gdb().run("prof-load stacks", "prof-flame plain.svg", "prof-flame deep.svg --max-depth=1",
                    "prof-flame g.svg --function=g --metric=samples", "prof-flame none.svg --metric=cpu",
                    "prof-flame picture", "prof-flame x.svg --output=y", "prof-flame .svg",
                    "prof-flame /no/such.svg", "prof-flame a.svg --metric=cpu,wall",
                    "prof-flame inverted.svg --inverted", "prof-flame --inverted",
                    "prof-load grind", "prof-flame x.svg", "prof-flame x.svg --chart", "prof-flame x.svg stacks",
                    "prof-load wide", "prof-flame wide.svg")
    ok(all(is_written(text) for text in out[1:5]), "pictures are drawn, and that is said",
       "".join(out[1:5]))
    about = titles("plain.svg")
    ok(about["<Total>"] == "100 samples, 100.00 %" and
       about["g"] == "60 samples, 60.00 %; itself 20 samples\n<Unknown>" and
       about["e"].startswith("20 samples, 20.00 %\n"), "boxes say what they are", about)
    text = words("plain.svg").split("\n")
    ok({"stacks: Samples", "<Total>", "main", "f", "g", "h", "rest"} <= set(text) and
       "Left out" not in "".join(text), "their names can be read without a script", text)
    with open("plain.svg") as file:
        links = re.findall(r"\b(?:href|src|url\((?!#)|@import|https?:)[^\s>\"]*", file.read())
    ok(links == ["http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"], "nothing is fetched from anywhere", links)
    ok("h" not in titles("deep.svg") and "g" not in titles("deep.svg") and
       "Left out: 3 boxes deeper than 1, with all below: 81.00 % of all." in words("deep.svg"),
       "--max-depth leaves out, and the picture says how much", words("deep.svg"))
    ok(titles("g.svg")["<Total>"].startswith("80 samples") and
       "Filter: --function=g (3 of 6 records)." in words("g.svg"), "a filter is told of",
       words("g.svg"))
    ok('All values of the metric "cpu" are 0.' in words("none.svg"), "so is that there is nothing",
       words("none.svg"))
    ok(says(out[5], '"picture"', ".svg") and says(out[6], "--output") and says(out[7], '".svg"') and
       says(out[8], '"/no/such.svg"') and says(out[9], "one value"), "what cannot be is refused",
       "".join(out[5:10]))
    about = titles("inverted.svg")
    ok(about["h"] == "40 samples, 40.00 %\n<Unknown>" and
       list(about)[:4] == ["<Total>", "g", "f", "main"], "--inverted begins with what was running",
       about)
    ok(says(out[11], "--inverted", "FILE.svg"), "which is for pictures", out[11])
    ok(all(says(text, "stacks") for text in out[13:16]), "what has no stacks has no picture",
       "".join(out[12:16]))
    about = titles("wide.svg")
    # A box of 1 in 20000 is 0.06 pixels wide, one of 10 is 0.6.
    ok("broad3" in about and not any(name.startswith("narrow") for name in about) and
       "Left out: 10000 boxes narrower than 0.1 pixels, with all below: 50.00 % of all." in
       words("wide.svg"), "narrow boxes are left out, and the picture says how many",
       words("wide.svg")[-200:])


def test_differences():
    """Two experiments in one picture."""
    write("after", STACKS.replace("g;h 40", "g;h 10").replace("rest 9", "rest 39"))
    out = Gdb().run("prof-load after", "prof-flame one.svg stacks", "prof-flame two.svg after stacks",
                    "prof-flame shares.svg stacks after --normalize --metric=samples --inverted",
                    "prof-flame x.svg --color=difference", "prof-flame x.svg stacks --color=state",
                    "prof-flame x.svg --normalize", "prof-flame --color=state", "prof-flame x.svg none",
                    "prof-flame x.svg stacks after more", "complete prof-flame --color=", "prof-status")
    ok(all(is_written(text) for text in out[1:4]), "differences are drawn", "".join(out[1:4]))
    ok(titles("one.svg")["h"].startswith("A: 40 samples, 40.00 %; B: 10 samples, 10.00 %; "
                                         "B - A: -30 samples\n") and
       "B: the experiment at hand; Samples: 100." in words("one.svg"), "from a file to that at hand",
       titles("one.svg"))
    ok("B - A: +30 samples\n" in titles("two.svg")["h"] and "A: after; " in words("two.svg"),
       "from one file to the other", titles("two.svg"))
    ok("B - A: +30.00 %\n" in titles("shares.svg")["rest"] and list(titles("shares.svg"))[1:3] == ["g", "f"],
       "as shares, and inverted", titles("shares.svg"))
    ok(says(out[4], "--color=difference") and says(out[5], "difference") and
       says(out[6], "--normalize") and says(out[7], "--color", "FILE.svg") and
       says(out[8], '"none"') and says(out[9], '"more"'), "what cannot be is refused", "".join(out[4:10]))
    ok("--color=object" in out[10] and "--color=state" in out[10] and "100 samples" in out[11],
       "colours are completed, and the experiment at hand stays", "".join(out[10:]))


def test_states(browser):
    """The states of threads, of what perf has seen."""
    write("perf", "".join("p 1/1 %d.0: 1 cycles:\n\t%s\n\t1000 main+0x1 (/bin/p)\n\n" % (i, leaf)
                          for i, leaf in enumerate(3 * ["ffffffff81000000 read ([kernel.kallsyms])"] +
                                                   ["2000 work+0x1 (/bin/p)"])))
    out = Gdb().run("prof-load perf", "prof-flame states.svg --color=state")
    about = titles("states.svg")
    ok(about["main"] == "4 samples, 100.00 %\nuser 25.00 %, system 75.00 %\np" and
       about["work"].startswith("1 sample, 25.00 %; itself 1 sample\nuser 100.00 %"),
       "states are told of each box", "%s\n%s" % (out, about))
    browser.open(os.path.abspath("states.svg"))
    parts = """return [...document.querySelectorAll('#boxes g:nth-child(2) rect')].map(rect => {
                   const place = rect.getBoundingClientRect();
                   return [rect.className.baseVal, place.left, place.width]; })"""
    (_, left, all_of_it), user, system = browser.run(parts)
    browser.size(500, 500)
    # The picture follows the window a moment later.
    wait_until(lambda: browser.run(parts)[0][2] < all_of_it)
    (_, _, less), _, small = browser.run(parts)
    browser.size(1000, 700)
    ok(user[0] == "part c11" and system[0] == "part c12" and user[1] == left and
       abs(system[2] / all_of_it - .75) < .001 and less < all_of_it and
       abs(small[2] / less - .75) < .001 and not browser.log(),
       "and stand at its foot, as wide as they are large", (user, system, small))


def state(browser, name):
    return browser.run(STATE, name)


def wide(box):
    """Does BOX take all of the width that there is?"""
    return box["shown"] and box["width"] > box["all"] - 25


def test_mouse(browser):
    browser.open(os.path.abspath("plain.svg"))
    g, h = state(browser, "g"), state(browser, "h")
    ok(browser.run(ERRORS) == [True, 0] and not browser.log(), "a browser has no complaints")
    ok(abs(g["width"] / (g["all"] - 20) - .6) < .01 and abs(h["width"] / g["width"] - 2 / 3) < .01 and
       h["text"] == "h", "boxes are as wide as the window has room", (g, h))
    browser.point("#boxes g:nth-child(3) rect")
    ok(browser.run("return document.querySelector('#details').textContent") ==
       "f   70 samples, 70.00 %; itself 10 samples   <Unknown>", "hovering tells what a box is")
    browser.click("#boxes g:nth-child(4) rect")
    g, f, rest, h = (state(browser, name) for name in ("g", "f", "rest", "h"))
    ok(wide(g) and wide(f) and not rest["shown"] and abs(h["width"] / g["width"] - 2 / 3) < .01,
       "a click zooms", (g, f, rest, h))
    browser.size(700, 500)
    g = state(browser, "g")
    ok(wide(g) and g["all"] < 750, "another width of the window is filled too", g)
    browser.size(1000, 700)
    browser.click("#reset")
    g, rest = state(browser, "g"), state(browser, "rest")
    ok(not wide(g) and rest["shown"], "all is shown again", (g, rest))
    before = state(browser, "bit")
    browser.click("#boxes g:last-child rect")
    ok(not before["text"] and wide(state(browser, "bit")) and state(browser, "bit")["text"] == "bit",
       "what was too narrow for its name has it then", (before, state(browser, "bit")))
    browser.keys("Escape")


def found(browser):
    return browser.run("return document.querySelector('#matched').textContent")


def test_keys(browser):
    browser.open(os.path.abspath("plain.svg"))
    browser.keys("/", "G")
    ok(found(browser) == "2 found, matched 80.00 %" and state(browser, "g")["hit"] and
       not state(browser, "f")["hit"], "/ searches, whatever the case", found(browser))
    browser.keys("Escape")
    ok(found(browser) == "" and not state(browser, "g")["hit"], "Esc ends it")
    browser.keys("Control+f", "m", "a", "i", "Enter")
    ok(found(browser) == "1 found, matched 100.00 %" and state(browser, "main")["focused"],
       "Ctrl-F searches, Enter goes there", found(browser))
    browser.keys("Escape", "Down", "Down")
    ok(state(browser, "g")["focused"], "arrows go down", state(browser, "g"))
    browser.keys("Up", "Right")
    ok(state(browser, "e")["focused"], "up, and to the side", state(browser, "e"))
    browser.keys("Left", "Enter")
    ok(wide(state(browser, "f")) and not state(browser, "e")["shown"], "Enter zooms")
    browser.keys("Escape")
    ok(state(browser, "e")["shown"] and not wide(state(browser, "f")), "Esc shows all again")
    browser.keys("/", "g", "Enter", "n")
    second = browser.run("return document.activeElement.box.parent.name")
    browser.keys("Escape")
    ok(second == "e", "and Enter goes from one to the next", second)
    browser.open(os.path.abspath("plain.svg"))
    reached = []
    for _ in range(5):
        browser.keys("Tab")
        reached.append(browser.run("const at = document.activeElement || {};"
                                   "return at.box ? 'box' : at.id || ''"))
    ok("box" in reached and "search" in reached, "Tab comes to the boxes and to the search", reached)
    ok(not browser.log(), "without complaints")


def test_colors(browser):
    script = """const style = name => getComputedStyle(document.querySelector(name));
        return [style('svg').backgroundColor, style('#boxes text').fill, style('#boxes rect').fill]"""
    seen = []
    for scheme in ("light", "dark"):
        browser.scheme(scheme)
        seen.append([sum(map(int, re.findall(r"\d+", color)[:3])) for color in browser.run(script)])
    light, dark = seen
    ok(light[0] > 700 and light[1] < 200 and light[2] > 400 and dark[0] < 100 and dark[1] > 600 and
       dark[2] < 350, "it is light or dark as the reader has it", seen)


def test_charts(browser):
    """What was over time: a list of calls, and a recording with its marks."""
    write("calls", "thread 7 main\ncall a 0 0\ncall b 1 1\nret 3 3\nret 4 4\n"
          "thread 9 other\ncall c 2 2\nret 4 4\nthread 7\ncall d 6 6\nret 8 8\n")
    out = Gdb().run("prof-load calls", "prof-flame calls.svg --chart", "prof-flame x.svg --chart --inverted",
                    "prof-flame x.svg calls --chart")
    ok(is_written(out[1]) and says(out[2], "chart") and says(out[3], "chart") and
       titles("calls.svg")["b"].startswith("2.000000 s from 1.000000 s; 2 samples, 25.00 %; itself") and
       "main (7)" in words("calls.svg") and "other (9)" in words("calls.svg"), "calls over time",
       "%s\n%s" % ("".join(out), words("calls.svg")))
    browser.open(os.path.abspath("calls.svg"))
    boxes = {name: state(browser, name) for name in "abcd"}
    unit = (boxes["a"]["all"] - 20) / 8
    ok(all(abs(boxes[name]["left"] - 10 - begin * unit) < 1 and abs(boxes[name]["width"] - length * unit) < 1
           for name, begin, length in (("a", 0, 4), ("b", 1, 2), ("c", 2, 2), ("d", 6, 2))),
       "each box is where it was in time", boxes)
    scale = "return [...document.querySelectorAll('#axis text')].map(text => text.textContent)"
    before = browser.run(scale)
    browser.keys("/", "b")
    share = found(browser)
    browser.keys("Escape", "Down", "Down", "Down")
    other = state(browser, "c")["focused"]
    browser.keys("Up", "Down", "Down", "Enter")
    after, b, c, d = browser.run(scale), state(browser, "b"), state(browser, "c"), state(browser, "d")
    ok(before == ["%d s" % i for i in range(9)] and share == "1 found, matched 25.00 %" and other and
       after[0] == "1 s" and after[-1] == "3 s" and wide(b) and not d["shown"] and
       c["shown"] and abs(c["width"] / b["width"] - .5) < .01 and not browser.log(),
       "all lanes and the scale are zoomed", (before, share, other, after, b, c, d))


def test_scale(browser):
    """What stands on a scale is whole, and apart; as it is written, and as the script draws it."""
    write("counts", "main;a 70000\nmain;b 79000\nmain;c 1263\n")
    Gdb().run("prof-load counts", "prof-flame counts.svg --chart")
    places = """return [...document.querySelectorAll('#axis text')].map(text => {
                    const box = text.getBoundingClientRect(); return [box.left, box.right]; })"""
    with open("counts.svg") as file:
        svg = file.read()
    write("still.svg", re.sub(r"<script.*?</script>", "", svg, flags=re.S))
    for name in ("counts.svg", "still.svg"):
        browser.open(os.path.abspath(name))
        found = browser.run(places)
        right = browser.run("return document.documentElement.getBoundingClientRect().right")
        ok(len(found) > 5 and found[-1][1] <= right - 9 and
           all(a[1] < b[0] for a, b in zip(found, found[1:])), name + ": the scale is whole", (right, found))


def test_marks(browser):
    out = Gdb("shares", args=["300"]).run(
        "prof-start --rate=500", "break main", "run", "prof-mark <here> & now", "continue", "prof-stop",
        "prof-flame marks.svg --chart --color=state --metric=wall", "prof-intervals --format=csv")
    browser.open(os.path.abspath("marks.svg"))
    marks = browser.run("""return [...document.querySelectorAll('#marks g')].map(mark => [
                               mark.querySelector('title').textContent,
                               mark.querySelector('line').getBoundingClientRect().left])""")
    labels = [title.split("\n")[0] for title, _ in marks]
    places = [place for _, place in marks]
    ok("<here> & now" in labels and labels[0] == "start" and places == sorted(places) and
       places[-1] - places[0] > 500 and not browser.log(), "marks are drawn in",
       "%s\n%s" % (marks, "".join(out[4:])))
    told = browser.run("""document.querySelectorAll('#marks text')[%d].dispatchEvent(
                              new MouseEvent('mouseover', {bubbles: true}));
                          return document.querySelector('#details').textContent"""
                       % labels.index("<here> & now"))
    ok(re.fullmatch(r"<here> & now   mark at [0-9.]+ s", told), "and say what they are", told)


def test_hostile(browser):
    """Names with all that a browser might take for its own."""
    write("hostile", b"".join(b"main;%s;%s %d\n" % (name, name, 10 + i)
                              for i, name in enumerate(HOSTILE)))
    out = Gdb().run("prof-load hostile", "prof-flame hostile.svg")
    browser.open(os.path.abspath("hostile.svg"))
    names = browser.run("return [...document.querySelectorAll('#boxes title')]"
                        ".map(title => title.textContent.split('\\n')[0])")
    expected = [name.decode() for name in HOSTILE[:8]] + [
        "control \\x01\\x1b[2J\\x7f\\x0b end", "no UTF-8 \\xff\\xc3(\\xed\\xa0\\x80",
        "no XML \\ufffe\\uffff", "backwards \\u202e", "caf\u00e9 \U0001f525", HOSTILE[13].decode()]
    ok(sorted(names) == sorted(["<Total>", "main"] + expected * 2), "hostile names are shown as text",
       "%s\n%s" % (out, names))
    ok(browser.run("""return document.querySelectorAll('script').length === 1 &&
                      !document.querySelector('#boxes img, #boxes foreignObject, [onclick], [onload]') &&
                      !document.querySelector('#boxes :not(g, title, rect, text)')"""),
       "and are nothing but text")
    for number in range(3, 2 * len(HOSTILE), 5):
        browser.click("#boxes g:nth-child(%d) rect" % number)
        browser.keys("Escape")
    write("threads", b"".join(b"thread %d \"%s\"\ncall \"%s\" 0 0\nret 9 9\n" % (
        i, *2 * [name.replace(b"\\", b"").replace(b'"', b"'")]) for i, name in enumerate(HOSTILE, 1)))
    out += Gdb().run("prof-load threads", "prof-flame lanes.svg --chart")
    browser.open(os.path.abspath("lanes.svg"))
    lanes = browser.run("return [...document.querySelectorAll('.lane')].map(lane => lane.textContent)")
    ok(len(lanes) == len(HOSTILE) and expected[0] + " (1)" in lanes and expected[12] + " (13)" in lanes and
       browser.run(ERRORS) == [True, 0] and not browser.log(), "threads' names are text too",
       "%s\n%s" % (out, lanes))
    browser.open(os.path.abspath("hostile.svg"))
    browser.keys("/", *"</script>")
    ok(found(browser).startswith("4 found, ") and browser.run(ERRORS) == [True, 0] and
       not browser.log(), "whatever one does with them, nothing in them is run", found(browser))


def test_many(browser):
    """Twenty thousand boxes are not too many."""
    write("many", "".join("main;a%d;b%d;c%d;d%d 2\n" % (i // 64, i // 8, i // 2, i)
                          for i in range(10100)))
    Gdb().run("prof-load many", "prof-flame many.svg")
    browser.open(os.path.abspath("many.svg"))
    boxes = browser.run("return document.querySelectorAll('#boxes g').length")
    browser.keys("/", *"b77")
    share = found(browser)
    browser.keys("Enter", "Enter", "Escape")
    ok(boxes > 16000 and share.startswith("11 found, matched 0.87 %") and not browser.log(),
       "20000 boxes are drawn and searched", (boxes, share))


WRITTEN, SHOWN = 18, 7 + 10 + 1 + 2 + 3 + 2 + 2 + 4 + 1

plan(WRITTEN + SHOWN)
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    write("stacks", STACKS)
    write("grind", "events: Ir\nfn=main\n1 5\ncfn=g\ncalls=1 2\n1 7\nfn=g\n2 7\n")
    write("wide", "".join("main;broad%d 1%s" % (i, "0\n" if i < 1000 else "\n") for i in range(1000)) +
          "".join("main;narrow%d 1\n" % i for i in range(10000)))
    test_written()
    test_differences()
    why = lacking(*BROWSER)
    if why:
        skip(SHOWN, "in a browser", why)
    else:
        with Browser() as browser:
            test_mouse(browser)
            test_keys(browser)
            test_colors(browser)
            test_states(browser)
            test_charts(browser)
            test_scale(browser)
            test_marks(browser)
            test_hostile(browser)
            test_many(browser)
    os.chdir("/")
