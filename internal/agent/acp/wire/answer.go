package wire

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/stacktrace"
	"github.com/turnwire/turnwire/protocol"
)

// answer decodes the response to one of the client's requests. Its members identify the
// request: a stop reason or an error ends a turn.
func (d *decoder) answer(m jsonrpc.Message) error {
	switch {
	case m.Error != nil:
		f, err := parseFailure(m.Error)
		if err != nil {
			return err
		}
		d.endTurn()
		if f.Code == protocol.CodeRequestCancelled {
			d.say(&agent.Done{StopReason: agent.StopCancelled})
			return nil
		}
		d.say(&agent.Error{Error: f.text(), Code: f.name()})
		return nil
	case has(m.Result, "stopReason"):
		return d.stop(m.Result)
	case has(m.Result, "sessionId"), has(m.Result, "configOptions"), has(m.Result, "modes"), has(m.Result, "models"):
		return d.state(m.Result)
	case has(m.Result, "protocolVersion"):
		d.say(&agent.Telemetry{Name: "initialize", Data: append([]byte(nil), m.Result...)})
	}
	return nil // null and {} only say that a request was executed
}

// stop ends a turn. An unknown stop reason is shown to the user, because it may indicate
// a failure.
func (d *decoder) stop(result []byte) error {
	var r struct {
		StopReason agent.StopReason `json:"stopReason"`
	}
	if err := exactjson.Unmarshal(result, &r); err != nil {
		return err
	}
	d.endTurn()
	switch r.StopReason {
	case agent.StopEndTurn, agent.StopMaxTokens, agent.StopMaxTurnRequests, agent.StopCancelled, agent.StopRefusal:
		d.say(&agent.Done{StopReason: r.StopReason})
	case "error":
		d.say(&agent.Error{Error: "the agent stopped because of an unspecified error", Code: codeFailed})
	default:
		d.say(&agent.Notice{Severity: "warning", Message: fmt.Sprintf("The agent stopped for an unknown reason: %.80s", r.StopReason)})
		d.say(&agent.Done{StopReason: agent.StopEndTurn})
	}
	return nil
}

// endTurn forgets the turn's state.
func (d *decoder) endTurn() {
	for _, c := range d.calls.unclaimed {
		// The call was not mentioned again after the user was asked about it.
		d.say(&agent.ToolEnd{ToolCallID: c.id, ToolName: c.name, Cancelled: true})
	}
	d.calls = newCalls()
	clear(d.asked)
	d.echo.reset()
}

// failure is the error in a response.
type failure struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// Error codes for programs.
const (
	codeFailed = "agent_failed"
	codeAuth   = "auth_required"
)

func parseFailure(raw []byte) (failure, error) {
	var f failure
	err := exactjson.Unmarshal(raw, &f)
	if err != nil {
		return f, err
	}
	if f.Message == "" && f.Code == 0 && len(f.Data) == 0 {
		return f, dialect.ErrNotObject
	}
	return f, nil
}

// name returns the error code for programs. The agent's own code takes precedence.
func (f failure) name() string {
	var data struct {
		Code string `json:"code"`
	}
	if exactjson.Unmarshal(f.Data, &data) == nil && data.Code != "" {
		return data.Code
	}
	if f.Code == protocol.CodeAuthRequired {
		return codeAuth
	}
	return codeFailed
}

// text returns the error text for people: the message and the cause from data, without
// stack traces. Agents put the cause under various names.
func (f failure) text() string {
	text := stacktrace.Cut(f.Message)
	var data struct {
		Details any `json:"details"`
		Error   any `json:"error"`
		Message any `json:"message"`
	}
	var bare string
	if exactjson.Unmarshal(f.Data, &bare) != nil {
		_ = exactjson.Unmarshal(f.Data, &data) // data may be anything
	}
	for _, v := range []any{bare, data.Details, data.Error, data.Message} {
		s, _ := v.(string)
		if s = stacktrace.Cut(s); s != "" && !strings.Contains(text, s) {
			if strings.EqualFold(text, "Internal error") {
				text = "" // redundant next to the cause
			}
			text = strings.TrimPrefix(text+": "+s, ": ")
			break
		}
	}
	if text == "" {
		text = fmt.Sprintf("the agent failed with the code %d", f.Code)
	}
	return text
}
