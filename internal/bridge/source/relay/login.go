package relay

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// withLogin returns an initialize response in which prefix precedes the arguments of
// terminal logins. A client runs such a login as the command that it started, which is
// Turnwire, with these arguments appended.
func withLogin(result []byte, prefix []string) []byte {
	methods, _, _ := rawmsg.Member(result, "authMethods")
	if len(prefix) == 0 || len(methods) == 0 || methods[0] != '[' {
		return result
	}
	out := []byte{'['}
	for method := range rawjson.Elements(methods) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		if method[0] == '{' && rawmsg.MemberText(method, "type") == "terminal" {
			method = withMember(method, "args", prefixed(method, prefix))
		}
		out = append(out, method...)
	}
	return rawmsg.Replace(result, "authMethods", append(out, ']'))
}

// prefixed returns the argument list of a login with prefix prepended.
func prefixed(method []byte, prefix []string) []byte {
	list := rawmsg.Encode(prefix)
	args, _, _ := rawmsg.Member(method, "args")
	if len(args) == 0 || args[0] != '[' || len(bytes.TrimSpace(args[1:len(args)-1])) == 0 {
		return list
	}
	out := append([]byte(nil), list[:len(list)-1]...)
	return append(append(out, ','), args[1:]...)
}
