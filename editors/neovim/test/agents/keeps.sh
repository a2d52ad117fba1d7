#!/bin/sh
# Speaks ACP: an agent that stores its own sessions; with "many", 200 more of
# them.
many=
[ "${1:-}" != many ] || many=$(seq 200 | sed 's/.*/,{"sessionId":"n&","cwd":"\/","title":"Number &"}/' | tr -d '\n')
while read -r line; do
  id=${line##*'"id":'} id=${id%%[!0-9]*}
  answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
  update() { printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"old","update":%s}}\n' "$1"; }
  case $line in
    *'"initialize"'*) answer '{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":{},"title":{}}}}' ;;
    *'new"'*) answer '{"sessionId":"s"}' ;;
    *'"cursor"'*) answer '{"sessions":[{"sessionId":"older","cwd":"/"}],"nextCursor":"2"}' ;;
    *'list"'*) answer '{"sessions":[{"sessionId":"old","cwd":"/","title":"Old one","updatedAt":"2026-01-01T12:00:00Z"},{"title":"no id"}'"$many"'],"nextCursor":"2"}' ;;
    *'load"'*)
      update '{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"What was it?"}}'
      update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"It was this."}}'
      answer '{}' ;;
    *'set_title"'*) answer '{}' ;;
    *'prompt"'*) answer '{"stopReason":"end_turn"}' ;;
  esac
done
