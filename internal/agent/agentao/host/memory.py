"""The conversation on disk, where Agentao's own CLI and server keep theirs: the
project's .agentao/sessions."""
import inspect
import sys
import traceback
import uuid

FORGOTTEN = (
    "Agentao does not have this conversation any more: it keeps the last few of a project. "
    "This is the beginning of a new one."
)


class Memory:
    """Under which key a conversation is saved. The key is Agentao's session_id."""

    def __init__(self, resumes=False, key=None):
        self.resumes = resumes  # there has been a conversation
        self.begin(key if resumes else None)

    def begin(self, key=None):
        self.key = key if isinstance(key, str) and key else str(uuid.uuid4())
        self.file = None  # the last save, which the next one replaces
        self.mark = None  # what that has

    def bind(self, agent):
        """Says the key to an agent: its records of the session have it too."""
        agent._session_id = self.key
        try:
            agent.tool_runner._session_id = self.key
            agent.memory_manager.archive_session(self.key)
        except Exception:
            traceback.print_exc()  # an Agentao whose records have no such key

    def recall(self, agent):
        """Gives an agent the conversation, as Agentao resumes one. False where it
        is gone."""
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
        # What was worked out about other messages, or by another model.
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
            return  # an older Agentao, where each save would displace another conversation
        self.file, _ = persist_agent_session(
            agent, self.key, project_root=agent.working_directory, supersedes=self.file,
        )
        self.mark = mark(agent)


def mark(agent):
    messages = agent.messages
    return (id(messages), len(messages), id(messages[-1])) if messages else None


def attempt(call, *args):
    """What a call returns, None where it fails: a conversation goes on without
    its memory."""
    try:
        return call(*args)
    except Exception:
        print("the memory of the conversation:", file=sys.stderr)
        traceback.print_exc()
        return None
