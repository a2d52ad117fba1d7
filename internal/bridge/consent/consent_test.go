package consent_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

func TestARulingChoosesOneTimeOptions(t *testing.T) {
	once, always := consent.Option{ID: "y", Kind: "allow_once"}, consent.Option{ID: "a", Kind: "allow_always"}
	no, never := consent.Option{ID: "n", Kind: "reject_once"}, consent.Option{ID: "v", Kind: "reject_always"}
	for name, c := range map[string]struct {
		verdict consent.Verdict
		offered []consent.Option
		chosen  consent.Option
		decided bool
	}{
		"allow":                         {consent.Allow, []consent.Option{always, once, no}, once, true},
		"no option allows once":         {consent.Allow, []consent.Option{always, no}, consent.Option{}, false},
		"two do":                        {consent.Allow, []consent.Option{once, {ID: "z", Kind: "allow_once"}}, consent.Option{}, false},
		"one of them without an id":     {consent.Allow, []consent.Option{{Kind: "allow_once"}}, consent.Option{}, false},
		"its id means more":             {consent.Allow, []consent.Option{once, {ID: "y", Kind: "allow_always"}}, consent.Option{}, false},
		"nothing is offered":            {consent.Allow, nil, consent.Option{}, false},
		"deny":                          {consent.Deny, []consent.Option{once, never, no}, no, true},
		"the id of no means more":       {consent.Deny, []consent.Option{no, {ID: "n", Kind: "allow_once"}}, consent.Option{}, true},
		"no option rejects once":        {consent.Deny, []consent.Option{once, never}, consent.Option{}, true},
		"nothing is offered to deny by": {consent.Deny, nil, consent.Option{}, true},
		"ask":                           {consent.Ask, []consent.Option{once, no}, consent.Option{}, false},
	} {
		chosen, decided := consent.Ruling{Verdict: c.verdict}.Choose(c.offered)
		require.Equal(t, c.decided, decided, name)
		require.Equal(t, c.chosen, chosen, name)
	}
}

func TestACommandIsReadAsAShellWouldTakeIt(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"command":"go test ./..."}`:           "go test ./...",
		`{"command":["go","test","./..."]}`:     "go test ./...",
		`{"command":["bash","-lc","rm -rf /"]}`: "bash -lc 'rm -rf /'",
		`{"command":["echo","it's",""]}`:        `echo 'it'\''s' ''`,
		`{"command":["go\nid"]}`:                "'go\nid'",
		`{"Command":"rm"}`:                      "",
		`{"command":7}`:                         "",
		`{"command":["a",7]}`:                   "",
		`["go"]`:                                "",
		``:                                      "",
		`{"command":"go","command":"rm -rf /"}`: "rm -rf /",
	} {
		require.Equal(t, want, consent.Command([]byte(arguments)), arguments)
	}
}

type always consent.Verdict

// Judge implements [consent.Judge].
func (a always) Judge(consent.Call) consent.Ruling {
	return consent.Ruling{Verdict: consent.Verdict(a), Rule: "r"}
}

func TestACallWithTooManyPathsIsNotAllowed(t *testing.T) {
	var c consent.Call
	for i := range 2000 {
		c.AddPath(fmt.Sprintf("/w/%d", i))
		c.AddPath("/w/0")
	}
	require.Equal(t, consent.Ask, consent.Rule(always(consent.Allow), c).Verdict)
	require.Equal(t, consent.Deny, consent.Rule(always(consent.Deny), c).Verdict)
	require.Equal(t, consent.Ask, consent.Rule(nil, c).Verdict)
	c.Paths = c.Paths[:10]
	require.Equal(t, consent.Allow, consent.Rule(always(consent.Allow), c).Verdict)
}

func TestALineIsBoundedAndValid(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	c := consent.Call{Session: long, Tool: long, Command: "a" + long, ID: "\xff\n\u202e"}
	for range 100 {
		c.Paths = append(c.Paths, "/"+long)
	}
	d := consent.Of(c, time.Unix(0, 0)).Ruled(consent.Ruling{Verdict: consent.Deny, Rule: "r"}, consent.Option{}).Open(long)
	require.True(t, d.Cut)
	line := d.Line()
	require.Less(t, len(line), 400<<10)
	require.True(t, utf8.Valid(line))
	require.NotContains(t, string(line), "\n")
	require.False(t, consent.Of(consent.Call{Command: "go"}, time.Unix(0, 0)).Cut)
}

func TestASentenceSaysWhoAndWhat(t *testing.T) {
	d := consent.Of(consent.Call{}, time.Unix(0, 0))
	allow := consent.Option{ID: "1", Kind: "allow_always"}
	for want, made := range map[string]consent.Decision{
		"not decided":                              d,
		"not decided: late":                        d.Open("late"),
		"allowed by the rule r (f:1)":              d.Ruled(consent.Ruling{Verdict: consent.Allow, Rule: "r", At: "f:1"}, allow),
		"allowed by the user":                      d.Answered(allow, nil),
		"denied: the user cannot be asked":         d.Answered(consent.Option{ID: "2", Kind: "reject_once"}, &consent.Client{Name: "ed"}).Unasked("the user cannot be asked"),
		"allowed by the user in ed":                d.Answered(allow, &consent.Client{Name: "ed"}).Unasked("the user cannot be asked"),
		"allowed in part by the user":              d.Answered(allow, nil).InPart(true),
		"denied by the user":                       d.Answered(consent.Option{ID: "2", Kind: "reject_once"}, nil).InPart(true),
		"denied by the user in ed":                 d.Answered(consent.Option{ID: "2", Kind: "reject_once"}, &consent.Client{Name: "ed"}),
		"not decided by the user in token t, 10.1": d.Answered(consent.Option{}, &consent.Client{Token: "t", Remote: "10.1"}),
	} {
		require.Equal(t, want, made.Sentence())
	}
}
