package wire

import (
	"fmt"
	"time"

	"github.com/turnwire/turnwire/agent"
)

// deviceCodeRequested is for the person: the agent waits until they have typed
// the code.
func deviceCodeRequested(c *conversation, f *fields) {
	e := &agent.Notice{
		Severity: "warning",
		Message:  fmt.Sprintf("To sign in, open %s and enter the code %s", f.text("verification_url"), f.text("code")),
	}
	if ms := f.milliseconds("expires_in", "expires_in_ms"); ms > 0 {
		e.Description = "The code expires in " + span(ms) + "."
	}
	c.emit(e)
}

func deviceCodeResolved(c *conversation, f *fields) {
	if success, _ := f.flag("success"); success {
		c.emit(&agent.Notice{Severity: "info", Message: "You are signed in."})
		return
	}
	c.emit(&agent.Notice{Severity: "error", Message: "The sign-in failed.", Description: f.shown("error_message")})
}

// mcpDisconnected tells of a server that went away by itself.
func mcpDisconnected(c *conversation, f *fields) {
	server, reason := f.text("server_id"), f.text("reason")
	if reason == "shutdown" {
		telemetry(c, f)
		return
	}
	e := &agent.Notice{Severity: "warning", Message: fmt.Sprintf("The MCP server %s is disconnected.", server)}
	attempt := f.count("reconnect_attempt")
	switch {
	case attempt > 0:
		e.Description = fmt.Sprintf("Attempt %d to connect again comes in %s.", attempt, span(f.milliseconds("next_attempt_in", "next_attempt_in_ms")))
	case reason == "crashLoop":
		e.Description = "It stopped too often and will not be started again in this session."
	case reason == "dead":
		e.Description = "It will not be tried again in this session."
	}
	c.emit(e)
}

func mcpError(c *conversation, f *fields) {
	c.emit(&agent.Notice{
		Severity:    "error",
		Message:     fmt.Sprintf("The MCP server %s failed: %s", f.text("server_id"), f.shown("message")),
		Description: f.text("kind"),
	})
}

func mcpAuthRequired(c *conversation, f *fields) {
	c.emit(&agent.Notice{
		Severity:    "warning",
		Message:     fmt.Sprintf("The MCP server %s needs you to sign in again.", f.text("server_id")),
		Description: "Run: " + f.text("reauth_command"),
	})
}

// containerStopped tells of a container that stopped against everybody's will.
func containerStopped(c *conversation, f *fields) {
	switch reason := f.text("reason"); reason {
	case "runtimeError", "external":
		why := "The runtime failed."
		if reason == "external" {
			why = "It was stopped from outside."
		}
		c.emit(&agent.Notice{
			Severity:    "warning",
			Message:     fmt.Sprintf("The %s container stopped.", f.text("runtime_id")),
			Description: why,
		})
	default:
		telemetry(c, f)
	}
}

// span is a duration for people.
func span(ms float64) string {
	const longest = float64(1 << 40) // milliseconds that a Duration holds
	return time.Duration(min(ms, longest) * float64(time.Millisecond)).Round(100 * time.Millisecond).String()
}
