package ethos

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A pushed event is one that the web API has beside the AgentEvents
// (packages/web-contracts/src/events.ts).
type pushed struct {
	name string
	own  bool // no other dialect has a type of this name
	// make makes an event of one, which is an object of clean JSON.
	make func(d *decoder, raw []byte) (agent.Event, error)
}

var pushes = []pushed{
	{"stream_meta", true, telemetry},
	{"message_persisted", true, telemetry},
	{"tool.approval_required", true, approvalRequired},
	{"approval.resolved", true, approvalResolved},
	{"clarify.request", true, clarifyRequest},
	{"clarify.resolved", true, clarifyResolved},
	{"run.update", true, telemetry},
	{"cron.fired", true, telemetry},
	{"mesh.changed", true, telemetry},
	{"evolve.skill_pending", true, skillPending},
	{"evolve.skill_applied", true, telemetry},
	{"notification", false, notification},
	{"memory.captured", true, telemetry},
	{"protocol.upgrade_required", true, upgradeRequired},
}

// push finds a pushed event by its type.
func push(kind []byte) *pushed {
	for i := range pushes {
		if string(kind) == pushes[i].name {
			return &pushes[i]
		}
	}
	return nil
}

func (p *pushed) decode(d *decoder, raw []byte, yield func(agent.Event) bool) error {
	e, err := p.make(d, rawjson.CleanValue(bytes.TrimSpace(raw)))
	if err != nil {
		return &dialect.MalformedError{Type: p.name, Raw: raw, Err: err}
	}
	if e != nil {
		yield(e)
	}
	return nil
}

// telemetry keeps what is for programs: how the connection is called, what was
// stored, what goes on beside the turn.
func telemetry(_ *decoder, raw []byte) (agent.Event, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := exactjson.Unmarshal(raw, &head); err != nil {
		return nil, err
	}
	return &agent.Telemetry{Name: head.Type, Data: raw}, nil
}

func skillPending(_ *decoder, raw []byte) (agent.Event, error) {
	var m struct {
		SkillID string `json:"skillId"`
	}
	if err := exactjson.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	return &agent.Notice{Severity: "info", Message: strings.TrimSpace("Ethos has written a skill that waits for your approval in its web UI: " + m.SkillID)}, nil
}

func notification(_ *decoder, raw []byte) (agent.Event, error) {
	var m struct {
		Message string `json:"message"`
		Source  string `json:"source"`
	}
	if err := exactjson.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	return &agent.Notification{PluginID: m.Source, Message: m.Message}, nil
}

func upgradeRequired(_ *decoder, raw []byte) (agent.Event, error) {
	var m struct {
		Server string `json:"serverVersion"`
		Client string `json:"clientVersionExpected"`
	}
	if err := exactjson.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	return &agent.Notice{
		Severity:    "warning",
		Message:     "This Ethos server expects another version of its clients",
		Description: fmt.Sprintf("It is version %s and expects clients of version %s. Some of what it says may be missing here.", m.Server, m.Client),
	}, nil
}

// extra is a member that the canonical event does not have; nil where its
// value is empty.
func extra(name, value string) []byte {
	if value == "" {
		return nil
	}
	out := append(rawjson.AppendString([]byte(nil), name), ':')
	return rawjson.AppendString(out, value)
}
