#!/bin/sh
# A native agent that asks, and continues without an answer once a file exists.
while read -r line; do
  case $line in
    '{"type":"prompt"'*)
      echo '{"type":"tool_confirmation_request","toolCallId":"t1","toolName":"run","args":{"command":"rm -rf ."},"title":"Run rm","kind":"execute"}'
      until [ -e "$1" ]; do sleep 0.05; done
      echo '{"type":"tool_end","toolCallId":"t1","ok":false,"result":"nobody answered in time"}'
      echo '{"type":"done","text":"","stopReason":"end_turn"}'
      ;;
  esac
done
