package ahphost_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// Whatever a client sends, the host writes valid JSON, changes nothing for other
// clients, and answers them afterwards.
func FuzzFrames(f *testing.F) {
	for _, frame := range []string{
		`{"jsonrpc":"2.0","id":2,"method":"createSession","params":{"channel":"turnwire:/1","provider":"turnwire","config":{"mode":7}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"reconnect","params":{"clientId":"x","lastSeenServerSeq":-1,"subscriptions":["","ahp-root://","turnwire:/one"]}}`,
		`{"jsonrpc":"2.0","id":3,"method":"completions","params":{"channel":"turnwire:/one","text":"@é","offset":99}}`,
		`{"jsonrpc":"2.0","id":4,"method":"resourceRead","params":{"uri":"file:///%2e%2e/etc"}}`,
		`{"jsonrpc":"2.0","id":5,"method":"listSessions","params":{"cursor":"9999","limit":-1}}`,
		`{"jsonrpc":"2.0","method":"dispatchAction","params":{"channel":"turnwire:/one","clientSeq":1e3,"action":{"type":"session/configChanged","config":null,"replace":true}}}`,
		`{"jsonrpc":"2.0","method":"dispatchAction","params":{"channel":"` + chat + `","clientSeq":1,"action":{"type":"chat/turnStarted","turnId":"t","message":{"text":"x","attachments":[{"type":"embeddedResource"}]}}}}`,
		`{"jsonrpc":"2.0","method":"dispatchAction","params":{"channel":"` + chat + `","action":{"type":"chat/pendingMessageSet","kind":"steering","id":"a","message":{}}}}`,
		`[{"id":1}]`, `{`, "\x00",
	} {
		f.Add(frame)
	}
	f.Fuzz(func(t *testing.T, frames string) {
		home := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, home)
			defer w.close()
			good, bad := w.connect("good"), w.connect("bad")
			for _, p := range []*party{good, bad} {
				p.say(t, strings.Replace(hello, "%s", "same", 1))
			}
			good.say(t, `{"jsonrpc":"2.0","id":1,"method":"createSession","params":{"channel":"`+session+`","provider":"turnwire"}}`)
			w.settle()
			bad.say(t, frames)
			w.settle()
			bad.say(t, `{"jsonrpc":"2.0","id":"bad","method":"ping"}`)
			good.say(t, `{"jsonrpc":"2.0","id":"good","method":"subscribe","params":{"channel":"ahp-root://"}}`)
			w.settle()
			for _, line := range bad.drain() {
				require.True(t, json.Valid([]byte(line)), line)
			}
			lines := good.drain()
			require.Contains(t, lines[len(lines)-1], `"id":"good","result"`)
		})
	})
}
