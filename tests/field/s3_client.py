"""One action on an S3 server, by boto3: `s3_client.py ENDPOINT KEY SECRET ACTION ARGUMENTS…`; the answer is JSON on standard output.

It runs in moto's environment, not in Headwater's.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any


def _client(service: str) -> Any:
    import boto3  # type: ignore[import-not-found, import-untyped, unused-ignore]

    endpoint, key, secret = sys.argv[1:4]
    return boto3.client(
        service,
        endpoint_url=endpoint,
        aws_access_key_id=key,
        aws_secret_access_key=secret,
        region_name="us-east-1",
    )


def bucket(name: str) -> None:
    _client("s3").create_bucket(Bucket=name)


def upload(folder: str, name: str, prefix: str) -> list[str]:
    s3 = _client("s3")
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    keys = [str(Path(prefix) / path.relative_to(folder)) for path in files]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda path, key: s3.put_object(Bucket=name, Key=key, Body=path.read_bytes()), files, keys))
    return keys


def keys(name: str, prefix: str) -> list[str]:
    pages = _client("s3").get_paginator("list_objects_v2").paginate(Bucket=name, Prefix=prefix)
    return [each["Key"] for page in pages for each in page.get("Contents", ())]


def download(name: str, prefix: str, folder: str) -> None:
    s3 = _client("s3")
    for each in keys(name, prefix):
        target = Path(folder) / Path(each).relative_to(prefix)
        if each.endswith("/"):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(s3.get_object(Bucket=name, Key=each)["Body"].read())


def delete(name: str, prefix: str) -> None:
    s3 = _client("s3")
    for each in keys(name, prefix):
        s3.delete_object(Bucket=name, Key=each)


def policy(name: str, rules: str) -> None:
    document = json.dumps({"Version": "2012-10-17", "Statement": json.loads(rules)})
    _client("iam").put_user_policy(UserName=name, PolicyName="field", PolicyDocument=document)


def user(name: str, rules: str) -> tuple[str, str]:
    iam = _client("iam")
    iam.create_user(UserName=name)
    policy(name, rules)
    made = iam.create_access_key(UserName=name)["AccessKey"]
    return made["AccessKeyId"], made["SecretAccessKey"]


ACTIONS: dict[str, Any] = {
    "bucket": bucket,
    "upload": upload,
    "list": keys,
    "download": download,
    "delete": delete,
    "policy": policy,
    "user": user,
}
if __name__ == "__main__":
    print(json.dumps(ACTIONS[sys.argv[4]](*sys.argv[5:])))
