#!/usr/bin/python3
"""Every source file has its test, is of a size that can be read, and leaves nothing to do."""

import os
import re

from tree import TOP, files, none, plan, read, stages

plan(4)

# Files that are tested through a neighbour: what they do shows there, and hardly without it.
THROUGH = {
    "agent/agent": "agent_thread",
    "agent/hooks": "agent_heap",
    "agent/map": "agent_heap",
    "agent/preload": "agent_heap",
    "agent/record": "agent_thread",
    "agent/signature": "agent_trace",
    "agent/stage": "agent_thread",
    "agent/system": "agent_sync",
    "agent/calibration": "agent_sync",
    "experiment/event_threads": "experiment_events",
    "target/code": "target_link",
    "target/fde": "target_cfi",
    "target/scan": "target_unwind",
    "target/space": "target_unwind",
    "target/step": "target_cfi",
    "target/window": "target_expression",
    "sample/blocks": "sample_cells",
    "sample/extents": "sample_cells",
    "sample/stacks": "sample_drain",
    "sample/tell": "sample_drain",
    "sample/tick": "sample_ticker_signals",
    "sample/traced": "view_dump",
    "experiment/calls": "experiment_events",
    "experiment/content": "experiment_pprof",
    "experiment/database": "experiment_store",
    "experiment/lines": "experiment_folded",
    "experiment/schema": "experiment_store",
    "experiment/types": "experiment_pprof",
    "metric/data": "view_data",
    "metric/filter": "metric_selection",
    "metric/live": "view_heap",
    "metric/locks": "view_locks",
    "metric/traces": "view_traces",
    "metric/phases": "view_phases",
    "view/changes": "view_compare",
    "view/descent": "view_tree",
    "view/folded": "view_export",
    "view/grid": "view_table",
    "view/hover": "view_picture",
    "view/json": "view_table",
    "view/listing": "view_source",
    "view/measures": "view_items",
    "view/named": "view_callers",
    "view/order": "view_items",
    "view/panels": "view_callers",
    "view/paint": "view_picture",
    "view/places": "view_export",
    "view/print": "view_view",
    "view/sheet": "view_view",
    "view/stack": "view_blocks",
    "view/svg": "view_picture",
    "view/svg_chart": "view_picture",
    "view/svg_draw": "view_picture",
    "view/tower": "view_chart",
    "view/wanted": "view_source",
}

units = {os.path.basename(path)[:-2] for path in files("tests/unit", ends=".c")}


def own_test(stage, name):
    """The test of the file NAME: of its name, of a part of it, or several that begin with it."""
    words = name.split("_")
    names = ["_".join([stage] + words[:i]) for i in range(len(words), 0, -1)]
    family = "%s_%s_" % (stage, words[0])
    return any(test in units for test in names) or any(test.startswith(family) for test in units)


untested, stale = [], []
for path in files(*("core/" + stage for stage in stages() + ["agent"]), ends=".c"):
    stage, name = path[:-2].split("/")[1:]
    through = THROUGH.get(stage + "/" + name)
    if own_test(stage, name):
        if through:
            stale.append("%s/%s has a test of its own" % (stage, name))
    elif through not in units:
        untested.append("%s has no tests/unit/%s_%s.c" % (path, stage, name))
none(untested, "every file of the core has its test")
none(stale + ["%s is no file" % name for name in THROUGH
              if not os.path.exists(os.path.join(TOP, "core", name + ".c"))],
     "no exception to that is out of date")

none(["%s has %d lines" % (path, lines) for path, lines in
      ((path, len(read(path).splitlines()))
       for path in files("core", "plugin", "gdbscripts", "examples", ends=(".c", ".h", ".py")))
      if lines > 600],
     "no source file is longer than 600 lines")

LEFT = re.compile("|".join(["TO" + "DO", "FIX" + "ME"]))
none(["%s:%d" % (path, number)
      for path in files("core", "plugin", "gdbscripts", "examples", "tests", "doc",
                        ends=(".c", ".cc", ".h", ".py", ".t", ".gdb", ".md")) + ["Makefile"]
      for number, line in enumerate(read(path).splitlines(), 1) if LEFT.search(line)],
     "nothing is left to be done later")
