#!/bin/sh
# A native agent: answers every prompt with the lines of a file.
while read -r line; do
  case $line in
    '{"type":"prompt"'*) cat "$1" ;;
  esac
done
