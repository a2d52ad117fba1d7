#!/bin/sh
# Speaks ACP until the first prompt, then prints the reason and exits.
read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"dies","version":"1"}}}'
read -r line
echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}'
read -r line
echo 'the disk is on fire' >&2
exit 7
