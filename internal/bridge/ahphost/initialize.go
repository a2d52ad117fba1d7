package ahphost

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/protocol"
)

// triggers are the characters that make clients ask for completions.
var triggers = []string{"@", "/"}

type initializeResult struct {
	ProtocolVersion   string             `json:"protocolVersion"`
	ServerSeq         int64              `json:"serverSeq"`
	ServerInfo        ahp.Implementation `json:"serverInfo"`
	Snapshots         []ahp.Snapshot     `json:"snapshots"`
	DefaultDirectory  string             `json:"defaultDirectory,omitempty"`
	TriggerCharacters []string           `json:"completionTriggerCharacters"`
}

// initialize negotiates the version. If there is no common version, the connection
// ends.
func (q *request) initialize() {
	var p struct {
		ProtocolVersions     []string           `json:"protocolVersions"`
		ClientID             string             `json:"clientId"`
		ClientInfo           ahp.Implementation `json:"clientInfo"`
		InitialSubscriptions []string           `json:"initialSubscriptions"`
	}
	if !q.decode(&p) {
		return
	}
	c, h := q.client, q.client.host
	version, err := ahp.Negotiate(p.ProtocolVersions)
	switch {
	case c.version != "":
		q.fail(protocol.CodeInvalidRequest, "the connection is already initialized")
		return
	case errors.Is(err, ahp.ErrVersion):
		q.failWith(protocol.Errorf(ahp.CodeVersion, "%w", err).With("supportedVersions", ahp.Supported))
		c.goAway()
		return
	case err != nil:
		q.fail(protocol.CodeInvalidParams, "%w", err)
		return
	case p.ClientID == "" || len(p.ClientID) > maxText:
		q.fail(protocol.CodeInvalidParams, "clientId is missing, or too long")
		return
	}
	c.begin(p.ClientID, version, cmp.Or(p.ClientInfo.Title, p.ClientInfo.Name, "Agent Host Protocol"))
	h.snapshots(c, p.InitialSubscriptions, func(snapshots []ahp.Snapshot, _ []string) {
		q.answer(initializeResult{
			ProtocolVersion: version, ServerSeq: h.feed.last, Snapshots: snapshots, TriggerCharacters: triggers,
			ServerInfo:       ahp.Implementation{Name: "turnwire", Title: "Turnwire", Version: h.cfg.Version},
			DefaultDirectory: ahpmap.FileURI(h.cfg.Home),
		})
	})
}

// maxText bounds ids and similar texts, in bytes.
const maxText = 512

// begin records the client's id, version and name.
func (c *client) begin(id, version, name string) {
	c.id, c.version, c.name = id, version, short(name)
	c.host.clients.remember(id, version)
	c.host.cfg.Log.Info("an Agent Host Protocol client connected", "client", id, "name", name, "version", version)
}

// oldest is the version assumed for a client that reconnects after a restart of the
// host, because it does not send its version.
const oldest = "0.9.0"

type reconnectResult struct {
	Type      string         `json:"type"`
	Actions   *[]rawJSON     `json:"actions,omitempty"`
	Snapshots []ahp.Snapshot `json:"snapshots,omitzero"`
	Missing   []string       `json:"missing"`
}

// reconnect answers with the actions that a client has missed, or with snapshots if
// these are no longer stored. VS Code sends the request without a channel, and also as
// the first request after a restart of the host.
func (q *request) reconnect() {
	var p struct {
		ClientID      string   `json:"clientId"`
		LastSeen      int64    `json:"lastSeenServerSeq"`
		Subscriptions []string `json:"subscriptions"`
	}
	if !q.decode(&p) {
		return
	}
	c, h := q.client, q.client.host
	if p.ClientID == "" || len(p.ClientID) > maxText {
		q.fail(protocol.CodeInvalidParams, "clientId is missing, or too long")
		return
	}
	if c.version == "" {
		c.begin(p.ClientID, cmp.Or(h.clients.version(p.ClientID), oldest), "Agent Host Protocol")
	}
	if actions, ok := h.missed(c, p.Subscriptions, p.LastSeen); ok {
		q.answer(reconnectResult{Type: "replay", Actions: &actions, Missing: []string{}})
		return
	}
	h.pass(p.LastSeen)
	h.snapshots(c, p.Subscriptions, func(snapshots []ahp.Snapshot, missing []string) {
		q.answer(reconnectResult{Type: "snapshot", Snapshots: snapshots, Missing: missing})
		c.onSpoken = func() { h.tellInterrupted(p.Subscriptions) }
	})
}

// missed subscribes the client to channels and returns their actions after number seen.
// ok is false if these would not lead to the channels' current states.
func (h *Host) missed(c *client, channels []string, seen int64) (actions []rawJSON, ok bool) {
	after, ok := h.feed.after(seen)
	if !ok {
		return nil, false
	}
	wanted := make(map[string]bool)
	for _, channel := range channels {
		s, _ := h.sessions.find(channel)
		if !h.clients.hasState(c.id, channel, seen) {
			return nil, false
		}
		if channel != ahp.Root && (s == nil || !s.chat.continues(seen) || !s.overview.continues(seen) || s.channel(channel) != channel) {
			return nil, false
		}
		wanted[channel] = true
	}
	for _, channel := range slices.Sorted(maps.Keys(wanted)) {
		c.enter(channel, channel)
	}
	actions = []rawJSON{}
	for _, e := range after {
		if wanted[e.channel] && ahp.Knows(c.version, e.kind) {
			actions = append(actions, e.params(e.channel))
		}
	}
	return actions, true
}
