package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// A session is the editor's side of a bridge with one ACP session.
type session struct {
	*process
	*bufio.Reader            // of the process's output
	behind        *server    // the server that the process is attached to; nil if none
	beside        []*process // further clients with the session
	id            string
	last          int64 // id of the last request
	running       int64 // id of the last prompt
}

func newEditor(ctx context.Context, argv []string) (*session, error) {
	p, err := startProcess(ctx, argv)
	if err != nil {
		return nil, err
	}
	// The buffer is for the first lines; later, larger reads bypass it.
	return &session{process: p, Reader: bufio.NewReaderSize(p.out, 4096)}, nil
}

// startSession starts a bridge and opens a session.
func startSession(ctx context.Context, argv []string) (*session, error) {
	e, err := newEditor(ctx, argv)
	if err != nil {
		return nil, err
	}
	if _, err := e.call("initialize", initializeParams); err != nil {
		return nil, err
	}
	if e.id, err = e.open(); err != nil {
		return nil, err
	}
	return e, nil
}

var initializeParams = map[string]any{
	"protocolVersion":    1,
	"clientInfo":         map[string]any{"name": "bench", "version": "1"},
	"clientCapabilities": map[string]any{},
}

// open opens another session and returns its id.
func (e *session) open() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	result, err := e.call("session/new", map[string]any{"cwd": dir, "mcpServers": []any{}})
	if err != nil {
		return "", err
	}
	var opened struct{ SessionID string }
	if err := json.Unmarshal(result, &opened); err != nil {
		return "", fmt.Errorf("session/new: %w", err)
	}
	return opened.SessionID, nil
}

// pid returns the id of the process that owns the sessions.
func (e *session) pid() int {
	if e.behind != nil {
		return e.behind.cmd.Process.Pid
	}
	return e.cmd.Process.Pid
}

// cpu returns the processor time of all processes between the agents and the editor.
func (e *session) cpu() (time.Duration, error) {
	all, err := cpuTime(e.pid())
	if err != nil || e.behind == nil {
		return all, err
	}
	front, err := cpuTime(e.cmd.Process.Pid)
	return all + front, err
}

// join starts a further client that loads the session, and reads what it gets.
func (e *session) join(ctx context.Context, argv []string) error {
	other, err := newEditor(ctx, argv)
	if err != nil {
		return err
	}
	if _, err := other.call("initialize", initializeParams); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if _, err := other.call("session/load", map[string]any{"sessionId": e.id, "cwd": dir, "mcpServers": []any{}}); err != nil {
		return err
	}
	e.beside = append(e.beside, other.process)
	go func() { _, _ = io.Copy(io.Discard, other.Reader) }() // ends with the process
	return nil
}

// close implements subject.
func (e *session) close() error {
	err := e.process.close()
	for _, other := range e.beside {
		err = errors.Join(err, other.close())
	}
	if e.behind != nil {
		err = errors.Join(err, e.behind.close())
	}
	return err
}

// request sends a request and returns its id.
func (e *session) request(method string, params any) (int64, error) {
	e.last++
	return e.last, e.write(map[string]any{"jsonrpc": "2.0", "id": e.last, "method": method, "params": params})
}

func (e *session) write(message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = e.in.Write(append(line, '\n'))
	return err
}

// call sends a request and reads until its response.
func (e *session) call(method string, params any) (json.RawMessage, error) {
	id, err := e.request(method, params)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	for {
		line, err := e.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("%s: no answer: %w", method, err)
		}
		if isUpdate(line) {
			continue
		}
		m, err := answer(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		if m == nil || *m.ID != id {
			continue
		}
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %w", method, m.Error)
		}
		return m.Result, nil
	}
}

// prompt implements subject.
func (e *session) prompt(text string) (err error) {
	e.running, err = e.promptIn(e.id, text)
	return err
}

// turn runs a turn and reads until it ends.
func (e *session) turn(text string) error {
	_, err := e.call("session/prompt", promptParams(e.id, text))
	return err
}

func (e *session) promptIn(id, text string) (int64, error) {
	return e.request("session/prompt", promptParams(id, text))
}

func promptParams(session, text string) map[string]any {
	return map[string]any{
		"sessionId": session,
		"prompt":    []any{map[string]any{"type": "text", "text": text}},
	}
}

// cancel requests to cancel the turn.
func (e *session) cancel() error {
	return e.write(map[string]any{"jsonrpc": "2.0", "method": "session/cancel", "params": map[string]any{"sessionId": e.id}})
}

// errCancelled means that a turn ended because it was cancelled.
var errCancelled = errors.New("the turn was cancelled")

// ends implements subject.
func (e *session) ends(line []byte) (bool, error) {
	if isUpdate(line) || len(bytes.TrimSpace(line)) == 0 {
		return false, nil
	}
	m, err := answer(line)
	if err != nil || m == nil || *m.ID != e.running {
		return false, err
	}
	return true, stopped(m)
}

// stopped returns an error unless the response reports a successful turn.
func stopped(m *message) error {
	if m.Error != nil {
		return m.Error
	}
	var result struct{ StopReason string }
	if err := json.Unmarshal(m.Result, &result); err != nil {
		return fmt.Errorf("session/prompt response: %w", err)
	}
	switch result.StopReason {
	case "end_turn":
		return nil
	case "cancelled":
		return errCancelled
	default:
		return fmt.Errorf("unexpected stop reason %q", result.StopReason)
	}
}
