"""Prompts and their contents."""
import base64
import os


class Refusal(Exception):
    """The reason why a turn cannot start, for the user."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class Turn:
    """A prompt and its progress."""

    def __init__(self, command):
        self.id = command.get("turnId")
        self.cwd = command.get("cwd") or os.getcwd()
        self.text = command.get("text") or ""
        self.blocks = command.get("prompt") or []
        self.cancelled = False
        self.ended = False  # its end was reported; later lines are dropped
        self.waits = False  # for the previous turn
        self.token = None


# The first bytes determine an image's type. A wrong type would stay in the
# conversation, and every later request would fail.
IMAGES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))


def images(blocks):
    """Returns a prompt's images in the form that Agentao accepts."""
    found = []
    for block in blocks:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "audio":
            raise Refusal("Agentao does not accept audio. Send the prompt without it.", "unsupported_content")
        if kind == "image":
            found.append(image(block))
    return found


def image(block):
    try:
        data = base64.b64decode(block.get("data"), validate=True)
    except (TypeError, ValueError):
        data = b""
    for head, mime in IMAGES:
        if data.startswith(head):
            return {"data": block["data"], "mimeType": mime}
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return {"data": block["data"], "mimeType": "image/webp"}
    raise Refusal("Agentao only accepts PNG, JPEG, GIF and WebP images. Send the prompt without this one.", "unsupported_content")
