"""Saves the conversation where Agentao's own CLI and server save theirs: in the
project's .agentao/sessions."""
import inspect
import sys
import traceback
import uuid

FORGOTTEN = (
    "Agentao no longer has this conversation, because it keeps only a project's last few. "
    "A new one starts here."
)


class Memory:
    """The key of the saved conversation, which is Agentao's session_id."""

    def __init__(self, resumes=False, key=None):
        self.resumes = resumes  # there is an earlier conversation
        self.begin(key if resumes else None)

    def begin(self, key=None):
        self.key = key if isinstance(key, str) and key else str(uuid.uuid4())
        self.file = None  # the last save, which the next one replaces
        self.mark = None  # its content

    def bind(self, agent):
        """Gives an agent the key, which its own records then use, too."""
        agent._session_id = self.key
        try:
            agent.tool_runner._session_id = self.key
            agent.memory_manager.archive_session(self.key)
        except Exception:
            traceback.print_exc()  # this Agentao's records have no key

    def recall(self, agent):
        """Gives an agent the conversation, like Agentao's own resume. Returns False
        if it is gone."""
        from agentao.embedding import sessions
        from agentao.runtime.model import purge_thinking_artifacts

        root = agent.working_directory
        saves = [s for s in sessions.list_sessions(root) if s.get("session_id") == self.key]
        if not saves:
            return False
        key, messages, _, skills = sessions.load_session_record(self.key, project_root=root)
        if key != self.key or not all(isinstance(m, dict) for m in messages):
            return False
        agent.messages = list(messages)
        # Drop what was computed for other messages or by another model.
        agent.context_manager.invalidate_token_anchor()
        purge_thinking_artifacts(agent.messages)
        sessions.restore_agent_skills(agent, skills, session_id=self.key)
        self.file, self.mark = saves[0]["path"], mark(agent)
        return True

    def save(self, agent):
        """Saves the conversation, if there is anything new."""
        if not agent.messages or mark(agent) == self.mark:
            return
        from agentao.embedding.sessions import persist_agent_session

        if "supersedes" not in inspect.signature(persist_agent_session).parameters:
            return  # in an older Agentao, each save would displace another conversation
        self.file, _ = persist_agent_session(
            agent, self.key, project_root=agent.working_directory, supersedes=self.file,
        )
        self.mark = mark(agent)


def mark(agent):
    messages = agent.messages
    return (id(messages), len(messages), id(messages[-1])) if messages else None


def attempt(call, *args):
    """Returns a call's result, or None if it fails: a conversation continues even
    if it can't be saved."""
    try:
        return call(*args)
    except Exception:
        print("the memory of the conversation:", file=sys.stderr)
        traceback.print_exc()
        return None
