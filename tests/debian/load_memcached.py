# SPDX-License-Identifier: GPL-3.0-or-later
"""Read keys from the memcached at the socket that is the argument, in batches, until killed."""

import socket
import sys

BATCH = 100

with socket.socket(socket.AF_UNIX) as server:
    server.connect(sys.argv[1])
    server.sendall(b"set key 0 0 100\r\n" + b"x" * 100 + b"\r\n")
    server.recv(100)
    request = b"get key\r\n" * BATCH
    answer = BATCH * len(b"VALUE key 0 100\r\n" + b"x" * 100 + b"\r\nEND\r\n")
    while True:
        server.sendall(request)
        left = answer
        while left:
            left -= len(server.recv(left))
