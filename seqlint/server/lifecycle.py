"""What is answered before the editor has said who it is, and after it has said that it goes."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.protocol import LanguageServerProtocol


class Lifecycle(LanguageServerProtocol):
    """The protocol, with its errors for what comes too early or too late; a notification then is passed over."""

    def handle_message(self, message: Any) -> None:
        """Hand a message on, or answer with an error."""
        method = getattr(message, "method", "")
        refused = self._refused(method) if method else None
        if refused is None:
            super().handle_message(message)
        elif hasattr(message, "id"):
            self._send_response(message.id, None, refused.to_response_error())

    def _refused(self, method: str) -> JsonRpcException | None:
        if method == lsp.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("the server is shut down")
        if self._workspace is None and method != lsp.INITIALIZE:
            return JsonRpcServerNotInitialized("the server is not initialized")
        if self._workspace is not None and method == lsp.INITIALIZE:
            return JsonRpcInvalidRequest("the server is initialized already")
        return None
