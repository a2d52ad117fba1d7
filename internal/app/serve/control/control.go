// Package control is how commands of the user ask a running server what it does,
// and stop it: JSON over HTTP on its Unix socket, or its named pipe.
//
// Contract: whoever can open the socket may do everything. Nothing here is served
// to other machines.
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

// A Session is one that is open.
type Session struct {
	ID        string   `json:"sessionId"`
	Agent     string   `json:"agent"` // its name; "" is the one at /acp
	Cwd       string   `json:"cwd"`
	FrontEnds []string `json:"frontEnds"`
	Running   bool     `json:"running"` // a prompt is not answered yet
	Waiting   int      `json:"waiting"` // questions that nobody has answered
}

const (
	pathSessions = "/sessions"
	pathStop     = "/stop"
	// base stands for the socket in URLs.
	base = "http://localhost/control"
	// maxAnswer bounds an answer, in bytes.
	maxAnswer = 16 << 20
	timeout   = 10 * time.Second
)

// Handler serves what sessions returns, and calls stop when it is asked to.
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

// ErrNoServer says that nobody listens on the socket.
var ErrNoServer = errors.New("no server is running: turnwire serve starts one")

// A Client asks the server on a socket.
type Client struct{ Socket string }

// Sessions returns the sessions that are open.
func (c Client) Sessions(ctx context.Context) (all []Session, err error) {
	err = c.ask(ctx, http.MethodGet, pathSessions, &all)
	return all, err
}

// Stop stops the server, and returns when nobody listens on the socket any more.
func (c Client) Stop(ctx context.Context) error {
	if err := c.ask(ctx, http.MethodPost, pathStop, nil); err != nil {
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
			return errors.New("the server has not ended yet")
		}
	}
}

func (c Client) ask(ctx context.Context, method, path string, result any) error {
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
		return fmt.Errorf("the server answered %s", resp.Status)
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
