"""Prompts, and what they hold."""
import base64
import os


class Refusal(Exception):
    """A turn that cannot begin. Its text is for the user."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class Turn:
    """A prompt, and how far it is."""

    def __init__(self, command):
        self.id = command.get("turnId")
        self.cwd = command.get("cwd") or os.getcwd()
        self.text = command.get("text") or ""
        self.blocks = command.get("prompt") or []
        self.cancelled = False
        self.ended = False  # its end has been said; what comes later is dropped
        self.waits = False  # for the turn before it
        self.token = None


# What the first bytes say an image is, whatever it is called: a wrong image
# would stay in the conversation and fail every later request.
IMAGES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))


def images(blocks):
    """The images among the blocks of a prompt, as Agentao takes them."""
    found = []
    for block in blocks:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "audio":
            raise Refusal("Agentao takes no audio. Send the prompt without it.", "unsupported_content")
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
    raise Refusal("Agentao takes images that are PNG, JPEG, GIF or WebP. Send the prompt without this one.", "unsupported_content")
