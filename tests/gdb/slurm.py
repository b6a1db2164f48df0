# SPDX-License-Identifier: GPL-3.0-or-later
"""A cluster of Slurm for tests: one node, which is this machine, with a controller and all files in the working directory."""

import os
import pwd
import socket
import subprocess

from session import wait_until

CONFIGURATION = """ClusterName=gdbprof
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=16
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Cluster:
    def __init__(self):
        self.folder = os.path.abspath("cluster")
        self.environment = {"SLURM_CONF": os.path.join(self.folder, "slurm.conf")}
        self.daemons = []
        for name in "state", "spool":
            os.makedirs(os.path.join(self.folder, name))
        with open(self.environment["SLURM_CONF"], "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(host=socket.gethostname().split(".")[0], user=pwd.getpwuid(os.geteuid()).pw_name,
                                            folder=self.folder, controller=free_port(), daemon=free_port()))

    def run(self, *words, **options):
        """Execute the client WORDS, such as srun; what it printed, and its exit status."""
        options.setdefault("timeout", 200)
        env = dict(options.pop("env", os.environ), **self.environment)
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", env=env, check=False, **options)
        return done.stdout, done.returncode

    def start(self):
        """Start the cluster; is its node ready for jobs?"""
        for words in ["slurmctld", "-D", "-c"], ["slurmd", "-D"]:
            # If the test is killed, they end as well.
            self.daemons.append(subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *words], stdin=subprocess.DEVNULL,
                                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                                 env=dict(os.environ, **self.environment)))
        return wait_until(lambda: self.run("sinfo", "-h", "-o", "%T")[0].strip() == "idle")

    def log(self):
        """What its daemons have printed."""
        text = ""
        for name in "slurmctld.log", "slurmd.log":
            try:
                with open(os.path.join(self.folder, name), encoding="utf-8", errors="replace") as file:
                    text += file.read()
            except OSError as error:
                text += "%s\n" % error
        return text

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(30)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
