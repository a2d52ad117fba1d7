def purge_thinking_artifacts(messages):
    for message in messages:
        message.pop("reasoning", None)
