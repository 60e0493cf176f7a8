#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real parts of a laboratory on this machine, for tests, bench/ and the demonstration: a Slurm of two nodes.

    scripts/lab_parts.py slurm [--folder DIR]

Starts munged, slurmctld and two slurmd (n1 with the feature `fast`, n2 with `slow`, both with `both`) in a folder of
their own, each on a free port, then prints one line of JSON:

    {"configuration": "...", "folder": "...", "pids": {"munged": 1, "controller": 2, "n1": 3, "n2": 4}, "left": []}

`configuration` is for the variable SLURM_CONF, `left` are processes of jobs. It takes commands, a line each, which it
answers with such a line: `kill PART` (as kill -9), `start PART`, `kill step NODE`, `kill job NODE`, `left`. PART is
controller, n1 or n2; the step is the daemon of a node's job (slurmstepd), the job its script. It ends all, also what
jobs left on the nodes, when its standard input ends. Exit status 4: something is not installed, or did not start; its
log is on standard error.

As a module: `with Slurm() as slurm: subprocess.run(["sinfo"], env=os.environ | slurm.environment)`.
"""

import argparse
import getpass
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

NODES = {"n1": "fast", "n2": "slow"}
PROGRAMS = ["munged", "slurmctld", "slurmd", "sinfo", "sbatch", "squeue", "scancel"]
# A node is down once its daemon is away for 5 s; a job is ended as soon as its memory is seen to be too large.
CONFIGURATION = """\
ClusterName=ridge
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/controller.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdTimeout=5
SlurmctldTimeout=5
MessageTimeout=5
KillWait=2
UnkillableStepTimeout=5
MinJobAge=300
OverTimeLimit=0
{nodes}
PartitionName=lab Nodes=n1,n2 Default=YES State=UP MaxTime=60
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for s in sockets:
            s.bind(("127.0.0.1", 0))
        return [s.getsockname()[1] for s in sockets]
    finally:
        for s in sockets:
            s.close()


def program(name):
    """Debian keeps daemons where a user's PATH does not look."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


class Absent(Exception):
    """A part that is not installed, or did not start."""


class Slurm:
    def __init__(self, folder=None):
        missing = [name for name in PROGRAMS if program(name) is None]
        if missing:
            raise Absent(f"{', '.join(missing)} not found: apt install slurm-wlm munge")
        self._own = folder is None
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="ridge-slurm-"))
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf")}
        self._running = {}
        try:
            self._configure()
            for part in ["munged", "controller", *NODES]:
                self.start(part)
            self._await(lambda: self._states() == {node: "idle" for node in NODES}, "the nodes are not idle")
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _configure(self):
        self.folder.chmod(0o755)
        for name in ["state", *(f"spool-{node}" for node in NODES)]:
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        controller, *ports = free_ports(1 + len(NODES))
        host = socket.gethostname().split(".")[0]
        nodes = "\n".join(
            f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={os.cpu_count()} RealMemory=1000 "
            f"Feature={feature},both State=UNKNOWN" for (node, feature), port in zip(NODES.items(), ports))
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=host, controller=controller, user=getpass.getuser(), folder=self.folder, nodes=nodes))

    def _command(self, part):
        if part == "munged":
            f = self.folder
            return [program("munged"), "--foreground", "--force", f"--key-file={f}/munge.key",
                    f"--socket={f}/munge.socket", f"--pid-file={f}/munged.pid", f"--log-file={f}/munged.log",
                    f"--seed-file={f}/munge.seed"]
        if part == "controller":
            return [program("slurmctld"), "-D"]
        if part in NODES:
            return [program("slurmd"), "-D", "-N", part]
        raise ValueError(f"no such part: {part}")

    def start(self, part):
        command = self._command(part)
        if part in self._running:
            return
        with open(self.folder / f"{part}.out", "ab") as out:
            self._running[part] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                                   env=os.environ | self.environment, start_new_session=True)
        if part == "munged":
            self._await((self.folder / "munge.socket").exists, "munged has no socket")

    def kill(self, part):
        """As kill -9 of the daemon alone: what it started goes on."""
        self._command(part)
        process = self._running.pop(part, None)
        if process is not None:
            process.kill()
            process.wait()

    def pids(self):
        return {part: process.pid for part, process in self._running.items()}

    def processes(self):
        """Ids of the processes that the nodes started and that still run, by what their environment says."""
        mark = f"SLURM_CONF={self.folder}/slurm.conf".encode()
        daemons = set(self.pids().values())
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) in daemons:
                continue
            try:
                words = (entry / "environ").read_bytes().split(b"\0")
                name = (entry / "comm").read_text().strip()
            except OSError:
                continue
            if mark in words and (any(w.startswith(b"SLURM_JOB_ID=") for w in words) or name == "slurmstepd"):
                found[int(entry.name)] = name
        return found

    def jobs(self):
        """Ids of the step daemon (slurmstepd) and of the script of the job on each node that runs one."""
        found = {}
        for pid in self.processes():
            try:
                words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
                parent = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
                parent_name = pathlib.Path(f"/proc/{parent}/comm").read_text().strip()
            except OSError:
                continue
            if parent_name == "slurmstepd":
                found |= {w.partition(b"=")[2].decode(): {"step": parent, "job": pid}
                          for w in words if w.startswith(b"SLURMD_NODENAME=")}
        return found

    def kill_job(self, what, node):
        """As kill -9 of the step daemon, or of the script, of the job on a node; False if it runs none."""
        pid = self.jobs().get(node, {}).get(what)
        if pid is None:
            return False
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def close(self):
        for part in [*NODES, "controller"]:
            self.kill(part)
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.kill("munged")
        if self._own:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _states(self):
        done = subprocess.run([program("sinfo"), "--noheader", "--Node", "--format=%N %t"], text=True,
                              env=os.environ | self.environment, capture_output=True)
        return dict(line.split() for line in done.stdout.splitlines() if len(line.split()) == 2)

    def _await(self, holds, what, seconds=30):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                for log in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out")):
                    sys.stderr.write(f"--- {log.name}\n{log.read_text(errors='replace')[-2000:]}")
                raise Absent(what)
            time.sleep(0.05)

    def state(self):
        return {"configuration": self.environment["SLURM_CONF"], "folder": str(self.folder), "pids": self.pids(),
                "left": sorted(self.processes())}


def obey(slurm, line):
    word, *rest = line.split() or [""]
    if word == "kill" and len(rest) == 2 and rest[0] in ("step", "job"):
        slurm.kill_job(*rest)
    elif word in ("kill", "start") and len(rest) == 1:
        (slurm.kill if word == "kill" else slurm.start)(rest[0])
    elif word != "left" or rest:
        raise ValueError(f"not a command: {line.strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["slurm"])
    parser.add_argument("--folder", help="an empty folder that stays; else one of its own, which is deleted")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Slurm(args.folder) as slurm:
            print(json.dumps(slurm.state()), flush=True)
            for line in sys.stdin:
                try:
                    obey(slurm, line)
                    answer = slurm.state()
                except ValueError as error:
                    answer = {"error": str(error)}
                print(json.dumps(answer), flush=True)
    except Absent as error:
        print(f"Slurm for tests: {error}", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
