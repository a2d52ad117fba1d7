#!/bin/sh
# Speaks ACP: answers the first prompt with the lines of a file, then records
# everything it receives.
read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"acp","version":"1"}}}'
read -r line
echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}'
read -r line
cat "$1"
cat > "$2"
