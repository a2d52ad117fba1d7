package transcript

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// update handles an update from an ACP agent. It skips unknown updates, as editors do.
func (f *fold) update(data []byte) {
	u, err := v1.UnmarshalUpdate(data)
	if err != nil {
		return
	}
	chunk, message := u.(*v1.MessageChunk)
	if message && chunk.Kind == v1.UserMessage {
		if f.running && !f.visible && f.repeats(chunk.Content) {
			return
		}
		f.give(Part{Prompt: v1.Blocks{chunk.Content}})
		return
	}
	_, call := u.(*v1.ToolCall)
	f.visible = f.visible || message || call
	f.give(Part{Update: u})
}

// repeats reports whether a block of a user's message is part of the prompt, which some
// agents repeat, and not a message during the turn.
func (f *fold) repeats(block v1.Block) bool {
	text, ok := block.(*v1.TextBlock)
	return !ok || slices.ContainsFunc(f.prompted, func(b v1.Block) bool {
		prompt, ok := b.(*v1.TextBlock)
		return ok && strings.Contains(prompt.Text.String(), text.Text.String())
	})
}

// answer handles an ACP agent's response to a prompt.
func (f *fold) answer(data []byte) error {
	var a struct {
		Result *v1.PromptResponse `json:"result"`
		Stop   v1.StopReason      `json:"stopReason"`
		Error  *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := exactjson.Unmarshal(data, &a); err != nil {
		return err
	}
	f.running = false
	end := End{Stop: a.Stop}
	switch {
	case a.Error != nil:
		end = End{Failure: a.Error.Message}
	case a.Result != nil:
		end = End{Stop: a.Result.StopReason}
	}
	f.give(Part{End: &end})
	return nil
}

// addRequest handles an ACP agent's request, together with its response.
func (f *fold) addRequest(data []byte) error {
	var a struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
	}
	if err := exactjson.Unmarshal(data, &a); err != nil {
		return err
	}
	switch a.Method {
	case v1.MethodRequestPermission:
		return f.permission(a.Params, a.Result)
	case v1.MethodElicitationCreate:
		return f.elicitation(a.Params, a.Result)
	}
	return nil
}

func (f *fold) permission(params, result json.RawMessage) error {
	var asked v1.RequestPermissionRequest
	if err := exactjson.Unmarshal(params, &asked); err != nil {
		return fmt.Errorf("a permission: %w", err)
	}
	var answer v1.RequestPermissionResponse
	d := Decision{ToolCallID: asked.ToolCall.ToolCallID, Decision: agent.NotDecided}
	if len(result) > 0 && exactjson.Unmarshal(result, &answer) == nil {
		i := slices.IndexFunc(asked.Options, func(o v1.PermissionOption) bool { return o.OptionID == answer.Outcome.Selected() })
		if i >= 0 {
			d.Decision = agent.Decision(asked.Options[i].Kind)
		}
	}
	f.give(Part{Update: &asked.ToolCall}) // it may describe the call further
	f.give(Part{Decision: &d})
	return nil
}

func (f *fold) elicitation(params, result json.RawMessage) error {
	var asked v1.ElicitationRequest
	if err := exactjson.Unmarshal(params, &asked); err != nil {
		return fmt.Errorf("a question: %w", err)
	}
	q := Question{Text: asked.Message}
	var answer struct {
		Action  string          `json:"action"`
		Content json.RawMessage `json:"content"`
	}
	if len(result) > 0 && exactjson.Unmarshal(result, &answer) == nil && answer.Action == v1.ElicitAccept {
		q.Answered, q.Answer = true, members(answer.Content)
	}
	f.give(Part{Question: &q})
	return nil
}

// members formats the members of an object, one per line.
func members(object json.RawMessage) string {
	if len(object) == 0 || object[0] != '{' {
		return ""
	}
	var b strings.Builder
	o := rawjson.Walk(object)
	for {
		key, value, ok := o.Next()
		if !ok {
			return strings.TrimSuffix(b.String(), "\n")
		}
		text := string(value)
		if s, err := rawjson.Parse(value); err == nil {
			text = s.String()
		}
		fmt.Fprintf(&b, "%s: %s\n", key, text)
	}
}
