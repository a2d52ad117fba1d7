package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/policy"
	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// For any command line: a rule for all commands denies it, and a rule that allows accepts
// it only if it begins with the rule's pattern.
func FuzzCommand(f *testing.F) {
	for _, line := range []string{"rm x", "a=$(b) c | d > e", "cat <<A\nx\nA\nrm", "`a \\`b\\``", "x \"$y'", "f() { :; }", "\x00", "a\r\nb", "sh -c 'a"} {
		f.Add(line)
	}
	deny, allow := new(policy.Policy), new(policy.Policy)
	require.NoError(f, deny.Add(policy.Rule{Deny: "execute:rm *"}, ""))
	require.NoError(f, allow.Allow("execute:go test *"))
	f.Fuzz(func(t *testing.T, line string) {
		call := consent.Call{Kind: "execute", Command: "true && rm x\n" + line}
		require.Equal(t, consent.Deny, deny.Judge(call).Verdict)
		call.Command = "go test x\n" + line
		require.Equal(t, consent.Ask, allow.Judge(call).Verdict)
	})
}
