#!/bin/sh
# A native agent whose conversation Turnwire holds. It says how many messages it was given.
echo '{"type":"agent_info","name":"Historian","history":true}'
while read -r line; do
  case $line in
    '{"type":"prompt"'*)
      n=$(printf '%s' "$line" | grep -o '"role":' | wc -l)
      printf '{"type":"text_delta","text":"given %d"}\n{"type":"done"}\n' "$n" ;;
  esac
done
