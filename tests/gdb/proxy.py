# SPDX-License-Identifier: GPL-3.0-or-later
"""Between GDB and a gdbserver: another stub, which can do less."""

import re
import select
import socket
import threading
import time

PACKET = re.compile(rb"[$%]([^#]*)#..", re.DOTALL)


def packet(body):
    return b"$%s#%02x" % (body, sum(body) & 0xff)


class Proxy(threading.Thread):
    """A stub in front of the one at PORT, which is asked to stop a thread (vCont;t) in one of these
    WAYS:

    unknown: it does not say that it can, and does not;
    refused: it says that it can, but does not;
    late:    it does, but takes its time to answer.

    As GDB does with gdbserver, it acknowledges no packets, once that is agreed on.
    """

    def __init__(self, port, way):
        super().__init__(daemon=True)
        self.behind = port
        self.way = way
        self.asked = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    @property
    def address(self):
        return "127.0.0.1:%d" % self.port

    def run(self):
        with self.listener, self.listener.accept()[0] as front, self._connect() as back:
            for end in front, back:
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                while self._pass_on(front, back):
                    pass
            except OSError:
                pass  # one of them has gone

    def _connect(self):
        """The connection to the stub, which may not listen yet."""
        end = time.monotonic() + 60
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.behind))
            except ConnectionRefusedError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def _pass_on(self, front, back):
        """Waits for one of them.  False: it has gone."""
        for end in select.select([front, back], [], [])[0]:
            data = end.recv(65536)
            if not data:
                return False
            if end is back:
                front.sendall(self._answer(data))
            elif b"$vCont;t" in data:
                self._stop(front, back, data)
            else:
                back.sendall(data)
        return True

    def _answer(self, data):
        """What GDB gets of DATA: the list of actions that the stub knows is without t."""
        if self.way != "unknown" or b"$vCont;" not in data:
            return data
        return PACKET.sub(
            lambda found: packet(found.group(1).replace(b";t", b""))
            if found.group(1).startswith(b"vCont;") else found.group(), data)

    def _stop(self, front, back, data):
        self.asked += 1
        if self.way == "late":
            back.sendall(data)
            time.sleep(1.5)
        else:
            front.sendall(packet(b""))


class Reads(Proxy):
    """A stub in front of the one at PORT, which passes all on and keeps the addresses that GDB reads, READS."""

    REQUEST = re.compile(rb"\$m([0-9a-f]+),")

    def __init__(self, port):
        self.reads = []
        super().__init__(port, "plain")

    def _pass_on(self, front, back):
        for end in select.select([front, back], [], [])[0]:
            data = end.recv(65536)
            if not data:
                return False
            if end is front:
                self.reads += [int(address, 16) for address in self.REQUEST.findall(data)]
            (back if end is front else front).sendall(data)
        return True
