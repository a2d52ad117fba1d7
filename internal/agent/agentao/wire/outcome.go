package wire

import (
	"bytes"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// An outcome is the result of a call, as reported by one event.
type outcome struct {
	status, failure string
	ms              float64
	result          rawjson.String
}

// outcomeOf decodes the outcome of a call. Content other than a string is shown
// as JSON.
func outcomeOf(l *dialect.Line) outcome {
	return outcome{status: l.Key("status"), failure: l.String("error"), ms: l.Float("duration_ms"), result: rawjson.Body(l.Shown("content"))}
}

func (o outcome) good() bool { return o.status == "ok" || o.status == "" }

// end emits the end of a call. final means that nothing follows it.
func (s *state) end(l *dialect.Line, c *call, o outcome, final bool) {
	e := agent.ToolEnd{
		ToolCallID: c.id,
		ToolName:   c.tool,
		OK:         o.good() && !failed(o.result),
		Cancelled:  o.status == "cancelled",
		DurationMS: max(o.ms, 0),
		Error:      o.failure,
		Result:     rawjson.Wrap(o.result),
		ExitCode:   exitCode(c.tool, o.result),
	}
	if !o.good() && o.failure != "" {
		e.Result = agent.Text{} // it repeats the error, with advice to the model
	}
	if c.unstarted {
		e.View = view(c.tool, nil)
	}
	s.calls.to(c, ended)
	if final || e.Error != "" || !e.Result.IsZero() || c.nested {
		s.calls.to(c, answered)
	}
	if c.plan != nil && e.OK {
		l.Emit(c.plan)
		if c.hidden {
			return
		}
	} else if c.hidden {
		show(l, c, c.args)
		c.hidden = false
	}
	l.EmitEnd(e)
}

// failed recognises the results of tools that failed. They begin with "Error: ",
// or with what failed, as in "Error reading file: ".
func failed(result rawjson.String) bool {
	rest, ok := bytes.CutPrefix(result, []byte("Error"))
	if !ok {
		return false
	}
	what, _, ok := bytes.Cut(rest[:min(len(rest), 40)], []byte(": "))
	return ok && (len(what) == 0 || what[0] == ' ' && !bytes.ContainsAny(what, `\"/.`))
}

// exitCode parses the exit code at the end of a command's result
// (agentao/tools/shell.py). It returns nil if the result has no exit code, which
// means 0. A non-zero code does not make the call fail.
func exitCode(tool string, result rawjson.String) *int {
	if tool != "run_shell_command" {
		return nil
	}
	const label = "Exit code: "
	i := bytes.LastIndex(result, []byte(label))
	if i < 0 {
		return nil
	}
	code, err := strconv.Atoi(string(result[i+len(label):]))
	if err != nil {
		return nil
	}
	return &code
}
