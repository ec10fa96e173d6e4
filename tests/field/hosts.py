"""Test hosts: network namespaces on one bridge, each with its own disk, processes and host name.

A `Host` sees an allow list of folders: the machine's `/usr` and `/etc`, the Python interpreter, and what its maker mounts. Its `/tmp`
and its home are private. Nothing of the repository is visible on it unless it is mounted.

The kernel ends a host's processes together with the process that made the host, also after a crash. A killed run leaves empty
namespaces, a bridge and a folder in `/tmp`; their names hold the process id of their owner, and the next run removes them.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

_RUNS = Path("/tmp")
_RUN = "headwater-field-"
_LINK = "hwf"
_SUBNETS = range(1, 250)

_BOOT = """set -e
root={root}
mount -t tmpfs -o size=16m,mode=755 host "$root"
for folder in bin sbin lib lib32 lib64; do
  if [ -L /$folder ]; then cp -a /$folder "$root/$folder"
  elif [ -d /$folder ]; then mkdir "$root/$folder" && mount --bind -r /$folder "$root/$folder"; fi
done
mkdir -p "$root/usr" "$root/etc" "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/root" "$root/run"
mount --bind -r /usr "$root/usr"
mount --bind -r /etc "$root/etc"
mount --bind -r {names} "$root/etc/hosts"
mount --rbind /dev "$root/dev"
mount --rbind -r /sys "$root/sys"
mount -t proc proc "$root/proc"
mount --bind {disk} "$root/tmp"
{mounts}
hostname {name}
cd "$root"
exec chroot "$root" /bin/sh -c 'echo up; sleep infinity & wait'
"""


class Mount(NamedTuple):
    """A folder or file of the machine, and where a host sees it."""

    source: Path
    target: Path
    writable: bool = False

    @classmethod
    def same(cls, path: Path | str, writable: bool = False) -> Mount:
        """Show a path under its own name."""
        return cls(Path(path), Path(path), writable)


class Finished(NamedTuple):
    """How a command on a host ended."""

    code: int
    out: str
    err: str


def why_not() -> str | None:
    """Why this machine cannot have test hosts; None if it can."""
    if sys.platform != "linux":
        return "test hosts need Linux"
    if os.geteuid():
        return "test hosts need root, for network namespaces and mounts"
    missing = [tool for tool in ("ip", "unshare", "nsenter", "setpriv") if not shutil.which(tool)]
    return f"missing on this machine: {', '.join(missing)} (Debian: iproute2, util-linux)" if missing else None


class Network:
    """A bridge with its hosts; a context manager that removes all of it."""

    def __init__(self) -> None:
        sweep()
        self.owner = os.getpid()
        self.folder = _RUNS / f"{_RUN}{self.owner}"
        self.bridge = f"{_LINK}{self.owner}"
        self.hosts: dict[str, Host] = {}
        self.names = self.folder / "hosts"
        self._next = 10
        self.folder.mkdir()
        self._write_names()
        self.subnet = self._connect()
        self.address = f"{self.subnet}.1"

    def _connect(self) -> str:
        used = _out("ip", "-4", "-o", "addr", "show") + _out("ip", "-4", "route", "show")
        subnet = next(each for each in (f"10.213.{n}" for n in _SUBNETS) if f"{each}." not in used)
        _ip("link", "add", self.bridge, "type", "bridge")
        _ip("addr", "add", f"{subnet}.1/24", "dev", self.bridge)
        _ip("link", "set", self.bridge, "up")
        return subnet

    def host(self, name: str, *mounts: Mount) -> Host:
        """Start a host; all hosts know its name from then on."""
        assert name not in self.hosts
        host = Host(self, name, self._next, mounts)
        self._next += 1
        self.hosts[name] = host
        self._write_names()
        host.boot()
        return host

    def _write_names(self) -> None:
        """Write the hosts file in place: all hosts have mounted this very file."""
        lines = (f"{host.address} {name}\n" for name, host in self.hosts.items())
        self.names.write_text("".join(["127.0.0.1 localhost\n", *lines]))

    def remove(self, host: Host) -> None:
        """Turn a host off, and forget it."""
        self.hosts.pop(host.name)
        host.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Turn all hosts off and remove the bridge."""
        for host in [*self.hosts.values()]:
            self.remove(host)
        _remove_run(self.owner)


class Host:
    """One machine of the test: commands run on it with `run` and `start`."""

    def __init__(self, network: Network, name: str, number: int, mounts: Sequence[Mount]) -> None:
        self.network, self.name = network, name
        self.address = f"{network.subnet}.{number}"
        self.space = f"{_RUN}{network.owner}-{name}"
        self.folder = network.folder / f"{number}-{name}"
        self.disk = self.folder / "disk"
        """What the host sees as `/tmp`."""
        self.logs = self.folder / "logs"
        self._link = f"{_LINK}{network.owner}.{number}"
        self._mounts = (Mount.same(sys.base_prefix), *mounts)
        self._init: subprocess.Popen[bytes] | None = None
        self._pid = 0
        self._services: list[subprocess.Popen[bytes]] = []

    def boot(self) -> None:
        """Make the namespaces and start the first process."""
        for folder in (self.disk, self.logs, self.folder / "root"):
            folder.mkdir(parents=True)
        self.disk.chmod(0o1777)
        _ip("netns", "add", self.space)
        _ip("link", "add", self._link, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        _ip("link", "set", self._link, "master", self.network.bridge)
        _ip("link", "set", self._link, "up")
        for line in ("link set lo up", f"addr add {self.address}/24 dev eth0", "link set eth0 up"):
            _ip("-n", self.space, *line.split())
        _ip("-n", self.space, "route", "add", "default", "via", self.network.address)
        self._start_init()

    def _start_init(self) -> None:
        unshare = ["unshare", "--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child=KILL"]
        with (self.logs / "boot").open("wb") as log:
            self._init = subprocess.Popen(
                [*_WITH_US, "ip", "netns", "exec", self.space, *unshare, "sh", "-c", self._script()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        assert self._init.stdout is not None
        if self._init.stdout.readline() != b"up\n":
            raise RuntimeError(f"host {self.name}: {(self.logs / 'boot').read_text()}")
        (self._pid,) = _children(self._init.pid)

    def _script(self) -> str:
        root = self.folder / "root"
        lines = []
        for mount in self._mounts:
            source, target = shlex.quote(str(mount.source)), shlex.quote(f"{root}{mount.target}")
            make = f"mkdir -p {target}"
            if mount.source.is_file():
                make = f'mkdir -p "$(dirname {target})" && touch {target}'
            lines.append(f"{make} && mount --bind {'' if mount.writable else '-r '}{source} {target}")
        return _BOOT.format(
            root=root, names=self.network.names, disk=self.disk, mounts="\n".join(lines), name=shlex.quote(self.name)
        )

    def command(self, argv: Sequence[str | Path], env: Mapping[str, str], cwd: str = "/tmp") -> list[str]:
        """The command line that runs a command on this host, from the machine."""
        enter = ["nsenter", f"--target={self._pid}", "--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--wd"]
        known = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "USER": "root"} | dict(
            env
        )
        start = ["sh", "-c", 'cd "$0" && exec "$@"', cwd, "env", "-i", *(f"{name}={known[name]}" for name in known)]
        return [*_WITH_US, *enter, "--", *start, *map(str, argv)]

    def start(
        self, argv: Sequence[str | Path], env: Mapping[str, str] | None = None, log: str = "service", cwd: str = "/tmp"
    ) -> subprocess.Popen[bytes]:
        """Start a service; what it prints goes to a file in `logs`."""
        with (self.logs / log).open("ab") as output:
            service = subprocess.Popen(
                self.command(argv, env or {}, cwd),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self._services.append(service)
        return service

    def open(
        self, argv: Sequence[str | Path], env: Mapping[str, str] | None = None, cwd: str = "/tmp"
    ) -> subprocess.Popen[str]:
        """Start a command whose output the caller reads."""
        return subprocess.Popen(
            self.command(argv, env or {}, cwd),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(
        self, argv: Sequence[str | Path], env: Mapping[str, str] | None = None, timeout: float = 300, cwd: str = "/tmp"
    ) -> Finished:
        """Run a command to its end."""
        process = self.open(argv, env, cwd)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            kill_tree(process)
            raise
        return Finished(process.returncode, out, err)

    def processes(self) -> dict[int, str]:
        """The command lines of all processes on this host, by their ids on the machine."""
        found = {}
        space = _pid_space(self._pid)
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if _pid_space(int(folder.name)) == space:
                    found[int(folder.name)] = (
                        (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    )
        return found

    def cut_off(self) -> None:
        """Pull the network cable: packets in both directions are dropped, and nobody is told."""
        _ip("link", "set", self._link, "down")

    def plug_in(self) -> None:
        """Put the network cable back."""
        _ip("link", "set", self._link, "up")

    def close(self) -> None:
        """Turn the host off."""
        if self._init is not None:
            self._init.kill()
            self._init.wait()
            if self._init.stdout is not None:
                self._init.stdout.close()
        wait_until(lambda: not Path(f"/proc/{self._pid}").exists(), f"host {self.name} is off", 60)
        for service in self._services:
            kill_tree(service)
        _remove_space(self.space)
        shutil.rmtree(self.disk, ignore_errors=True)


_WITH_US = ("setpriv", "--pdeathsig", "KILL")
"""The kernel kills such a process when the process that started it ends."""


def sweep() -> None:
    """Remove what runs that no longer exist have left."""
    left = {*re.findall(rf"{_RUN}(\d+)", _out("ip", "netns", "list"))}
    left |= {path.name.removeprefix(_RUN) for path in _RUNS.glob(f"{_RUN}[0-9]*")}
    left |= {*re.findall(rf"\b{_LINK}(\d+)\b", _out("ip", "-o", "link", "show", "type", "bridge"))}
    for owner in map(int, left):
        if not Path(f"/proc/{owner}").exists():
            _remove_run(owner)


def _remove_run(owner: int) -> None:
    for space in re.findall(rf"^{_RUN}{owner}-\S+", _out("ip", "netns", "list"), re.MULTILINE):
        _remove_space(space)
    if Path(f"/sys/class/net/{_LINK}{owner}").exists():
        _ip("link", "del", f"{_LINK}{owner}")
    shutil.rmtree(_RUNS / f"{_RUN}{owner}", ignore_errors=True)


def _remove_space(space: str) -> None:
    for pid in map(int, _out("ip", "netns", "pids", space).split()):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if Path("/run/netns", space).exists():
        _ip("netns", "del", space)


def kill_tree(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """Kill a command and all that it has started."""
    waiting = [process.pid]
    for pid in waiting:
        waiting += _children(pid)
    for pid in reversed(waiting):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def wait_until(done: Callable[[], object], what: str, timeout: float = 120, pause: float = 0.1) -> None:
    """Wait for something to happen; raises if it does not."""
    deadline = time.monotonic() + timeout
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {timeout:.0f} s in vain: {what}")
        time.sleep(pause)


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    return []


def _pid_space(pid: int) -> str:
    return os.readlink(f"/proc/{pid}/ns/pid")


def _ip(*arguments: str) -> None:
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"ip {' '.join(arguments)}: {done.stderr.strip()}")


def _out(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
