#!/bin/sh
# A native agent that asks for a name and a secret, and records what it
# receives.
while read -r line; do
  printf '%s\n' "$line" >> "$1"
  case $line in
    '{"type":"prompt"'*)
      echo '{"type":"question","questionId":"q","question":"Log in","fields":[{"name":"user"},{"name":"key","secret":true,"required":true}]}' ;;
    '{"type":"question_response"'*) echo '{"type":"done","text":"","stopReason":"end_turn"}' ;;
  esac
done
