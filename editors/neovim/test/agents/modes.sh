#!/bin/sh
# Speaks ACP: an agent with modes and two settings. It accepts mode changes and
# refuses all others. It writes the messages it receives to a file.
while read -r line; do
  printf '%s\n' "$line" >> "$1"
  id=${line##*'"id":'} id=${id%%[!0-9]*}
  answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
  case $line in
    *'"initialize"'*) answer '"result":{"protocolVersion":1,"agentInfo":{"name":"modes","version":"1"}}' ;;
    *'new"'*) answer '"result":{"sessionId":"s",
"modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask first","description":"Changes nothing unasked"},null,{"id":"go","name":"Go ahead"}]},
"configOptions":[{"id":"model","name":"Model","type":"select","currentValue":"m1","options":[{"group":"g","name":"Group","options":[{"value":"m1","name":"Small"},{"value":"m2","name":"Large"}]}]},
{"id":"web","name":"Web search","type":"boolean","currentValue":true},7,{"id":"one","name":"Alone","type":"select","currentValue":"x","options":[{"value":"x","name":"X"}]}]}' | tr -d '\n'
      echo ;;
    *'set_mode"'*) answer '"result":{}' ;;
    *'set_config_option"'*) answer '"error":{"code":-32602,"message":"it cannot be chosen"}' ;;
    *'prompt"'*)
      echo '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"current_mode_update","currentModeId":"ask"}}}'
      answer '"result":{"stopReason":"end_turn"}' ;;
  esac
done
