# SPDX-License-Identifier: GPL-3.0-or-later
"""A stub for GDB that plays a Cortex-M whose program counter sample register can be read while it runs."""

import random
import re
import socket
import subprocess
import threading
import time

PCSR = 0xe000101c
REGISTERS = ["r%d" % i for i in range(13)] + ["sp", "lr", "pc", "xpsr"]
FEATURES = ('<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target version="1.0">'
            '<architecture>armv7</architecture><feature name="org.gnu.gdb.arm.m-profile">%s</feature></target>')
PACKET = re.compile(rb"\$([^#]*)#..|\x03", re.DOTALL)


def symbols(image):
    """The addresses and sizes of the functions of IMAGE, by name."""
    text = subprocess.run(["nm", "-S", image], stdout=subprocess.PIPE, check=True).stdout.decode()
    return {words[3]: (int(words[0], 16) & ~1, int(words[1], 16))
            for words in map(str.split, text.splitlines()) if len(words) == 4}


class Board(threading.Thread):
    """Runs IMAGE, as GDB sees it: it is in the functions of SHARES, a dictionary, as often as that says, and comes to
    the first breakpoint when the register was read READS times.  One of these WAYS:

    plain:  it can be read while it runs;
    blank:  it can, but the register has no address, as where the unit is off;
    error:  the answer is an error;
    silent: it does not answer before it is asked to stop;
    late:   it takes longer to answer than anybody waits;
    busy:   it reports the breakpoint just before it answers.
    """

    def __init__(self, image, shares, reads, way="plain"):
        super().__init__(daemon=True)
        self.places = symbols(image)
        self.shares, self.left, self.way = shares, reads, way
        self.random = random.Random(1)
        self.pc = self.places["start"][0]
        self.breakpoint = None
        self.running = False
        self.asked = 0
        self.unanswered = []
        self.acknowledges = True
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.start()

    def run(self):
        data = b""
        with self.listener, self.listener.accept()[0] as self.wire:
            self.wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                while True:
                    got = self.wire.recv(65536)
                    if not got:
                        return
                    data += got
                    for found in PACKET.finditer(data):
                        data = data[found.end() - len(data):] if found.end() < len(data) else b""
                        self._take(found.group(1) or b"")
            except OSError:
                pass  # GDB has gone

    def _send(self, body, kind=b"$"):
        self.wire.sendall(b"%s%s#%02x" % (kind, body, sum(body) & 0xff))

    def _take(self, body):
        if self.acknowledges:
            self.wire.sendall(b"+")
        answer = self._answer(body.decode())
        if answer is not None:
            self._send(answer.encode())

    def _stop(self, report, pc=None):
        """The core stops, which GDB is told."""
        if not self.running:
            return
        self.running = False
        if pc is not None:
            self.pc = pc
        self._send(b"Stop:" + report, b"%")

    def _answer(self, body):
        """What the packet BODY is answered by; None: by nothing."""
        if body.startswith("qSupported"):
            return "PacketSize=4000;QNonStop+;QStartNoAckMode+;qXfer:features:read+"
        if body == "QStartNoAckMode":
            self._send(b"OK")
            self.acknowledges = False
            return None
        if body.startswith("qXfer:features:read:target.xml"):
            return "l" + FEATURES % "".join('<reg name="%s" bitsize="32"/>' % name for name in REGISTERS)
        if body == "?":
            return "OK" if self.running else "T05thread:1;"
        if body == "vCont?":
            return "vCont;c;C;s;S;t"
        if body.startswith("vCont;t"):
            for answer in self.unanswered:
                self._send(answer)
            self.unanswered = []
            self._send(b"OK")
            self._stop(b"T00thread:1;", self._place())
            return None
        if body.startswith(("vCont;c", "vCont;s")):
            self.running = True
            return "OK"
        if body.startswith("m"):
            return self._read(*(int(word, 16) for word in body[1:].split(",")))
        if body[0:1] in ("Z", "z"):
            self.breakpoint = int(body.split(",")[1], 16) if body[0] == "Z" else None
            return "OK"
        known = {"QNonStop:1": "OK", "QNonStop:0": "OK", "vStopped": "OK", "qfThreadInfo": "m1", "qsThreadInfo": "l",
                 "qC": "QC1", "qAttached": "1", "D": "OK", "g": self._registers()}
        if body.startswith("H") or body.startswith("T"):
            return "OK"
        return known.get(body, "")

    def _registers(self):
        values = [0] * 13 + [0x20008000, 0xffffffff, self.pc, 0x01000000]
        return "".join(value.to_bytes(4, "little").hex() for value in values)

    def _place(self):
        """Where the core is: in a function by its share, not at its first instruction."""
        name = self.random.choices(list(self.shares), list(self.shares.values()))[0]
        begin, size = self.places[name]
        return begin + 2 * self.random.randrange(1, size // 2)

    def _read(self, address, size):
        if not self.running or address != PCSR or size != 4:
            return "00" * size
        self.asked += 1
        self.left -= 1
        value = 0xffffffff if self.way == "blank" else self._place()
        answer = value.to_bytes(4, "little").hex()
        if self.way == "error":
            answer = "E01"
        if self.way == "late":
            time.sleep(1.5)
        if self.way == "silent":
            self.unanswered.append(answer.encode())
            return None
        # A core that is not read comes there as well.
        ends = self.left <= 0 or self.way in ("error", "late")
        if not ends or self.breakpoint is None:
            return answer
        if answer is not None and self.way != "busy":
            self._send(answer.encode())
            answer = None
        self._stop(b"T05thread:1;", self.breakpoint)
        return answer
