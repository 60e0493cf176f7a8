# SPDX-License-Identifier: Apache-2.0
"""OpenSSH servers on loopback ports for bench/ and the demonstration: each with keys, a port and a cache of its own.

    with SshHosts(folder, ["a", "b"], program) as hosts:
        text = hosts.lab()                     # [[host]] of each
        hosts.descendants("a", "ridge agent")  # process ids below that server

They run as this user and end with the `with` block. With `own_names`, as root, each has its name as host name and a
machine id, by namespaces of its own: to ridge they are machines of their own then.
"""

import getpass
import os
import pathlib
import signal
import socket
import subprocess
import time
import uuid

SSHD = "/usr/sbin/sshd"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def command_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def parents():
    """The parent of each process."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = pathlib.Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            found[int(entry)] = int(stat[stat.rindex(")") + 2 :].split()[1])
    return found


class SshHosts:
    def __init__(self, folder, names, program, own_names=False):
        self.folder = pathlib.Path(folder)
        self.names = names
        self.program = pathlib.Path(program).resolve()
        self.own_names = own_names
        self.servers = {}
        self.ports = {}

    def __enter__(self):
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        for name in self.names:
            self.start(name)
        return self

    def __exit__(self, *_):
        for name, server in self.servers.items():
            for pid in self.descendants(name, ""):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            server.kill()
            server.wait()

    def start(self, name):
        own = self.folder / name
        own.mkdir()
        for key in ("host_key", "user_key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(own / key)], check=True)
        (own / "authorized").write_text((own / "user_key.pub").read_text())
        port = self.ports[name] = free_port()
        (own / "known_hosts").write_text(f"[127.0.0.1]:{port} {(own / 'host_key.pub').read_text()}")
        (own / "sshd_config").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {own}/host_key\nAuthorizedKeysFile {own}/authorized\n"
            "StrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
            "PermitRootLogin prohibit-password\nMaxStartups 100\n"
            f"SetEnv PATH={self.program.parent}:/usr/bin:/bin HOME={own} XDG_CACHE_HOME={own}/cache\n"
        )
        command = [SSHD, "-D", "-E", str(own / "log"), "-f", str(own / "sshd_config")]
        if self.own_names:
            (own / "machine-id").write_text(f"{uuid.uuid4().hex}\n")
            script = f'hostname {name} && mount --bind {own}/machine-id /etc/machine-id && exec "$@"'
            command = ["unshare", "--uts", "--mount", "sh", "-c", script, "sh", *command]
        self.servers[name] = subprocess.Popen(command)
        for _ in range(1000):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.01)
        raise SystemExit(f"{SSHD} does not listen: {(own / 'log').read_text()}")

    def lab(self):
        return "".join(
            f'[[host]]\nname = "{name}"\nssh = "{getpass.getuser()}@127.0.0.1"\nport = {self.ports[name]}\n'
            f'identity = "{self.folder / name}/user_key"\nknown_hosts = "{self.folder / name}/known_hosts"\n'
            for name in self.names
        )

    def descendants(self, name, part):
        """Processes below the server whose command line has `part`."""
        above, root, found = parents(), self.servers[name].pid, []
        for pid in above:
            up = above.get(pid, 0)
            while up > 1 and up != root:
                up = above.get(up, 0)
            if up == root and part in command_of(pid):
                found.append(pid)
        return found


def requests(folder, count, milliseconds):
    """Requests of the null runtime with a point each, which differ in their seeds."""
    names = []
    for i in range(1, count + 1):
        names.append(f"m{i}.toml")
        (folder / names[-1]).write_text(
            f'verb = "eval"\nmodel = "zoo:squeezenet1_1"\nruntime = ["null"]\nduration = "{milliseconds}ms"\n'
            f'min-queries = 3\nseed = {i}\nruntime-option = ["ridge.service=constant:200"]\n'
        )
    return names
