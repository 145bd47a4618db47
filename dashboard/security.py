"""Forms that only our own pages may send, and how often anybody may."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import os
import secrets
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path

from flask import Flask, abort, request, session

from arena.store import MOST_UPLOAD_BYTES

_KEY_BYTES = 32
_BESIDE_UPLOAD_BYTES = 64 * 1024
MOST_BODY_BYTES = MOST_UPLOAD_BYTES + _BESIDE_UPLOAD_BYTES
"""All that a visitor may send at once."""
_MOST_FIELDS = 16
_MOST_VISITORS = 10_000


def secure(app: Flask, database: Path) -> None:
    """Give an application its sessions and its limits."""
    key = session_key(database)
    app.secret_key = key
    app.config.update(
        # Cookies know no ports: two dashboards of one machine must not share one.
        SESSION_COOKIE_NAME=f"kseri-{hashlib.sha256(key).hexdigest()[:8]}",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        MAX_CONTENT_LENGTH=MOST_BODY_BYTES,
        MAX_FORM_MEMORY_SIZE=_BESIDE_UPLOAD_BYTES,
        MAX_FORM_PARTS=_MOST_FIELDS,
    )
    app.jinja_env.globals["form_key"] = form_key


def session_key(database: Path) -> bytes:
    """What sessions are signed with: in a file beside the database, for its owner alone.

    Where none can be written, one for as long as this process lives.
    """
    path = database.with_name(database.name + "-key")
    with suppress(OSError):
        if not path.exists():
            _write_key(path)
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return key
    return secrets.token_bytes(_KEY_BYTES)


def _write_key(path: Path) -> None:
    """Make the file with all that is in it at once, so that nobody reads half a key."""
    new = path.with_name(f"{path.name}-{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(_KEY_BYTES))
        # Whoever comes second keeps the first one's.
        with suppress(FileExistsError):
            os.link(new, path)
    finally:
        new.unlink(missing_ok=True)


def form_key() -> str:
    """What a form of ours carries, so that no other site's page can send it for a visitor."""
    if "form" not in session:
        session["form"] = secrets.token_urlsafe(_KEY_BYTES)
    return str(session["form"])


def refuse_foreign_form() -> None:
    """End a request with 403 that no form of ours has sent."""
    sent, known = request.form.get("form_key", ""), str(session.get("form", ""))
    if not (known and hmac.compare_digest(sent.encode(), known.encode())):
        abort(403, "This form is too old, or not of this page: load the page anew and try again.")


class Allowance:
    """So many requests from one address, which come back one after another."""

    def __init__(self, most: int, every_s: float) -> None:
        """`most` at once, then one every so many seconds."""
        self._most, self._every_s = most, every_s
        self._full_at: OrderedDict[str, float] = OrderedDict()
        """By address, when it has all of its requests again; the last one to ask is last."""
        self._lock = threading.Lock()

    def take(self, address: str) -> bool:
        """Take one; False where there is none left."""
        now, who = time.monotonic(), network(address)
        with self._lock:
            full_at = max(self._full_at.pop(who, now), now)
            is_allowed = full_at - now <= self._every_s * (self._most - 1)
            self._full_at[who] = full_at + self._every_s * is_allowed
            if len(self._full_at) > _MOST_VISITORS:
                self._full_at.popitem(last=False)
        return is_allowed


def network(address: str) -> str:
    """The address, or of IPv6 the part that one visitor cannot choose."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else address
