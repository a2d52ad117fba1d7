def translate_acp_mcp_servers(entries):
    return {e["name"]: {"url": e["url"], "type": e["type"]} for e in entries}
