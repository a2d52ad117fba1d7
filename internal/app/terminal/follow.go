package terminal

import (
	"cmp"
	"encoding/json"

	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// From the proposal for session/attach (agent-client-protocol, pull request 533).
const (
	methodAttach   = "session/attach"
	roleObserver   = "observer"
	roleController = "controller"
)

// follow attaches to a session that others use. It shows the history and new updates
// until the connection ends or the user leaves.
func (c *client) follow(o Options) error {
	role := roleObserver // a client that can't ask must not refuse for the others
	if o.interactive() && !o.Observe {
		role = roleController
	}
	const request = 2
	var malformed error // of the response, which is delivered in the order of updates
	c.stream.await(request, func(result []byte, err error) message {
		m := &joined{}
		if err == nil {
			malformed = m.read(result)
		}
		return m
	})
	err := c.call(request, methodAttach, map[string]string{"sessionId": o.Follow, "historyPolicy": "full", "role": role}, nil)
	if err = cmp.Or(err, malformed); err != nil {
		return err
	}
	select {
	case <-c.conn.DisconnectNotify():
		return ErrClosed
	case <-c.ctx.Done():
		return nil
	}
}

// joined is the response to session/attach: the id by which other clients know this one,
// and the session's history.
type joined struct {
	clientID string
	history  []*updated
}

func (*joined) isMessage() {}

func (m *joined) read(result []byte) error {
	var opened struct {
		ClientID string `json:"clientId"`
		History  []struct {
			Params struct {
				Update json.RawMessage `json:"update"`
			} `json:"params"`
		} `json:"history"`
	}
	if err := exactjson.Unmarshal(result, &opened); err != nil {
		return err
	}
	m.clientID = opened.ClientID
	for _, h := range opened.History {
		if h.Params.Update != nil {
			m.history = append(m.history, decoded(h.Params.Update))
		}
	}
	return nil
}

// decoded decodes an update. An unknown or malformed one keeps only its raw JSON, for the
// JSON output.
func decoded(raw json.RawMessage) *updated {
	update, err := v1.UnmarshalUpdate(raw)
	if err != nil {
		update = nil
	}
	return &updated{raw: raw, update: update}
}

// A clientEvent is an update that tells a session's clients about each other.
type clientEvent struct {
	Kind       string `json:"sessionUpdate"`
	StopReason string `json:"stopReason"`
	Error      string `json:"error"`
	ToolCallID string `json:"toolCallId"`
	OptionID   string `json:"optionId"`
	ResolvedBy struct {
		ID   string `json:"clientId"`
		Name string `json:"name"`
	} `json:"resolvedBy"`
	Meta struct {
		Partial bool `json:"turnwire.dev/partial"`
	} `json:"_meta"`
}

// The kinds of clientEvent that are shown.
const (
	promptReceived     = "prompt_received"
	turnComplete       = "turn_complete"
	permissionResolved = "permission_resolved"
)

// eventOf decodes a client event.
func eventOf(raw json.RawMessage) (u clientEvent, ok bool) {
	return u, exactjson.Unmarshal(raw, &u) == nil
}

// followed shows what another client did.
func (t *turn) followed(u clientEvent) {
	t.over = t.over || u.Kind == turnComplete
	switch {
	case u.Kind == permissionResolved && u.ResolvedBy.ID != t.clientID:
		client := cmp.Or(cleanLine(u.ResolvedBy.Name), "another client")
		if u.Meta.Partial {
			client += ", in part"
		}
		t.answeredBy(client, u.ToolCallID, u.OptionID)
	case u.Kind == turnComplete && u.Error != "":
		t.view.say("the turn failed: " + cleanLine(u.Error))
	case u.Kind == turnComplete && u.StopReason != string(v1.StopEndTurn):
		t.view.say("the turn ended: " + cleanLine(u.StopReason))
	}
}

// answeredBy records another client's answer. A question that is open here closes when
// the server withdraws it.
func (t *turn) answeredBy(client, call, option string) {
	for _, p := range t.open {
		if c, ok := p.(*confirm); ok && c.tool.ToolCallID == call && c.by == "" {
			c.answeredBy(client, option)
			return
		}
	}
	t.view.say("answered by " + client)
}
