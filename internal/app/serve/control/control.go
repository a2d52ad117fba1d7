// Package control lets the user's commands query and stop a running server, with JSON
// over HTTP on its Unix socket or named pipe.
//
// Contract: everyone who can open the socket is allowed everything. Nothing here is
// served to other machines.
package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/remote/local"
)

// A Session is an open session.
type Session struct {
	ID      string   `json:"sessionId"`
	Agent   string   `json:"agent"` // the agent's name; "" is the one at /acp
	Cwd     string   `json:"cwd"`
	Clients []string `json:"clients"`
	Running bool     `json:"running"` // a prompt is being processed
	Waiting int      `json:"waiting"` // number of unanswered requests
}

const (
	pathSessions = "/sessions"
	pathStop     = "/stop"
	// base replaces the socket's address in URLs.
	base = "http://localhost/control"
	// maxAnswer is the largest accepted response, in bytes.
	maxAnswer = 16 << 20
	timeout   = 10 * time.Second
)

// Handler serves the result of sessions, and calls stop on request.
func Handler(sessions func() []Session, stop func()) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+pathSessions, func(w http.ResponseWriter, _ *http.Request) {
		all := sessions()
		if all == nil {
			all = []Session{}
		}
		var text bytes.Buffer
		if err := json.NewEncoder(&text).Encode(all); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text.Bytes())
	})
	mux.HandleFunc("POST "+pathStop, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		stop()
	})
	return mux
}

// ErrNoServer says that no server is listening on the socket.
var ErrNoServer = errors.New("no server is running: start one with turnwire serve")

// A Client sends requests to the server on a socket.
type Client struct{ Socket string }

// Sessions returns the open sessions.
func (c Client) Sessions(ctx context.Context) (all []Session, err error) {
	err = c.request(ctx, http.MethodGet, pathSessions, &all)
	return all, err
}

// Stop stops the server. It returns when the server no longer listens on the socket.
func (c Client) Stop(ctx context.Context) error {
	if err := c.request(ctx, http.MethodPost, pathStop, nil); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		conn, err := local.Dial(ctx, c.Socket)
		if err != nil && ctx.Err() == nil {
			tick.Stop()
			return nil
		}
		if err == nil {
			_ = conn.Close()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return errors.New("the server is still running")
		}
	}
}

func (c Client) request(ctx context.Context, method, path string, result any) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return local.Dial(ctx, c.Socket)
	}}
	defer transport.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, method, base+path, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return ErrNoServer
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("the server returned %s", resp.Status)
	}
	if result == nil {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return err
	}
	return exactjson.Unmarshal(text, result)
}
