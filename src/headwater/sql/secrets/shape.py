"""The third rule: values that are secrets by what they look like, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.model.span import Span

SHAPES = {
    "AWS access key id": r"(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    "AWS secret access key": r"(?=[A-Za-z0-9+]*[/+0-9])(?=[^A-Z'\"]*[A-Z])(?=[^a-z'\"]*[a-z])(?=[^0-9'\"]*[0-9])"
    r"[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])",
    "Alibaba or Tencent access key id": r"LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])|AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])",
    "GCP API key": r"AIza[\w-]{35}",
    "GCP OAuth": r"ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|1//0[\w-]{30,}",
    "GCP HMAC key": r"GOOG[A-Z0-9]{20,}",
    "Azure storage or Cosmos DB key": r"[A-Za-z0-9/+]{86}==",
    "Azure client secret": r"[\w~.-]{3}\dQ~[\w~.-]{30,}",
    "GitHub token": r"gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}",
    "GitLab token": r"gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[\w.-]{20,}",
    "Bitbucket or Atlassian token": r"AT(?:BB|ATT3|CTT3)[\w=-]{24,}",
    "npm, PyPI or Docker token": r"npm_[A-Za-z0-9]{30,}|pypi-[\w-]{30,}|dckr_pat_[\w-]{20,}",
    "RubyGems or Artifactory token": r"rubygems_[0-9a-f]{48}|AKC[A-Za-z0-9]{60,}|cmVmdGtu[A-Za-z0-9]{56}",
    "JSON web token": r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?",
    "encrypted JSON web token": r"eyJ[\w-]{16,}\.[\w-]*\.[\w-]{12,}\.[\w-]+\.[\w-]{16,}",
    "Slack token": r"xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}",
    "Databricks token": r"d(?:api|ose|kea|dsp)[0-9a-f]{32}(?:-\d)?",
    "model provider's key": r"sk-(?:ant-|proj-)?[\w-]{24,}|hf_[A-Za-z0-9]{30,}",
    "payment provider's key": r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}",
    "mail or message provider's key": r"SG\.[\w-]{16,}\.[\w-]{16,}|SK[0-9a-f]{32}|key-[0-9a-f]{32}|\d{8,10}:AA[\w-]{33}",
    "shop, host or vault token": r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|do[opr]_v1_[0-9a-f]{64}|hv[sb]\.[\w-]{24,}|NRAK-[A-Z0-9]{27}",
    "Grafana or Sentry token": r"glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}|glc_[A-Za-z0-9+/=]{32,}|eyJrIjoi[A-Za-z0-9+/=]{60,}"
    r"|sntrys_[A-Za-z0-9+/=_]{40,}|sntryu_[0-9a-f]{64}",
    "Terraform or Pulumi token": r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}|pul-[0-9a-f]{40}",
    "Linear or Postman key": r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}",
    "database host's or dbt's token": r"pscale_(?:tkn|pw|oauth)_[\w.-]{32,}|sbp_[0-9a-f]{40}|dbt[cu]_[\w-]{40,}",
    "age key": r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
    "PostgreSQL's or MySQL's hash": r"md5[0-9a-f]{32}(?![A-Za-z0-9])|\*[0-9A-Fa-f]{40}(?![A-Za-z0-9])",
    "hash of a password": r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(?:id?|d)\$[^\s'\"]+|SCRAM-SHA-256\$[^\s'\"]+"
    r"|\$(?:[156]|apr1)\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{22,}|\$[PH]\$[./A-Za-z0-9]{31}"
    r"|\$y\$[./A-Za-z0-9]+\$[./A-Za-z0-9]*\$[./A-Za-z0-9]{43}|pbkdf2_sha\d+\$\d+\$[^\s'\"$]+\$[A-Za-z0-9+/=]{24,}",
}
"""Access keys and tokens, each with a beginning that nothing else has, or with an alphabet and a length."""

WEBHOOKS = {
    "Slack": r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([^\s'\"]+)",
    "Discord": r"discord(?:app)?\.com/api/webhooks/([^\s'\"]+)",
    "Microsoft Teams": r"(?:webhook\.office\.com/webhookb2|outlook\.office(?:365)?\.com/webhook)/([^\s'\"]+)",
    "Telegram": r"api\.telegram\.org/bot([^\s/'\"]+)",
    "Google Chat": r"chat\.googleapis\.com/v1/spaces/([^\s'\"]+)",
    "Mattermost, Rocket.Chat": r"://[\w.:-]+/hooks/((?:\w{17,24}/\w{40,}|[a-z0-9]{26})(?![\w]))",
    "Zapier, Make, others": r"(?:hooks\.zapier\.com/hooks|hook\.\w+\.make\.com|maker\.ifttt\.com|hooks\.\w+\.com/hooks)/([^\s'\"]+)",
}
"""Addresses of chat services: whoever has the path may write."""

_BEGIN, _END = "-----BEGIN ", "-----END "
_LONGEST_BLOCK = 20_000
_VALUES = re.compile(rf"(?<![A-Za-z0-9/+_])(?:{'|'.join(SHAPES.values())})")
_WEBHOOKS = re.compile("|".join(WEBHOOKS.values()), re.IGNORECASE)


def shaped_secrets(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Values of a text that look like a secret."""
    end = len(text) if end is None else end
    yield from (Span(*match.span()) for match in _VALUES.finditer(text, start, end))
    yield from (Span(*match.span(match.lastindex or 0)) for match in _WEBHOOKS.finditer(text, start, end))
    yield from _blocks(text, start, end)


def _blocks(text: str, start: int, end: int) -> Iterator[Span]:
    """PEM blocks, to their last line; one that is cut off goes to the end of its string."""
    closing = start
    while (start := text.find(_BEGIN, start, end)) >= 0:
        if 0 <= closing < start:
            closing = text.find(_END, start, end)
        stop = closing + len(_END)
        if not 0 <= closing < start + _LONGEST_BLOCK:
            stop = start + len(_BEGIN)
        stop = min((at for quote in "'\"" if (at := text.find(quote, stop, stop + _LONGEST_BLOCK)) >= 0), default=end)
        yield Span(start, min(stop, end))
        start = stop
