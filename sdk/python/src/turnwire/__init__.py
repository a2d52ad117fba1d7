"""Write an agent for any editor: it prints events, and Turnwire does the rest."""

from .agent import Agent
from .turn import Answer, AsyncTurn, Cancelled, Decided, Tool, ToolResult, Turn

__all__ = ["Agent", "Answer", "AsyncTurn", "Cancelled", "Decided", "Tool", "ToolResult", "Turn"]
__version__ = "0.1.0"
