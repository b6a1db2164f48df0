# SPDX-License-Identifier: GPL-3.0-or-later
"""The servers: how each is started on sockets of its own, put under load, and how it counts.

All of it lives in a folder that goes away with the test, and listens on loopback or there only.
"""

import ctypes
import glob
import os
import pwd
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb"))

import answers  # noqa: E402
from recorded import FOLDERS  # noqa: E402
from session import wait_until  # noqa: E402

POSTGRES = "".join(sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1:])
LOAD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "load_memcached.py")

PR_SET_PDEATHSIG = 1


def free_port():
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


def ask(path, question, end):
    """What the server of the socket PATH answers to QUESTION, until END."""
    with socket.socket(socket.AF_UNIX) as server:
        server.settimeout(20)
        server.connect(path)
        server.sendall(question)
        answer = b""
        while end not in answer and (piece := server.recv(65536)):
            answer += piece
    return answer.decode(errors="replace")


def children(pid):
    """The children of the process PID."""
    with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def family(pid):
    """The process PID and all below it."""
    return [pid] + [one for child in children(pid) for one in family(child)]


def title(pid):
    """The command line of the process PID, which servers use as a title."""
    with open("/proc/%d/cmdline" % pid, "rb") as file:
        return file.read().replace(b"\0", b" ").decode(errors="replace")


def end_with_parent():
    """Have the calling process end with the test, however that ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Server:
    """A server in FOLDER.  begin() starts it and its load; PID is the process to attach to."""

    package = ""  # which has the server
    programs = ()  # that are needed

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        # Servers do not run as root: who does gives them the folder of somebody without rights.
        self.user = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        if self.user:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)

    @classmethod
    def missing(cls):
        """Of what is needed, the first that is not here."""
        path = FOLDERS + ":" + POSTGRES
        return next((name for name in cls.programs if not shutil.which(name, path=path)), None)

    def at(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.at(name), "w", encoding="ascii") as file:
            file.write(text)
        return self.at(name)

    def options(self):
        env = dict(os.environ, PATH=FOLDERS + ":" + POSTGRES, LC_ALL="C.UTF-8", HOME=self.folder)
        who = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} \
            if self.user else {}
        return dict(cwd=self.folder, env=env, stdin=subprocess.DEVNULL, **who)

    def start(self, *command, stdin=subprocess.DEVNULL, stdout=None):
        """Start COMMAND in the background; what it says goes to the file `log', unless to STDOUT."""
        options = dict(self.options(), stdin=stdin)
        with open(self.at("log"), "ab") as log:
            process = subprocess.Popen(command, stdout=stdout or log, stderr=log,
                                       start_new_session=True, preexec_fn=end_with_parent, **options)
        self.processes.append(process)
        return process

    def do(self, *command):
        """Run COMMAND to its end, and fail if it does."""
        with open(self.at("log"), "ab") as log:
            subprocess.run(command, stdout=log, stderr=log, check=True, timeout=120,
                           **self.options())

    def wait(self, condition, what):
        """Wait until CONDITION () holds, which may raise OSError until then."""
        def holds():
            try:
                return condition()
            except (OSError, ValueError, subprocess.SubprocessError):
                return False
        if not wait_until(holds):
            raise RuntimeError("%s did not happen: %s" % (what, self.log()))

    def log(self):
        with open(self.at("log"), encoding="utf-8", errors="replace") as file:
            return file.read()[-600:]

    def count(self):
        """The time, and how many operations the server has done by then."""
        operations = self.operations()
        return time.monotonic(), operations

    def pause(self):
        """Wait for as long as a window is."""
        time.sleep(1)

    def end(self):
        """End what was started, the load first."""
        for process in reversed(self.processes):
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(process.pid, number)
                    process.wait(10)
                    break
                except ProcessLookupError:
                    break
                except subprocess.TimeoutExpired:
                    continue


class Postgres(Server):
    """One backend, which blocks SIGURG: that goes to a signalfd."""

    package = "postgresql-15"
    clients = 1
    programs = ("postgres", "initdb", "pgbench")

    def begin(self):
        data, where = self.at("data"), ("-h", self.folder, "-U", "prof")
        self.do("initdb", "-N", "-A", "trust", "-U", "prof", "-D", data)
        server = self.start("postgres", "-D", data, "-k", self.folder, "-h", "", "-c", "fsync=off")
        self.wait(lambda: subprocess.run(["pg_isready", "-q", *where], check=False,
                                         **self.options()).returncode == 0, "PostgreSQL's start")
        self.do("pgbench", "-i", "-q", "-s", "2", *where, "postgres")
        self.start("pgbench", "-S", "-M", "prepared", "-c", str(self.clients), "-T", "600", "-P", "1",
                               *where, "postgres", stdout=subprocess.PIPE)
        self.reports, self.done = 0, 0
        self.count()
        self.parent = server.pid
        self.pid = next(pid for pid in children(server.pid) if " postgres [local]" in title(pid))

    def count(self):
        """As pgbench reports each second: the next report is waited for."""
        def reports():
            with open(self.at("log"), encoding="ascii", errors="replace") as file:
                return re.findall(r"^progress: ([0-9.]+) s, ([0-9.]+) tps", file.read(), re.M)
        self.wait(lambda: len(reports()) > self.reports, "pgbench's report")
        all_reports = [(float(at), float(rate)) for at, rate in reports()]
        before = all_reports[self.reports - 1][0] if self.reports else 0
        for at, rate in all_reports[self.reports:]:
            self.done += rate * (at - before)
            before = at
        self.reports = len(all_reports)
        return before, self.done

    def pause(self):
        """Nothing: the next report is waited for."""


class Haproxy(Server):
    """Two threads that answer requests themselves."""

    package = "haproxy"
    programs = ("haproxy", "wrk")

    def begin(self):
        port = free_port()
        config = self.write("haproxy.cfg", "global\n nbthread 2\n stats socket %s\ndefaults\n"
                            " mode http\n timeout client 60s\n timeout connect 60s\n"
                            " timeout server 60s\nfrontend all\n bind 127.0.0.1:%d\n"
                            " http-request return status 200 content-type text/plain string ok\n"
                            % (self.at("stats"), port))
        self.pid = self.start("haproxy", "-db", "-f", config).pid
        self.wait(lambda: self.operations() >= 0, "HAProxy's start")
        self.start("wrk", "-t1", "-c8", "-d600s", "http://127.0.0.1:%d/" % port)
        self.wait(lambda: self.operations() > 1000, "load on HAProxy")

    def operations(self):
        text = ask(self.at("stats"), b"show info\n", b"\n\n")
        return int(re.search(r"^CumReq: (\d+)", text, re.M).group(1))


class Nginx(Server):
    """The only worker process, which sends a file."""

    package = "nginx"
    workers = 1
    programs = ("nginx", "wrk")

    def begin(self):
        self.url = "http://127.0.0.1:%d" % free_port()
        self.write("page.html", "ok " * 300)
        folders = "".join("%s_temp_path %s;\n" % (name, self.at(name)) for name in
                          ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        config = self.write("nginx.conf", "daemon off;\nworker_processes %d;\npid %s;\n"
                            "error_log stderr;\nevents { worker_connections 64; }\nhttp {\n"
                            "access_log off;\nkeepalive_requests 100000000;\n%s"
                            "server { listen %s; root %s; location /status { stub_status; } }\n}\n"
                            % (self.workers, self.at("pid"), folders, self.url[7:], self.folder))
        master = self.start("nginx", "-e", "stderr", "-c", config)
        self.wait(lambda: self.operations() >= 0, "nginx's start")
        self.start("wrk", "-t1", "-c4", "-d600s", self.url + "/page.html")
        self.wait(lambda: self.operations() > 1000, "load on nginx")
        self.parent = master.pid
        self.pid = children(master.pid)[0]

    def operations(self):
        with urllib.request.urlopen(self.url + "/status", timeout=20) as answer:
            return int(answer.read().split()[9])


class Mariadb(Server):
    """Many threads, all of which block SIGINT unless told not to: GDB could not interrupt it."""

    package = "mariadb-server-core"
    programs = ("mariadbd", "mariadb-install-db", "mariadb", "mariadb-slap")

    def begin(self):
        where = "--socket=" + self.at("socket")
        self.do("mariadb-install-db", "--no-defaults", "--datadir=" + self.at("data"),
                "--skip-test-db", "--auth-root-authentication-method=normal")
        self.pid = self.start("mariadbd", "--no-defaults", "--datadir=" + self.at("data"), where,
                              "--skip-networking", "--skip-grant-tables", "--debug-gdb",
                              "--pid-file=" + self.at("pid")).pid
        self.wait(lambda: os.path.exists(self.at("socket")), "MariaDB's start")
        self.client = self.start("mariadb", "--no-defaults", where, "-NBn",
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.start("mariadb-slap", "--no-defaults", where, "--concurrency=2",
                   "--number-of-queries=100000000", "--create-schema=mysql",
                   "--query=SELECT COUNT(*) FROM help_keyword WHERE help_keyword_id < 40")
        self.wait(lambda: self.operations() > 1000, "load on MariaDB")

    def operations(self):
        self.client.stdin.write(b"SHOW GLOBAL STATUS LIKE 'Questions';\n")
        self.client.stdin.flush()
        if not select.select([self.client.stdout], [], [], 60)[0]:
            raise RuntimeError("MariaDB does not answer: %s" % self.log())
        return int(self.client.stdout.readline().split()[1])


class Memcached(Server):
    """Two threads that answer requests, which come in batches."""

    package = "memcached"
    programs = ("memcached",)

    def begin(self):
        self.pid = self.start("memcached", "-s", self.at("socket"), "-t", "2").pid
        self.wait(lambda: self.operations() >= 0, "memcached's start")
        self.start("/usr/bin/python3", LOAD, self.at("socket"))
        self.wait(lambda: self.operations() > 1000, "load on memcached")

    def operations(self):
        text = ask(self.at("socket"), b"stats\r\n", b"END\r\n")
        return int(re.search(r"^STAT cmd_get (\d+)", text, re.M).group(1))


class Redis(Server):
    """One busy thread, in short bursts."""

    package = "redis-server"
    programs = ("redis-server", "redis-benchmark")

    def begin(self):
        self.pid = self.start("redis-server", "--port", "0", "--unixsocket", self.at("socket"),
                              "--save", "", "--dir", self.folder).pid
        self.wait(lambda: self.operations() >= 0, "Redis's start")
        self.start("redis-benchmark", "-s", self.at("socket"), "-t", "get", "-c", "10",
                   "-n", "1000000000", "-q")
        self.wait(lambda: self.operations() > 1000, "load on Redis")

    def operations(self):
        text = ask(self.at("socket"), b"INFO stats\r\n", b"total_net_input_bytes")
        return int(re.search(r"^total_commands_processed:(\d+)", text, re.M).group(1))


SERVERS = {"postgresql": Postgres, "haproxy": Haproxy, "nginx": Nginx, "mariadb": Mariadb,
           "memcached": Memcached, "redis": Redis}


class Preforking(Nginx):
    """Two worker processes, and the one that has made them."""

    workers = 2

    def begin(self):
        super().begin()
        self.pid = self.parent


class Backends(Postgres):
    """All processes of PostgreSQL, of which two answer queries."""

    clients = 2

    def begin(self):
        super().begin()
        self.pid = self.parent


class Chromium(Server):
    """A browser without a window, and its processes.  Its page computes for a millisecond at a time."""

    package = "chromium"
    programs = ("/usr/lib/chromium/chromium",)
    page = """<!DOCTYPE html>
<p id="turns"></p>
<script>
"use strict";
let turns = 0;
setInterval(() => {
  const end = performance.now() + 1;
  while (performance.now() < end)
    turns++;
  document.getElementById("turns").textContent = turns;
}, 4);
</script>
"""

    def begin(self):
        # The sandbox needs user namespaces or a setuid helper, which the machine may not have.
        self.pid = self.start(*self.programs, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" +
                              self.at("profile"), "--remote-debugging-port=0",
                              "file://" + self.write("page.html", self.page)).pid
        self.wait(lambda: any("--type=renderer" in title(one) and answers.cpu_jiffies(one) > 20
                              for one in family(self.pid)), "Chromium's start")


FAMILIES = {"nginx-all": Preforking, "postgresql-all": Backends, "chromium": Chromium}
