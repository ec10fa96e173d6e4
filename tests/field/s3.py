"""S3 by moto's server on a host of its own, and the settings with which Spark and readers find it.

Requests are not checked at first. `require_credentials` makes moto check signatures and policies from then on, as AWS does.
"""

from __future__ import annotations

import json
import subprocess
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple

from field import cache
from field.hosts import Mount, Network, kill_tree, wait_until

_PORT = 5000
_JARS = Path("/opt/field/s3a")
_PYTHON = Path("/opt/field/moto")
REGION = "us-east-1"


class Key(NamedTuple):
    """The credentials of a user."""

    id: str
    secret: str


ANYONE = Key("anyone", "anything")
"""Good for every request, until credentials are required."""


class S3:
    """The server; `client` does one thing with it from the machine."""

    def __init__(self, network: Network, name: str = "s3") -> None:
        self._network = network
        self._python = cache.python_environment(cache.MOTO)
        self.host = network.host(name, Mount(self._python, _PYTHON))
        self.endpoint = f"http://{self.host.address}:{_PORT}"
        self.admin = ANYONE
        self._server: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start the server; it has no buckets."""
        command = [str(_PYTHON / "bin" / "python"), "-m", "moto.server", "-H", "0.0.0.0", "-p", str(_PORT)]
        self._server = self.host.start(command)
        wait_until(self.answers, "moto answers", 60)

    def answers(self) -> bool:
        """Whether the server answers."""
        try:
            with urllib.request.urlopen(f"{self.endpoint}/moto-api/", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def stop(self) -> None:
        """Kill the server, and all that it holds."""
        assert self._server is not None
        kill_tree(self._server)

    def close(self) -> None:
        """Turn the host off."""
        self._network.remove(self.host)

    def require_credentials(self) -> None:
        """Check every request from now on."""
        self.admin = self.user("admin", {"Effect": "Allow", "Action": "*", "Resource": "*"})
        self._check_from(0)

    def accept_anyone(self) -> None:
        """Check no request any more."""
        self._check_from(float("inf"))
        self.admin = ANYONE

    def _check_from(self, request: float) -> None:
        where, plain = f"{self.endpoint}/moto-api/reset-auth", {"Content-Type": "text/plain"}
        sent = urllib.request.Request(where, str(request).encode(), plain, method="POST")
        with urllib.request.urlopen(sent, timeout=10) as answer:
            assert answer.status == 200

    def user(self, name: str, *rules: dict[str, Any]) -> Key:
        """Make a user with a policy."""
        return Key(*self.client("user", name, json.dumps(rules)))

    def policy(self, name: str, *rules: dict[str, Any]) -> None:
        """Replace the policy of a user."""
        self.client("policy", name, json.dumps(rules))

    def make_bucket(self, name: str) -> str:
        """Make a bucket; its URI."""
        self.client("bucket", name)
        return f"s3a://{name}"

    def upload(self, folder: Path, bucket: str, prefix: str = "") -> None:
        """Put the files of a folder into a bucket."""
        self.client("upload", str(folder), bucket, prefix)

    def download(self, bucket: str, prefix: str, folder: Path) -> Path:
        """Fetch all objects below a prefix into a folder."""
        self.client("download", bucket, prefix, str(folder))
        return folder

    def keys(self, bucket: str, prefix: str = "") -> list[str]:
        """The keys of all objects below a prefix."""
        return [str(key) for key in self.client("list", bucket, prefix)]

    def client(self, *arguments: str) -> Any:
        """Run `s3_client.py`, which uses boto3, in moto's environment."""
        script = Path(__file__).with_name("s3_client.py")
        command = [str(self._python / "bin" / "python"), str(script), self.endpoint, *self.admin, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode:
            raise RuntimeError(f"s3_client {' '.join(arguments[:3])}: {done.stderr.strip()[-1500:]}")
        return json.loads(done.stdout)

    def spark_settings(self, key: Key = ANYONE) -> dict[str, str]:
        """The settings of Spark: endpoint, credentials, and the jars of S3A, which hosts with `s3a_jars` have."""
        hadoop = {
            "endpoint": self.endpoint,
            "endpoint.region": REGION,
            "path.style.access": "true",
            "connection.ssl.enabled": "false",
            "aws.credentials.provider": "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider",
            "access.key": key.id,
            "secret.key": key.secret,
            "attempts.maximum": "2",
            "retry.limit": "2",
            "retry.interval": "200ms",
            "connection.establish.timeout": "5s",
            "connection.timeout": "20s",
        }
        paths = {f"spark.{side}.extraClassPath": f"{_JARS}/*" for side in ("driver", "executor")}
        return paths | {f"spark.hadoop.fs.s3a.{name}": value for name, value in hadoop.items()}

    def reader_environment(self, key: Key = ANYONE) -> dict[str, str]:
        """The environment variables with which libraries other than Spark find the server."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ENDPOINT_URL_S3": self.endpoint,
            "AWS_ENDPOINT": self.endpoint,
            "AWS_ALLOW_HTTP": "true",
            "AWS_VIRTUAL_HOSTED_STYLE_REQUEST": "false",
            "AWS_ACCESS_KEY_ID": key.id,
            "AWS_SECRET_ACCESS_KEY": key.secret,
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
        }


def s3a_jars() -> Mount:
    """`hadoop-aws` of the installed PySpark's Hadoop, with Amazon's SDK, as a mount."""
    return Mount(cache.jars(f"org.apache.hadoop:hadoop-aws:{cache.hadoop_version()}"), _JARS)


def allow(*actions: str, on: str = "*") -> dict[str, Any]:
    """A rule of a policy that allows actions."""
    return {"Effect": "Allow", "Action": [*actions], "Resource": on}


def deny(*actions: str, on: str = "*") -> dict[str, Any]:
    """A rule of a policy that denies actions."""
    return {"Effect": "Deny", "Action": [*actions], "Resource": on}
