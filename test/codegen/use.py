"""Checks what a program may expect from the generated types, with every event."""

import pathlib
import sys

sys.path.insert(0, sys.argv[1])
import agent_command
import agent_event
import agent_event_strict
import acp_v1
import config

assert agent_event.ToolKind("edit") and agent_event.PlanEntryStatus("pending") and agent_command.Decision("cancelled")
assert issubclass(agent_event.ErrorEvent, agent_event.BaseModel)
assert acp_v1.SessionUpdate and config.File

# pydantic's strings can't contain lone surrogates.
lines = pathlib.Path("../conformance/every-event.jsonl").read_text(encoding="utf-8").replace("\\ud800", "")
for line in lines.splitlines():
    event = agent_event.AgentEvent.model_validate_json(line)
    assert event.root.model_dump_json(exclude_unset=True)
    agent_event_strict.AgentEvent.model_validate_json(line)

# The discriminator reduces this to one error.
try:
    agent_event_strict.AgentEvent.model_validate_json('{"type":"text_delta","text":1}')
except ValueError as error:
    assert error.error_count() == 1, error
else:
    raise AssertionError("a slip was taken")
