//go:build unix

package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// obedient is an agent that ends its turn when it is told what to do.
const obedient = `echo '{"type":"agent_info","name":"Cook","steer":{}}'; while read -r command; do case $command in
	*'"type":"prompt"'*) echo '{"type":"text_delta","text":"cooking"}' ;;
	*'"type":"steer"'*) echo '{"type":"steered","steerId":"steer-1"}'; echo '{"type":"text_delta","text":"salted"}'; echo '{"type":"done","text":""}' ;;
	esac; done`

func TestAMessageDuringATurnReachesTheAgentAndAllClients(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	socket, dir := filepath.Join(t.TempDir(), "s.sock"), t.TempDir()
	s := serve(t, socket, "--", "sh", "-c", obedient)
	one, two := s.attach(), s.attach()
	one.wait("the capability", func(m message) bool { return strings.Contains(m.line, `"_meta":{"steering":{"supported":true}}`) })
	session := one.session(dir)
	two.reload(session, dir)
	turn := one.prompt(session, "cook")
	two.shows("agent_message_chunk", "cooking")
	message := map[string]any{"sessionId": session, "prompt": []any{map[string]any{"type": "text", "text": "less salt"}}}
	require.Contains(t, two.answer(two.request("_session/steering", message)).line, `"result":{"outcome":"injected"}`)
	one.shows("user_message_chunk", "less salt")
	require.Equal(t, "end_turn", one.stops(turn))
	two.shows("agent_message_chunk", "salted")

	three := s.attach()
	three.reload(session, dir)
	three.shows("user_message_chunk", "less salt")
	turnwire(t, "", "stop", "--socket", socket)
	s.ended()

	// The journal has it too.
	alone := launch(t, options{args: []string{"acp", "--", "sh", "-c", obedient}})
	alone.request("initialize", map[string]any{"protocolVersion": 1})
	alone.reload(session, dir)
	alone.shows("user_message_chunk", "less salt")
	alone.shows("agent_message_chunk", "salted")
}
