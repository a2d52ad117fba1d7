//go:build unix

package partial_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/partial"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// request returns the params of a permission request, with more options.
func request(more string) []byte {
	return []byte(`{"toolCall":{"toolCallId":"c","content":[{"type":"diff","path":"/w/a","oldText":"1\n2\n","newText":"one\ntwo\n"}]},` +
		`"options":[{"optionId":"y","kind":"allow_once"},{"optionId":"n","kind":"reject_once"}` + more + `]}`)
}

func TestAnOfferedRequestAcceptsAPart(t *testing.T) {
	files := agent.Options{Cwd: "/w"}
	for kind, want := range map[string]bool{"edit": true, consent.DefaultKind: true, "execute": false, "delete": false, "": false} {
		params := request("")
		params, reject, ok := partial.Offer(params, core.OptionsOf(params), consent.Call{Kind: kind}, files)
		require.Equal(t, want, ok, kind)
		var answer core.Answer
		r := &core.Request{Method: v1.MethodRequestPermission, Params: params, Offered: core.OptionsOf(params), Answered: func(a core.Answer) { answer = a }}
		understood := r.Reply(core.Answer{Result: []byte(`{"outcome":{"outcome":"selected","optionId":"y"},"_meta":{"turnwire.dev/accepted":[{"path":"/w/a","newText":"one\n2\n"}]}}`)})
		require.Equal(t, want, understood, kind)
		require.Equal(t, want, answer.Accepted != nil, kind)
		if want {
			require.Equal(t, "n", reject.ID)
		}
	}
}

// An agent must not understand the rejection as something else.
func TestARejectionIsUnambiguous(t *testing.T) {
	for more, want := range map[string]bool{
		`,{"optionId":"n","kind":"allow_once"}`:                                         false,
		`,{"optionId":"n","kind":"reject_once"}`:                                        false,
		`,{"optionId":"m","kind":"reject_once"},{"optionId":"m","kind":"allow_always"}`: true, // n is used
	} {
		params := request(more)
		_, reject, ok := partial.Offer(params, core.OptionsOf(params), consent.Call{Kind: "edit"}, agent.Options{Cwd: "/w"})
		require.Equal(t, want, ok, more)
		require.Equal(t, "n", reject.ID)
	}
}

func TestOnlyFilesOfTheSessionAreOffered(t *testing.T) {
	for _, c := range []struct {
		files agent.Options
		want  bool
	}{
		{agent.Options{Cwd: "/w"}, true},
		{agent.Options{Cwd: "/"}, true},
		{agent.Options{Cwd: "/x"}, false},
		{agent.Options{Cwd: "/w/b"}, false},
		{agent.Options{Cwd: "/x", Roots: []string{"/w"}}, true},
	} {
		params := request("")
		_, _, ok := partial.Offer(params, core.OptionsOf(params), consent.Call{Kind: "edit"}, c.files)
		require.Equal(t, c.want, ok, "%v", c.files)
	}
}
