#!/bin/sh
# A native agent whose turn waits for a message. It doesn't read those that contain
# "late", refuses those that contain "refused", and ends the turn after any other.
echo '{"type":"agent_info","name":"Cook","steer":{}}'
n=0
while read -r line; do
  case $line in
    '{"type":"prompt"'*'"text":"cook"'*) echo '{"type":"text_delta","text":"cooking"}' ;;
    '{"type":"prompt"'*) printf '{"type":"text_delta","text":"done"}\n{"type":"done","text":""}\n' ;;
    '{"type":"cancel"'*) echo '{"type":"done","text":"","stopReason":"cancelled"}' ;;
    '{"type":"steer"'*)
      n=$((n + 1))
      case $line in
        *late*) ;;
        *refused*) echo '{"type":"steered","steerId":"steer-'$n'","refused":"no"}' ;;
        *) printf '{"type":"steered","steerId":"steer-%s"}\n{"type":"text_delta","text":"salted"}\n{"type":"done","text":""}\n' $n ;;
      esac
      ;;
  esac
done
