"""A stand-in for Agentao with the interface that the host uses, and no model:
a prompt names what the agent is to do."""

__version__ = "0.0.0-standin"
