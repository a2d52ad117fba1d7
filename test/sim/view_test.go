package sim

import (
	"fmt"
	"regexp"
	"strings"
)

// A view is a client's knowledge of a session.
type view struct {
	client  *client
	session string
	// full is set if the client saw the session from its beginning.
	full bool
	// unclear is set if the client can't tell which updates it already has.
	unclear bool
	// ready is set once the server has confirmed that the client is attached.
	ready bool
	// closing is the value of ready before the client requested session/close.
	closing bool
	// lost is set once another server has taken over the session, until the client has opened it
	// there. The client still has to read that.
	lost bool
	// left is set if the client asked to leave the session, and the server ended before it
	// answered. It may have let the client leave.
	left bool

	pieces   []string
	cursors  []cursor
	messages map[string]string // by id: the text of a user's message
	thought  strings.Builder
	prompts  map[string]int    // by token: how often it was shown
	calls    map[string]string // by id: the status
	rest     string            // the end of the text that may be half a piece
}

func newView(c *client, session string, full bool) *view {
	return &view{client: c, session: session, full: full, prompts: make(map[string]int), messages: make(map[string]string), calls: make(map[string]string)}
}

// isLeaving reports whether the client has asked to leave the session. The server may have
// done that already, although the client still has to read much before the response.
func (v *view) isLeaving() bool {
	if v.left {
		return true
	}
	for _, one := range v.client.calls {
		switch one.method {
		case "session/detach", "session/close", "session/delete":
			if one.open && one.session == v.session {
				return true
			}
		}
	}
	return false
}

// pieceText matches a piece of an agent's text.
var pieceText = regexp.MustCompile(`<(P\d+\.\d+):(\d+)>`)

// piecesIn returns the pieces in a text, and what follows the last one.
func piecesIn(text string) (pieces []string, rest string) {
	last := 0
	for _, at := range pieceText.FindAllStringIndex(text, -1) {
		pieces = append(pieces, text[at[0]:at[1]])
		last = at[1]
	}
	return pieces, text[last:]
}

// add adds an update and returns its new pieces of text.
func (v *view) add(p *params) (fresh []string) {
	u := &p.Update
	switch u.Type {
	case "agent_message_chunk":
		fresh, v.rest = piecesIn(v.rest + u.Content.Text)
		v.pieces = append(v.pieces, fresh...)
	case "agent_thought_chunk":
		v.thought.WriteString(u.Content.Text)
	case "user_message_chunk":
		v.prompts[u.Content.Text]++
		if u.MessageID != "" {
			v.messages[u.MessageID] = u.Content.Text
		}
	case "cursor_update":
		v.noteCursor(p)
	case "tool_call", "tool_call_update":
		if u.Status != "" || v.calls[u.ToolCallID] == "" {
			v.calls[u.ToolCallID] = u.Status
		}
	}
	return fresh
}

// transcript returns the view as text, without anything that depends on when the client
// attached.
func (v *view) transcript() string {
	var b strings.Builder
	fmt.Fprintf(&b, "text %s\nthoughts %s\n", strings.Join(v.pieces, ""), v.thought.String())
	for _, id := range sortedKeys(v.calls) {
		if strings.HasPrefix(id, "P") {
			fmt.Fprintf(&b, "call %s %s\n", id, v.calls[id])
		}
	}
	return b.String()
}

// open returns the calls of a turn that have not ended.
func (v *view) open(turn string) (open []string) {
	for _, id := range sortedKeys(v.calls) {
		if turnOf(id) == turn && v.calls[id] != "completed" && v.calls[id] != "failed" {
			open = append(open, id)
		}
	}
	return open
}

// turnOf returns the token of the turn that a call or a piece belongs to, or "".
func turnOf(id string) string {
	if m := pieceText.FindStringSubmatch(id); m != nil {
		return m[1]
	}
	turn, _, ok := strings.Cut(id, "/call")
	if !ok {
		return ""
	}
	return turn
}
