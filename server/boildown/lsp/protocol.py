"""JSON-RPC as pygls speaks it, with an answer to every request and an end without a hitch.

pygls 2.1 lets a malformed message pass without an answer, sends tracebacks to the client, ignores
requests after `shutdown`, and stumbles over requests that are pending at that moment. Each is put
right here; nothing in here knows of reductions.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Generator
from typing import Any

from cattrs import transform_error
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

_OWN = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL,
)
"""What pygls does beside the server's own handlers, or where it has none, and need not."""

logger = logging.getLogger(__name__)


def _refusal(message: dict[str, Any], error: Exception) -> JsonRpcException:
    """Return the answer to a request that makes no sense, which names the part that does not."""
    if isinstance(error, JsonRpcException) and error.__cause__ is None:
        return error
    wrong, _, path = transform_error(error.__cause__ or error)[0].partition(" @ $.")
    place = re.sub("_([a-z])", lambda found: found[1].upper(), path)
    return JsonRpcInvalidParams(f"{message['method']}: {wrong}{place and f' at {place}'}.")


class Protocol(LanguageServerProtocol):
    """The protocol, forgiving to clients and strict in its answers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for method in _OWN:
            self.fm.builtin_features.pop(method)
        self.withdrawn: Callable[[int | str], None] = lambda _id: None
        """Called with the id of a request that the client gives up."""
        self.experimental: dict[str, Any] = {}
        """Capabilities that the protocol does not know, for the answer to `initialize`."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(
        self, params: types.InitializeParams
    ) -> Generator[Any, Any, types.InitializeResult]:
        """Answer `initialize` with the server's capabilities."""
        try:
            result = yield from super().lsp_initialize(params)
        except ValueError as error:  # A folder is no URI.
            raise JsonRpcInvalidParams(f"{types.INITIALIZE}: {error}.") from None
        result.capabilities.experimental = self.experimental
        return result

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Leave JSON objects as they are; pygls calls this for nested ones too."""
        return data

    def handle_message(self, message: Any) -> None:
        """Handle one message of JSON-RPC; each request gets an answer, however malformed."""
        if not isinstance(message, dict):
            self.refuse(None, JsonRpcInvalidRequest("A message must be a JSON object."))
            return
        number = message.get("id")
        is_request = "method" in message and "id" in message
        if "id" in message and (isinstance(number, bool) or not isinstance(number, int | str)):
            self.refuse(None, JsonRpcInvalidRequest("An id must be a number or a string."))
            return
        try:
            self._check_state(message)
            self._note_withdrawal(message)
            structured = super().structure_message({**message, "jsonrpc": self.VERSION})
        except Exception as error:
            if not is_request:
                logger.warning("Ignored a message: %s", error)
                self._fail_pending(number, error)
                return
            self.refuse(number, _refusal(message, error))
            return
        super().handle_message(structured)

    def _check_state(self, message: dict[str, Any]) -> None:
        """Raise the error for a message that comes too early, too late or without a method."""
        method = message.get("method")
        if method is not None and not isinstance(method, str):
            raise JsonRpcInvalidRequest("A method must be a string.")
        if method is None and "id" not in message:
            raise JsonRpcInvalidRequest("A message must have a method or an id.")
        if method in (None, types.EXIT):
            return
        if "id" in message and types.METHOD_TO_TYPES.get(method, (None, True))[1] is None:
            raise JsonRpcInvalidRequest(f"{method} is a notification; it has no id.")
        if self._shutdown:
            raise JsonRpcInvalidRequest("The server is shutting down.")
        if (self._workspace is None) != (method == types.INITIALIZE):
            if method == types.INITIALIZE:
                raise JsonRpcInvalidRequest("The server was initialized before.")
            raise JsonRpcServerNotInitialized("The first request must be 'initialize'.")

    def _note_withdrawal(self, message: dict[str, Any]) -> None:
        params = message.get("params")
        if message.get("method") == types.CANCEL_REQUEST and isinstance(params, dict):
            number = params.get("id")
            if not isinstance(number, int | str):
                raise JsonRpcInvalidParams("An id must be a number or a string.")
            self.withdrawn(number)

    def is_waited_for(self, number: int | str) -> bool:
        """Say whether the client still waits for the answer to its request."""
        return number in self._request_futures

    def _fail_pending(self, number: Any, error: Exception) -> None:
        """End our own request whose answer makes no sense."""
        future = self._request_futures.pop(number, None)
        if future is not None and not future.done():
            future.set_exception(error)

    def _handle_response(
        self, msg_id: int | str, result: Any = None, error: types.ResponseError | None = None
    ) -> None:
        """Take the answer to a request of ours; drop one that nobody waits for any more."""
        future = self._request_futures.get(msg_id)
        if future is not None and future.cancelled():
            del self._request_futures[msg_id]
            return
        super()._handle_response(msg_id, result, error)

    def refuse(self, number: Any, error: Exception) -> None:
        """Answer the request of this id, or a message without one (None), with an error."""
        assert isinstance(error, JsonRpcException)
        answer = {"code": error.code, "message": str(error)}
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": answer})

    def _send_response(
        self, msg_id: int | str, result: Any = None, error: types.ResponseError | None = None
    ) -> None:
        """Send an answer; a traceback goes to the log instead of the client."""
        if error is not None and error.data is not None:
            logger.error("%s: %s", error.message, error.data)
            error = types.ResponseError(error.code, f"Boildown failed: {error.message}")
        super()._send_response(msg_id, result, error)

    def drop_pending(self) -> None:
        """Cancel all requests but the current one, so that `shutdown` finds none."""
        current: object = asyncio.current_task()
        for number, future in list(self._request_futures.items()):
            if number != self.msg_id and future is not current:
                future.cancel()
                self._request_futures.pop(number, None)
