#!/bin/sh
# {{name}}: an agent that any editor can show. A text stays a JSON string, with
# its escapes, on its way through.
emit() { printf '{"type":"%s",%s}\n' "$1" "$2"; }

receive() { # receive TYPE: wait for that command; fail when the turn is cancelled
  while read -r command; do
    case $command in
      '{"type":"'"$1"'"'*) return 0 ;;
      '{"type":"cancel"'*) [ "$1" = prompt ] || return 1 ;;
    esac
  done
  exit 0 # the end of stdin means stop
}

turn() {
  text=${command#*'"text":"'} text=${text%%'","prompt":'*}
  emit text_delta '"text":"You said: '"$text"'\n"'
  emit question '"questionId":"kind","question":"What is that?","options":["idea","task"]'
  receive question_response || return 1
  kind=${command#*'"answer":"'} kind=${kind%%'"'*} kind=${kind:-note}
  call='"toolCallId":"save","toolName":"save","args":{"note":"'$text'"},"title":"Keep the '$kind'","kind":"edit"'
  emit tool_confirmation_request "$call"',"reason":"It is written to notes.txt"'
  receive tool_confirmation_response || return 1
  case $command in
    *'"decision":"allow_'*) ;;
    *)
      emit tool_end '"toolCallId":"save","ok":false,"cancelled":true'
      return 0
      ;;
  esac
  emit tool_start "$call"
  if printf '%s: %s\n' "$kind" "$text" >> notes.txt; then
    emit tool_end '"toolCallId":"save","ok":true,"result":"It is in notes.txt."'
  else
    emit tool_end '"toolCallId":"save","ok":false,"error":"notes.txt cannot be written"'
  fi
}

while receive prompt; do
  if turn; then reason=end_turn; else reason=cancelled; fi
  emit done '"text":"","stopReason":"'$reason'"'
done
