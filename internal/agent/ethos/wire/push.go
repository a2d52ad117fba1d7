package wire

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// pushes are the web API's additional events
// (packages/web-contracts/src/events.ts).
var pushes = []dialect.Kind[state]{
	{Name: "stream_meta", Event: telemetry},
	{Name: "message_persisted", Event: telemetry},
	{Name: "tool.approval_required", Decode: (*state).approvalRequired},
	{Name: "approval.resolved", Decode: (*state).approvalResolved},
	{Name: "clarify.request", Decode: (*state).clarifyRequest},
	{Name: "clarify.resolved", Decode: (*state).clarifyResolved},
	{Name: "run.update", Event: telemetry},
	{Name: "cron.fired", Event: telemetry},
	{Name: "mesh.changed", Event: telemetry},
	{Name: "evolve.skill_pending", Event: skillPending},
	{Name: "evolve.skill_applied", Event: telemetry},
	{Name: "notification", Event: notification},
	{Name: "memory.captured", Event: telemetry},
	{Name: "protocol.upgrade_required", Event: upgradeRequired},
}

// telemetry passes on events for programs: connection details, what was
// stored, and activity outside the turn.
func telemetry(l *dialect.Line) agent.Event {
	return &agent.Telemetry{Name: l.Name, Data: l.Unread()}
}

func skillPending(l *dialect.Line) agent.Event {
	const message = "Ethos wrote a skill that waits for your approval in its web UI: "
	return &agent.Notice{Severity: "info", Message: strings.TrimSpace(message + l.String("skillId"))}
}

func notification(l *dialect.Line) agent.Event {
	return &agent.Notification{PluginID: l.String("source"), Message: l.String("message")}
}

func upgradeRequired(l *dialect.Line) agent.Event {
	return &agent.Notice{
		Severity: "warning",
		Message:  "This Ethos server expects another client version",
		Description: fmt.Sprintf("It is version %s and expects clients of version %s. Some of its output may be missing here.",
			l.String("serverVersion"), l.String("clientVersionExpected")),
	}
}

// extra returns a member that the canonical event does not have, or nil if its
// value is empty.
func extra(name, value string) []byte {
	if value == "" {
		return nil
	}
	out := append(rawjson.AppendString([]byte(nil), name), ':')
	return rawjson.AppendString(out, value)
}
