"""The connection to a scheduler of Dask distributed: the only module that knows the engine.

Dask's client keeps a thread with a loop of its own; what happens there comes back into trio's by
its token. Certificates are what Dask's own configuration says.
"""

from __future__ import annotations

import logging
import os
import ssl
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import dask
import tornado.gen
import trio
from distributed import Client, Security

from arena.errors import UsageError

_log = logging.getLogger(__name__)
_CALL_S = 30
"""What the scheduler may take for an answer."""
_CLOSE_S = 5
_AGAIN_S = 0.5
_CERTIFICATES = {
    "tls_ca_file": "distributed.comm.tls.ca-file",
    "tls_client_cert": "distributed.comm.tls.client.cert",
    "tls_client_key": "distributed.comm.tls.client.key",
}
"""What has to be configured for TLS, by Dask's name in `Security`."""


class ConnectionLost(Exception):
    """The scheduler does not answer any more, or has forgotten us."""


class TaskFailed(Exception):
    """A task has ended with an error that is not the arena's: what it was."""


def check_address(address: str) -> None:
    """Refuse addresses that are none, or where anybody could listen in. Raises `UsageError`."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or not port or parts.scheme not in ("tls", "tcp") or parts.path:
        raise UsageError(f"--cluster {address}: expected tls://HOST:PORT, the scheduler's address")
    if parts.scheme == "tcp" and not _is_loopback(host):
        raise UsageError(
            f"--cluster {address}: whoever reaches a scheduler without TLS runs programs on all "
            "its workers; tcp:// is for this machine only, use tls://"
        )


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def open_client(address: str, timeout_s: float) -> Client:
    """A client of the scheduler at `address`.

    Raises `UsageError` for an address or certificates that can't be used, `OSError` where no
    scheduler answers within `timeout_s`, or not to our certificate.
    """
    check_address(address)
    security = _security(address) if address.startswith("tls:") else Security()
    # A bot's files travel as one argument.
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GiB"})
    # What goes wrong is told in the arena's own words.
    for name in logging.root.manager.loggerDict:
        if name.startswith(("distributed", "tornado")):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return _Client(address, security=security, timeout=timeout_s, set_as_default=False)


class _Client(Client):
    """A client that tries again where Dask's own fails.

    A connection that is taken and then closed, as by a proxy with no scheduler behind it, is the
    end for Dask, or even an error that it does not foresee and leaves a client open by.
    """

    async def _ensure_connected(self, timeout: float | None = None) -> None:
        until = time.monotonic() + (timeout or _CALL_S)
        while True:
            try:
                await super()._ensure_connected(timeout=max(0.1, until - time.monotonic()))
                return
            except (OSError, ValueError) as error:
                if time.monotonic() > until or _is_refusal(error):
                    raise OSError(str(error)) from error
                await tornado.gen.sleep(_AGAIN_S)


def _security(address: str) -> Security:
    missing = [key for key in _CERTIFICATES.values() if not dask.config.get(key, None)]
    if missing:
        names = [f"DASK_{key.replace('.', '__').replace('-', '_').upper()}" for key in missing]
        raise UsageError(
            f"--cluster {address}: no certificates; Dask's configuration or these variables have "
            f"to name their files: {', '.join(names)}"
        )
    security = Security(require_encryption=True)
    for name, key in _CERTIFICATES.items():
        # Dask takes a text with a line break for the certificate itself.
        value = getattr(security, name)
        if "\n" not in value and not os.access(value, os.R_OK):
            raise UsageError(f"{key}: {value}: no file that can be read")
    try:
        security.get_connection_args("client")
    except (ssl.SSLError, OSError) as error:
        raise UsageError(f"distributed.comm.tls: no usable certificates: {error}") from None
    return security


class Connection:
    """A connection for as long as it lasts."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._token = trio.lowlevel.current_trio_token()

    async def workers(self) -> dict[str, int]:
        """The workers that there are: their addresses, and how many threads each has.

        Raises `ConnectionLost`.
        """
        found: dict[str, int] | None = None
        with trio.move_on_after(_CALL_S):
            found = await trio.to_thread.run_sync(self._nthreads, abandon_on_cancel=True)
        if found is None:
            raise ConnectionLost
        return found

    def _nthreads(self) -> dict[str, int]:
        try:
            return dict(self._client.nthreads())
        # Dask tells of what was cancelled by an exception of asyncio's, which is no `Exception`.
        except BaseException as error:
            raise ConnectionLost from error

    async def call(self, address: str | None, function: Callable[..., Any], *data: object) -> Any:
        """Run `function` in a worker, in any one where `address` is None.

        Raises `TaskFailed`, `ConnectionLost`. While there is no such worker it waits.
        """
        done = trio.Event()
        with self._submitted(address, function, data) as future:
            future.add_done_callback(lambda _: self._tell(done.set))
            await done.wait()
            return await trio.to_thread.run_sync(_result_of, future, abandon_on_cancel=True)

    @contextmanager
    def _submitted(
        self, address: str | None, function: Callable[..., Any], data: tuple[object, ...]
    ) -> Iterator[Any]:
        """The task, for as long as the block lasts; a worker that has begun it goes on with it."""
        if self._client.status != "running":
            raise ConnectionLost
        future = self._client.submit(
            function,
            *data,
            # An attempt is not the attempt before it.
            key=f"kseri-{uuid.uuid4()}",
            workers=[address] if address else None,
            pure=False,
        )
        try:
            yield future
        finally:
            future.release()

    def _tell(self, what: Callable[[], object]) -> None:
        # After the end of the run nobody waits.
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(what)


def _result_of(future: Any) -> Any:
    try:
        return future.result()
    except BaseException as error:  # as above
        if future.status == "error":
            raise TaskFailed(f"{type(error).__name__}: {error}") from error
        raise ConnectionLost from error


@asynccontextmanager
async def open_connection(address: str, timeout_s: float) -> AsyncIterator[Connection]:
    """A connection for as long as the block runs. Raises like `open_client`."""
    client = await trio.to_thread.run_sync(open_client, address, timeout_s, abandon_on_cancel=True)
    try:
        yield Connection(client)
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(_CLOSE_S):
            await trio.to_thread.run_sync(close_client, client, abandon_on_cancel=True)


def close_client(client: Client) -> None:
    """Close a client, whatever has become of its scheduler."""
    try:
        client.close(_CLOSE_S)
    except BaseException as error:
        # It was about to connect again, and tells now what came of that: nobody cares any more.
        _log.debug("closing a client: %r", error)
        # Else it would be closed once more at the end of the program, with all its patience.
        client.status = "closed"


def cause(error: BaseException) -> str:
    """What is behind an error of Dask's, in one line."""
    root = _root(error)
    return str(root) or type(root).__name__


def _root(error: BaseException) -> BaseException:
    while inner := error.__cause__ or error.__context__:
        error = inner
    return error


def _is_refusal(error: BaseException) -> bool:
    """Whether it is about certificates, which do not become better by trying again."""
    root = _root(error)
    return isinstance(root, ssl.SSLError) and not isinstance(root, ssl.SSLEOFError)
