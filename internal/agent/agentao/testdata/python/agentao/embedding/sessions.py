"""Saved conversations: one file for each save, as Agentao has them."""
import json
from pathlib import Path


def directory(project_root):
    return Path(project_root) / ".agentao" / "sessions"


def list_sessions(project_root):
    found = []
    for path in sorted(directory(project_root).glob("*.json"), reverse=True):
        found.append({"session_id": json.loads(path.read_text())["session_id"], "path": str(path)})
    return found


def load_session_record(session_id, *, project_root):
    for saved in list_sessions(project_root):
        if saved["session_id"].startswith(session_id):
            record = json.loads(Path(saved["path"]).read_text())
            return record["session_id"], record["messages"], record["model"], record["active_skills"]
    raise FileNotFoundError(session_id)


def persist_agent_session(agent, session_id=None, *, project_root, supersedes=None):
    folder = directory(project_root)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{1 + max([int(p.stem) for p in folder.glob('*.json')], default=0):06}.json"
    path.write_text(json.dumps({
        "session_id": session_id, "messages": agent.messages, "model": agent.get_current_model(), "active_skills": ["gardening"],
    }))
    if supersedes is not None:
        Path(supersedes).unlink()
    return path, session_id


def restore_agent_skills(agent, active_skills, *, session_id=""):
    agent.skills = active_skills
