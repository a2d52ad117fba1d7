#!/bin/sh
# Strings are passed through as JSON, with their escapes.
emit() { printf '{"type":"%s",%s}\n' "$1" "$2"; }

receive() { # receive TYPE: wait for that command; fail if the turn is cancelled
  while read -r command; do
    case $command in
      '{"type":"'"$1"'"'*) return 0 ;;
      '{"type":"cancel"'*) [ "$1" = prompt ] || return 1 ;;
    esac
  done
  exit 0 # EOF means stop
}

turn() {
  text=${command#*'"text":"'} text=${text%%'","prompt":'*}
  emit text_delta '"text":"Hello! You said: '"$text"'\n"'
  emit question '"questionId":"kind","question":"What is that?","options":["idea","task"]'
  receive question_response || return 1
  kind=${command#*'"answer":"'} kind=${kind%%'"'*}
  emit tool_confirmation_request '"toolCallId":"save","toolName":"save","title":"Save a note"'
  receive tool_confirmation_response || return 1
  case $command in
    *'"decision":"allow_'*) printf '%s: %s\n' "$kind" "$text" >> notes.txt; ok=true ;;
    *) ok=false ;;
  esac
  emit tool_end '"toolCallId":"save","ok":'$ok
}

while receive prompt; do
  if turn; then reason=end_turn; else reason=cancelled; fi
  emit done '"text":"","stopReason":"'$reason'"'
done
