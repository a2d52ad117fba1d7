import enum
from dataclasses import dataclass, field


class EventType(str, enum.Enum):
    TURN_BEGIN = "turn_begin"
    TURN_START = "turn_start"
    TURN_END = "turn_end"
    LLM_TEXT = "llm_text"
    LLM_CALL_DELTA = "llm_call_delta"
    TOOL_CONFIRMATION = "tool_confirmation"
    TOOL_START = "tool_start"
    TOOL_COMPLETE = "tool_complete"
    TOOL_RESULT = "tool_result"
    MODEL_CHANGED = "model_changed"
    PERMISSION_MODE_CHANGED = "permission_mode_changed"
    READONLY_MODE_CHANGED = "readonly_mode_changed"


@dataclass
class AgentEvent:
    type: EventType
    data: dict = field(default_factory=dict)
    schema_version: int = 1


class SdkTransport:
    def __init__(self, on_event=None, confirm_tool=None, ask_user=None, on_max_iterations=None):
        self._on_event = on_event
        self.confirm_tool = confirm_tool
        self.ask_user = ask_user
        self.on_max_iterations = on_max_iterations

    def emit(self, event):
        try:
            self._on_event(event)
        except Exception:
            pass
