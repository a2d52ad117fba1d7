package remote

import (
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// WithoutTerminalLogins returns an initialize response without terminal logins. A client
// would run them on its own machine, but the agent is on another.
func WithoutTerminalLogins(result []byte) []byte {
	methods, _, _ := rawmsg.Member(result, "authMethods")
	if len(methods) == 0 || methods[0] != '[' {
		return result
	}
	out := []byte{'['}
	for method := range rawjson.Elements(methods) {
		if method[0] == '{' && rawmsg.MemberText(method, "type") == "terminal" {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, method...)
	}
	return rawmsg.Replace(result, "authMethods", append(out, ']'))
}
