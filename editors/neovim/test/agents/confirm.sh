#!/bin/sh
# A native agent: asks to run a command, and records every command that it
# receives.
record=$1
echo "pid $$" >> "$record"
while read -r line; do
  printf '%s\n' "$line" >> "$record"
  case $line in
    '{"type":"prompt"'*)
      echo '{"type":"tool_confirmation_request","toolCallId":"t1","toolName":"run","args":{"command":"rm -rf ."},"title":"Run rm","kind":"execute"}'
      ;;
    '{"type":"tool_confirmation_response"'*)
      echo '{"type":"tool_end","toolCallId":"t1","ok":false,"result":"was not run"}'
      echo '{"type":"done","text":"","stopReason":"end_turn"}'
      ;;
    '{"type":"cancel"'*)
      echo '{"type":"done","text":"","stopReason":"cancelled"}'
      ;;
  esac
done
