package agentao

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// toolEvent holds the members of all events about tools.
type toolEvent struct {
	Tool    string    `json:"tool"`
	CallID  string    `json:"call_id"`
	Args    agent.Raw `json:"args"`
	Chunk   agent.Raw `json:"chunk"`
	Status  string    `json:"status"`
	MS      float64   `json:"duration_ms"`
	Error   string    `json:"error"`
	Content agent.Raw `json:"content"`
}

func (d *decoder) toolStart(_ string, data []byte) error {
	var e toolEvent
	if err := read(data, &e); err != nil {
		return err
	}
	d.start(e.CallID, e.Tool, value(e.Args)).told = true
	return nil
}

// start begins a call.
func (d *decoder) start(wire, name string, args agent.Raw) *call {
	helper, tool := nested(name)
	c := &call{wire: wire, tool: tool, nested: helper != "", parent: d.parent(helper), args: args}
	asked, known := d.claim(wire, helper, tool, args)
	if known {
		c.id = asked.id
		if args == nil {
			c.args = asked.args // a replay gives them with the question alone
		}
	} else {
		c.id = d.fresh(wire)
	}
	if tool == "todo_write" {
		c.plan = todos(c.args)
		c.hidden = c.plan != nil && !known
	}
	d.calls.add(c)
	if !c.hidden {
		d.show(c)
	}
	return c
}

func (d *decoder) show(c *call) {
	d.emit(&agent.ToolStart{ToolCallID: c.id, ToolName: c.tool, Args: c.args, ParentToolCallID: c.parent, View: view(c.tool, c.args)})
}

func (d *decoder) toolOutput(_ string, data []byte) error {
	var e toolEvent
	if err := read(data, &e); err != nil {
		return err
	}
	_, tool := nested(e.Tool)
	id := e.CallID
	if c := d.calls.find(e.CallID, tool, running); c != nil {
		id = c.id
	}
	if text := content(e.Chunk); len(text) > 0 && id != "" {
		d.emit(&agent.ToolOutput{ToolCallID: id, Text: text})
	}
	return nil
}

func (d *decoder) toolComplete(_ string, data []byte) error {
	var e toolEvent
	if err := read(data, &e); err != nil {
		return err
	}
	_, tool := nested(e.Tool)
	c := d.calls.find(e.CallID, tool, running)
	if c == nil {
		c = d.stranger(e.CallID, tool)
	}
	c.told, c.ms = true, e.MS
	if good(e.Status) && !c.nested {
		d.calls.to(c, held)
		return nil
	}
	d.end(c, e, false)
	return nil
}

// stranger is a call that ends without having begun.
func (d *decoder) stranger(wire, tool string) *call {
	return d.calls.add(&call{wire: wire, id: d.fresh(wire), tool: tool, strange: true})
}

// fresh is an id for a call that has wire, which may be none.
func (d *decoder) fresh(wire string) string {
	if wire == "" {
		wire = d.next("call")
	}
	return d.calls.unique(wire)
}

// toolResult brings what came of a call. It may be of one that has ended, of
// one that waits for it, or (where the end is missing) of one that runs.
func (d *decoder) toolResult(_ string, data []byte) error {
	var e toolEvent
	if err := read(data, &e); err != nil {
		return err
	}
	_, tool := nested(e.Tool)
	c := d.calls.find(e.CallID, tool, held, running, ended, answered)
	switch {
	case c == nil:
		c = d.stranger(e.CallID, tool)
	case c.stage == answered:
		return nil // a repetition
	}
	if e.MS == 0 {
		e.MS = c.ms
	}
	d.end(c, e, true)
	return nil
}

func good(status string) bool { return status == "ok" || status == "" }

// failed recognises the results with which Agentao's tools report a failure:
// they begin with "Error: " or with what failed, as in "Error reading file: ".
func failed(result rawjson.String) bool {
	rest, ok := bytes.CutPrefix(result, []byte("Error"))
	if !ok {
		return false
	}
	what, _, ok := bytes.Cut(rest[:min(len(rest), 40)], []byte(": "))
	return ok && (len(what) == 0 || what[0] == ' ' && !bytes.ContainsAny(what, `\"/.`))
}

// end hands the end of a call over.
func (d *decoder) end(c *call, e toolEvent, final bool) {
	end := &agent.ToolEnd{
		ToolCallID: c.id,
		ToolName:   c.tool,
		Cancelled:  e.Status == "cancelled",
		DurationMS: max(e.MS, 0),
		Error:      e.Error,
		Result:     content(e.Content),
	}
	end.OK = good(e.Status) && !failed(end.Result)
	end.ExitCode = exitCode(c.tool, end.Result)
	if !good(e.Status) {
		end.Result = beside(end.Error, end.Result)
	}
	if c.strange {
		end.View = view(c.tool, nil)
	}
	d.calls.to(c, ended)
	if final || end.Error != "" || len(end.Result) > 0 || c.nested {
		d.calls.to(c, answered)
	}
	if c.plan != nil && end.OK {
		d.emit(c.plan)
		if c.hidden {
			return
		}
	} else if c.hidden {
		d.show(c)
		c.hidden = false
	}
	d.emit(end)
}

// exitCode finds the code that a command has ended with at the end of its result
// (agentao/tools/shell.py); there is none where it is 0. The call itself has not
// failed by it.
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

// beside drops the result of a call that was refused or has failed where the
// error says it: the text is advice to the model.
func beside(failure string, result rawjson.String) rawjson.String {
	if failure != "" {
		return nil
	}
	return result
}

// letGo ends the calls that wait for a result which does not come: the model
// speaks again, or the turn is over.
func (d *decoder) letGo() {
	if d.calls.holds == 0 {
		return
	}
	for _, c := range d.calls.list {
		if c.stage == held {
			d.end(c, toolEvent{MS: c.ms}, false)
		}
	}
}

// nested takes a name like "[helper 3/100] read_file" or "[helper] read_file"
// apart, by which Agentao labels the calls of a helper agent.
func nested(name string) (helper, tool string) {
	label, tool, ok := strings.Cut(name, "] ")
	if !ok || tool == "" || !strings.HasPrefix(label, "[") {
		return "", name
	}
	label = label[1:]
	if i := strings.LastIndexByte(label, ' '); i > 0 && strings.Trim(label[i+1:], "0123456789/") == "" {
		label = label[:i]
	}
	return label, tool
}
