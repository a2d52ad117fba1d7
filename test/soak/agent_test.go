//go:build unix

package soak

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// agentArgument makes this test binary an agent.
const agentArgument = "an-agent-of-the-soak-test"

// A command is a command for the agent.
type command struct {
	Type, Text, TurnID, Decision, ToolCallID string
}

// runAgent runs an agent that prints numbered pieces of text and asks for permission. A
// prompt is its id, the number of pieces, after how many the agent asks each time, and the
// size of the padding in each piece.
func runAgent(records string) {
	a := &agent{commands: make(chan command), records: records}
	go a.read()
	for c := range a.commands {
		if c.Type == "prompt" {
			a.turn(c)
		}
	}
}

// padding makes pieces larger.
const padding = "~"

type agent struct {
	commands chan command
	records  string // the folder
}

// read reads commands until EOF, which ends the agent. It records answers.
func (a *agent) read() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var c command
		if json.Unmarshal(in.Bytes(), &c) != nil {
			os.Exit(4)
		}
		if c.Type == "tool_confirmation_response" {
			a.record(c.ToolCallID, "decision", c.ToolCallID, c.Decision)
		}
		a.commands <- c
	}
	os.Exit(0)
}

func (a *agent) turn(prompt command) {
	var id string
	var pieces, every, size int
	if _, err := fmt.Sscan(prompt.Text, &id, &pieces, &every, &size); err != nil {
		os.Exit(5)
	}
	a.record(id, "prompt", id)
	stop := "end_turn"
	for i := 0; i < pieces && stop == "end_turn"; i++ {
		say(fmt.Sprintf("%s.%d%s ", id, i, strings.Repeat(padding, size)))
		select {
		case c := <-a.commands:
			if c.Type == "cancel" && c.TurnID == prompt.TurnID {
				stop = "cancelled"
			}
		case <-time.After(40 * time.Millisecond): // like the speed of a model
			if i%every == every-1 && !a.asks(prompt.TurnID, fmt.Sprintf("%s/%d", id, i)) {
				stop = "cancelled"
			}
		}
	}
	event(map[string]any{"type": "done", "stopReason": stop})
}

// asks asks for permission. It returns false if the turn is cancelled.
func (a *agent) asks(turn, call string) bool {
	event(map[string]any{"type": "tool_confirmation_request", "toolCallId": call, "toolName": "delete", "title": "Delete it"})
	for c := range a.commands {
		switch {
		case c.Type == "cancel" && c.TurnID == turn:
			return false
		case c.Type == "tool_confirmation_response" && c.ToolCallID == call:
			allowed := strings.HasPrefix(c.Decision, "allow")
			event(map[string]any{"type": "tool_end", "toolCallId": call, "ok": allowed, "result": c.Decision})
			return true
		}
	}
	return false
}

// record appends a line to the record of the session, whose name begins a prompt's id.
func (a *agent) record(id string, words ...string) {
	session, _, _ := strings.Cut(id, "-")
	f, err := os.OpenFile(filepath.Join(a.records, session), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		os.Exit(7)
	}
	fmt.Fprintln(f, strings.Join(words, " "))
	_ = f.Close()
}

func say(text string) { event(map[string]any{"type": "text_delta", "text": text}) }

func event(members map[string]any) {
	text, err := json.Marshal(members)
	if err != nil {
		os.Exit(8)
	}
	if _, err := os.Stdout.Write(append(text, '\n')); err != nil {
		os.Exit(0)
	}
}
