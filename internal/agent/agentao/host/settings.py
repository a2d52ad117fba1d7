"""Agentao's settings: its permission mode and its model."""
import threading

MODES = (
    ("read-only", "Read-only", "Changes nothing and runs no commands."),
    ("workspace-write", "Workspace write", "Changes files and runs safe commands; asks about the rest."),
    ("full-access", "Full access", "Does everything without asking."),
    ("plan", "Plan", "Makes a plan, but carries out nothing."),
)
MAX_MODELS = 500
# Seconds that Agentao may take to return from a turn after it reported its end.
WIND_DOWN = 1


def report(agent, say):
    """Reports the settings. The models come later, or never, because the provider
    has to list them."""
    engine = getattr(agent, "permission_engine", None)
    if engine is not None:
        choices = [{"id": i, "name": name, "description": d} for i, name, d in MODES]
        say({"type": "host.mode", "current": engine.active_mode.value, "available": choices})
    say({"type": "host.model", "current": agent.get_current_model()})
    threading.Thread(target=report_models, args=(agent, say), daemon=True).start()


def report_models(agent, say):
    try:
        names = [name for name in agent.list_available_models() if isinstance(name, str)]
    except Exception:
        return  # the provider has no list, and the model can't be changed
    current = agent.get_current_model()
    names = [current] + [name for name in names if name != current][:MAX_MODELS]
    say({"type": "host.model", "current": current, "available": [{"id": n, "name": n} for n in sorted(names)]})


def choose(runtime, command):
    """Sets an option, and returns the line that reports it. Raises an exception
    if it is refused."""
    option, value = command.get("optionId"), command.get("value")
    if runtime is None or runtime.agent is None:
        raise ValueError("Agentao is not running yet; the first prompt starts it")
    turn = runtime.turn
    if turn is not None and turn.ended:
        runtime.idle.wait(WIND_DOWN)
    with runtime.setting():
        if option == "mode":
            set_mode(runtime.agent, value)
        elif option != "model":
            raise ValueError("Agentao has no such option")
        elif runtime.turn is not None:
            raise ValueError("Agentao can only change its model between turns")
        else:
            runtime.agent.set_model(value)
    return {"type": "host." + option, "current": value}


def set_mode(agent, value):
    from agentao.permissions import PermissionMode

    mode = PermissionMode(value)
    try:
        from agentao.runtime.permission_mode import apply_permission_mode
    except ImportError:  # before Agentao 0.5
        agent.permission_engine.set_mode(mode)
    else:
        apply_permission_mode(agent, mode, cause="host")
