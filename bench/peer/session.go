package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"

	acp "github.com/coder/acp-go-sdk"
)

// A session is one child.
type session struct {
	id     acp.SessionId
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Scanner
}

// command is a command for the child.
type command struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
}

// event has the members of all events that are forwarded.
type event struct {
	Type       string          `json:"type"`
	Text       string          `json:"text"`
	Thinking   string          `json:"thinking"`
	ToolCallID string          `json:"toolCallId"`
	ToolName   string          `json:"toolName"`
	Args       json.RawMessage `json:"args"`
	Message    string          `json:"message"`
	Audience   string          `json:"audience"`
	OK         bool            `json:"ok"`
	Result     string          `json:"result"`
	Error      string          `json:"error"`
	StopReason string          `json:"stopReason"`
}

func start(args []string, dir string) (*session, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 10<<20)
	return &session{cmd: cmd, stdin: stdin, stdout: lines}, nil
}

func (s *session) send(c command) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = s.stdin.Write(append(line, '\n'))
	return err
}

// forward sends the child's events to the editor until the turn ends.
func (s *session) forward(ctx context.Context, conn *acp.AgentSideConnection) (acp.StopReason, error) {
	// The child also ends the turn when it is cancelled. Forward its events until then.
	ctx = context.WithoutCancel(ctx)
	for s.stdout.Scan() {
		var e event
		if err := json.Unmarshal(s.stdout.Bytes(), &e); err != nil {
			continue
		}
		switch e.Type {
		case "done":
			return acp.StopReason(e.StopReason), nil
		case "error":
			return "", errors.New(e.Error)
		}
		update, ok := e.update()
		if !ok {
			continue
		}
		if err := conn.SessionUpdate(ctx, acp.SessionNotification{SessionId: s.id, Update: update}); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("agent ended: %w", errors.Join(s.stdout.Err(), io.EOF))
}

// update maps an event to a session update.
func (e *event) update() (acp.SessionUpdate, bool) {
	id := acp.ToolCallId(e.ToolCallID)
	switch e.Type {
	case "text_delta":
		return acp.UpdateAgentMessageText(e.Text), true
	case "thinking_delta":
		return acp.UpdateAgentThoughtText(e.Thinking), true
	case "tool_start":
		return acp.StartToolCall(id, e.ToolName,
			acp.WithStartStatus(acp.ToolCallStatusInProgress),
			acp.WithStartRawInput(e.Args)), true
	case "tool_progress":
		if e.Audience != "user" {
			return acp.SessionUpdate{}, false
		}
		return acp.UpdateToolCall(id,
			acp.WithUpdateContent([]acp.ToolCallContent{acp.ToolContent(acp.TextBlock(e.Message))})), true
	case "tool_end":
		status := acp.ToolCallStatusCompleted
		if !e.OK {
			status = acp.ToolCallStatusFailed
		}
		return acp.UpdateToolCall(id,
			acp.WithUpdateStatus(status),
			acp.WithUpdateContent([]acp.ToolCallContent{acp.ToolContent(acp.TextBlock(e.Result))})), true
	default:
		return acp.SessionUpdate{}, false
	}
}

// stop kills the child.
func (s *session) stop() {
	_ = s.stdin.Close()
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}
