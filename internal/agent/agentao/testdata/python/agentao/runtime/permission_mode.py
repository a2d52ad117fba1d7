from ..transport import EventType


def apply_permission_mode(agent, mode, *, cause):
    previous, agent.permission_engine.active_mode = agent.permission_engine.active_mode, mode
    agent.emit(EventType.READONLY_MODE_CHANGED, previous=False, current=True)
    agent.emit(EventType.PERMISSION_MODE_CHANGED, previous=previous.value, current=mode.value, cause=cause)
