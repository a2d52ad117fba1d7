//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
)

// event prints an event.
func event(kind string, members map[string]any) {
	all := map[string]any{"type": kind}
	maps.Copy(all, members)
	raw, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	print(string(raw) + "\n")
}

// saving asks before it saves a note. It never ends a turn whose prompt is
// "wait".
func (a *agent) saving([]string) {
	calls := 0
	call := func() string { return fmt.Sprintf("save-%d", calls) }
	for {
		c := a.command()
		switch c.Type {
		case "prompt":
			event("text_delta", map[string]any{"text": "You said: " + c.Text})
			if c.Text == "wait" {
				continue
			}
			calls++
			event("tool_confirmation_request", map[string]any{
				"toolCallId": call(), "toolName": "save", "title": "Save it", "args": map[string]string{"note": c.Text},
			})
		case "tool_confirmation_response":
			event("tool_end", map[string]any{"toolCallId": call(), "ok": strings.HasPrefix(c.Decision, "allow")})
			event("done", map[string]any{"text": "", "stopReason": "end_turn"})
		case "cancel":
			event("done", map[string]any{"text": "", "stopReason": "cancelled"})
		}
	}
}

// repeating accepts images, and prints the blocks of each prompt.
func (a *agent) repeating([]string) {
	event("agent_info", map[string]any{"prompt": map[string]bool{"image": true}})
	for {
		line, err := a.in.ReadBytes('\n')
		if err != nil {
			os.Exit(0)
		}
		var c struct {
			Type   string
			Prompt json.RawMessage
		}
		if err := json.Unmarshal(line, &c); err != nil {
			panic(err)
		}
		if c.Type != "prompt" {
			continue
		}
		var blocks []struct {
			Type, Text, URI, MIMEType string
			Resource                  struct{ Text string }
		}
		if err := json.Unmarshal(c.Prompt, &blocks); err != nil {
			panic(err)
		}
		for _, b := range blocks {
			text := b.MIMEType
			for _, other := range []string{b.URI, b.Resource.Text, b.Text} {
				if other != "" {
					text = other
				}
			}
			event("text_delta", map[string]any{"text": b.Type + "=" + text + ";"})
		}
		event("done", map[string]any{"text": ""})
	}
}
