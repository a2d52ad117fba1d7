package wire

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// limitReached begins the notice in which Glue gives up after too many rounds
// (packages/glue_harness/lib/src/agent/agent_core.dart). Nothing else
// distinguishes that end from a normal one.
const limitReached = "Reached the maximum of "

// notice decodes AgentNotice. Its kind is an open set: unknown kinds become
// the severity "info".
func notice(c *conversation, l *dialect.Line) {
	e := &agent.Notice{Severity: "info", Message: l.String("message")}
	switch l.Key("kind") {
	case "warning", "warn":
		e.Severity = "warning"
		c.exhausted = c.exhausted || strings.HasPrefix(e.Message, limitReached)
	case "error":
		e.Severity = "error"
	}
	c.emit(l, e)
}

// title decodes the name of a session.
func title(c *conversation, l *dialect.Line) {
	if t := l.String("title"); t != "" {
		c.emit(l, &agent.SessionTitle{Title: t})
	}
}

// deviceCodeRequested emits a notice, because the agent waits until the user
// has entered the code.
func deviceCodeRequested(c *conversation, l *dialect.Line) {
	e := &agent.Notice{
		Severity: "warning",
		Message:  fmt.Sprintf("To sign in, open %s and enter the code %s", l.String("verificationUrl", "verification_url"), l.String("code")),
	}
	if ms := milliseconds(l.Fields, "expiresIn", "expires_in", "expiresInMs", "expires_in_ms"); ms > 0 {
		e.Description = "The code expires in " + dialect.Duration(ms) + "."
	}
	c.emit(l, e)
}

func deviceCodeResolved(c *conversation, l *dialect.Line) {
	if l.Bool("success") {
		c.emit(l, &agent.Notice{Severity: "info", Message: "You are signed in."})
		return
	}
	c.emit(l, &agent.Notice{Severity: "error", Message: "The sign-in failed.", Description: words(l.Fields, "errorMessage", "error_message")})
}

// mcpDisconnected emits a notice if a server disconnected unexpectedly.
func mcpDisconnected(c *conversation, l *dialect.Line) {
	reason := l.Key("reason")
	if reason == "shutdown" {
		telemetry(c, l)
		return
	}
	e := &agent.Notice{Severity: "warning", Message: fmt.Sprintf("The MCP server %s is disconnected.", server(l))}
	attempt := count(l.Fields, "reconnectAttempt", "reconnect_attempt")
	switch {
	case attempt > 0:
		wait := milliseconds(l.Fields, "nextAttemptIn", "next_attempt_in", "nextAttemptInMs", "next_attempt_in_ms")
		e.Description = fmt.Sprintf("Reconnect attempt %d is in %s.", attempt, dialect.Duration(wait))
	case reason == "crashLoop":
		e.Description = "It stopped too often and will not be restarted in this session."
	case reason == "dead":
		e.Description = "It will not be retried in this session."
	}
	c.emit(l, e)
}

func mcpError(c *conversation, l *dialect.Line) {
	c.emit(l, &agent.Notice{
		Severity:    "error",
		Message:     fmt.Sprintf("The MCP server %s failed: %s", server(l), words(l.Fields, "message")),
		Description: l.String("kind"),
	})
}

func mcpAuthRequired(c *conversation, l *dialect.Line) {
	c.emit(l, &agent.Notice{
		Severity:    "warning",
		Message:     fmt.Sprintf("The MCP server %s needs you to sign in again.", server(l)),
		Description: "Run: " + l.String("reauthCommand", "reauth_command"),
	})
}

func server(l *dialect.Line) string { return l.String("serverId", "server_id") }

// containerStopped emits a notice if a container stopped unexpectedly.
func containerStopped(c *conversation, l *dialect.Line) {
	e := &agent.Notice{
		Severity: "warning",
		Message:  fmt.Sprintf("The %s container stopped.", l.String("runtimeId", "runtime_id")),
	}
	switch l.Key("reason") {
	case "runtimeError":
		e.Description = "The runtime failed."
	case "external":
		e.Description = "It was stopped from outside."
	default:
		telemetry(c, l)
		return
	}
	c.emit(l, e)
}
