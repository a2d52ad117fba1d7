#!/bin/sh
# Speaks ACP: an agent that needs a login first. The person is logged in while FILE
# exists. It asks for a login at "new" or "prompt". A third argument changes that:
# "login CODE" runs the terminal login, "silent" lists no method, and "late" lists
# methods only in the second `initialize` response.
file=$1 when=$2
if [ "${3:-}" = login ]; then
  [ "$4" != 0 ] || printf '%s %s' "${LOGIN_AS:-}" "${NVIM:-no editor}" > "$file"
  exit "$4"
fi
methods='{"id":"none","name":"No login needed","_meta":{"turnwire.dev/no-login":true}},
{"id":"browser","name":"With the browser","description":"Opens a page."},
{"id":"broken","name":"Broken","type":"agent"},{"id":"never","name":"Never ends"},
{"id":"terminal","name":"In a terminal","type":"terminal","args":["login","0"],"env":{"LOGIN_AS":"me"}},
{"id":"failing","name":"In a terminal, and fails","type":"terminal","args":["login","3"]},
{"id":"older","name":"As before","_meta":{"terminal-auth":{"command":"sh","args":["'$0'","'$file'","'$when'","login","0"]}}},
{"id":"key","name":"With a key","type":"env_var","vars":[{"name":"TEA_KEY","label":"Key"},7,{"name":"TEA_HOST","optional":true}]},
7,{"id":"later","name":"Of a later version","type":"_retina"},{"id":"browser","name":"Twice"},{"name":"Without an id"}'
said=$methods
case ${3:-} in silent) said= methods= ;; late) said= ;; esac
while read -r line; do
  id=${line##*'"id":'} id=${id%%[!0-9]*}
  answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1" | tr -d '\n'; echo; }
  wanted() {
    [ "$when" = "$1" ] && [ ! -e "$file" ] &&
      answer '"error":{"code":-32000,"message":"Authentication required","data":{"details":"Who are you?"}}'
  }
  case $line in
    *'"initialize"'*)
      answer '"result":{"protocolVersion":1,"agentInfo":{"name":"login","version":"1"},"agentCapabilities":{"auth":{"logout":{}}},"authMethods":['"$said"']}'
      said=$methods ;;
    *'"browser"'*) : > "$file"; answer '"result":{}' ;;
    *'"never"'*) ;;
    *'"broken"'*) answer '"error":{"code":-32603,"message":"Internal error","data":{"details":"it does not work"}}' ;;
    *'logout"'*) rm "$file"; answer '"result":{}' ;;
    *'new"'*) wanted new || answer '"result":{"sessionId":"s"}' ;;
    *'prompt"'*) wanted prompt || answer '"result":{"stopReason":"end_turn"}' ;;
  esac
done
