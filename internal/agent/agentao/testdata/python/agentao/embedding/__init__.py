import os

from ..agent import Agent


def build_from_environment(working_directory=None, **overrides):
    if not os.environ.get("OPENAI_API_KEY"):
        raise ValueError("Agentao(): api_key, base_url, and model are required")
    return Agent(working_directory, **overrides)
