# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of the tests' own: a Unix socket in a temporary folder, no port."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time


class Server:
    """Ends with stop(); PostgreSQL refuses to run as root, so root starts it as user postgres."""

    def __init__(self):
        newest = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        self.folder = tempfile.mkdtemp(prefix="ridge-pg-")
        self.uri = f"postgresql:///postgres?host={self.folder}&user=root"
        self.owner = {}
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self.owner = {"user": "postgres", "group": "postgres", "extra_groups": []}
        data = f"{self.folder}/data"
        subprocess.run([newest.with_name("initdb"), "-D", data, "--no-sync", "-A", "trust", "-U", "root", "-E", "UTF8",
                        "--locale", "C"], check=True, stdout=subprocess.DEVNULL, cwd="/", **self.owner)
        self.process = subprocess.Popen([newest, "-D", data, "-k", self.folder, "-c", "listen_addresses="],
                                        stderr=subprocess.DEVNULL, cwd="/", **self.owner)
        self._wait(newest.with_name("pg_isready"))

    def _wait(self, pg_isready):
        for _ in range(300):
            if subprocess.run([pg_isready, "-q", "-h", self.folder]).returncode == 0:
                return
            time.sleep(0.1)
        self.stop()
        raise AssertionError("the PostgreSQL server does not answer within 30 s")

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        shutil.rmtree(self.folder)
