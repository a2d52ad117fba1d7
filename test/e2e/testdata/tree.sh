# Starts processes that are hard to kill: they ignore signals, run in separate
# sessions, have no parent, and one has no environment. $1 is a mark for that
# one; $2 says whether to print without end.
trap '' TERM INT HUP
setsid sleep 1000 > /dev/null &
nohup sleep 1000 > /dev/null 2>&1 &
(setsid sh -c 'trap "" TERM; sleep 1000; sleep 1000' > /dev/null &)
env -i PATH="$PATH" setsid sh -c 'sleep 1000; sleep 1000' "$1" > /dev/null 2>&1 &
echo '{"type":"text_delta","text":"the tree is up"}'
case $2 in
  printing) while :; do echo '{"type":"text_delta","text":"on and on "}'; done ;;
  quiet) while :; do sleep 1000; done ;;
esac
