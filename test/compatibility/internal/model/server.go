package model

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

// Name is the model's name in every API.
const Name = "scripted"

// A Server serves the model on the loopback interface.
type Server struct {
	URL  string
	http *http.Server
	stop context.CancelFunc
}

// Start starts a server. If log isn't nil, every request is written to it.
func Start(ctx context.Context, log io.Writer) (*Server, error) {
	if log == nil {
		log = io.Discard
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	s := &Server{URL: "http://" + listener.Addr().String(), stop: stop}
	s.http = &http.Server{Handler: handler(log), BaseContext: func(net.Listener) context.Context { return ctx }}
	go func() { _ = s.http.Serve(listener) }() // fails only when it is closed
	return s, nil
}

// Close ends all requests and stops the server.
func (s *Server) Close() error {
	s.stop()
	return s.http.Close()
}

// An api is one API: it reads a request, and writes a reply, streamed or whole.
type api struct {
	parse  func(body []byte) (conversation, error)
	stream func(*events, reply)
	whole  func(reply) any
}

func handler(log io.Writer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		_, _ = fmt.Fprintf(log, "%s %s %s\n", r.Method, r.URL, body)
		path := strings.TrimRight(r.URL.Path, "/")
		switch {
		case strings.HasSuffix(path, "/chat/completions"):
			completions.serve(w, r, body)
		case strings.HasSuffix(path, "/responses"):
			responses.serve(w, r, body)
		case strings.HasSuffix(path, "/messages"):
			messages.serve(w, r, body)
		case strings.HasSuffix(path, ":streamGenerateContent"), strings.HasSuffix(path, ":generateContent"):
			generate.serve(w, r, body)
		case strings.HasSuffix(path, "/count_tokens"):
			writeJSON(w, map[string]any{"input_tokens": 10})
		case strings.HasSuffix(path, ":countTokens"):
			writeJSON(w, map[string]any{"totalTokens": 10})
		case strings.HasSuffix(path, "/models"):
			writeJSON(w, map[string]any{"object": "list", "data": []any{
				map[string]any{"id": Name, "object": "model", "type": "model", "display_name": Name, "created": 0, "owned_by": Name},
			}})
		default:
			http.NotFound(w, r)
		}
	}
}

// replies counts the replies of this process.
var replies atomic.Int64

func (a api) serve(w http.ResponseWriter, r *http.Request, body []byte) {
	c, err := a.parse(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := c.next()
	// Ids differ, because agents join what has the same id.
	answer.id = strconv.FormatInt(replies.Add(1), 10)
	if answer.call != nil {
		answer.call.id = "call_" + answer.id
	}
	if !c.stream && !strings.Contains(r.URL.Path, ":stream") {
		if answer.hold {
			<-r.Context().Done()
		}
		writeJSON(w, a.whole(answer))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	a.stream(&events{w, r.Context()}, answer)
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // an error means that the client is gone
}

// events are server-sent events. An error means that the client is gone, and that is
// how a turn is cancelled.
type events struct {
	w   http.ResponseWriter
	ctx context.Context
}

// send sends an event. Without a name it has only data.
func (e *events) send(name string, value any) {
	if name != "" {
		_, _ = fmt.Fprintf(e.w, "event: %s\n", name)
	}
	text, _ := json.Marshal(value) //nolint:errchkjson // maps of plain values
	_, _ = fmt.Fprintf(e.w, "data: %s\n\n", text)
	_ = http.NewResponseController(e.w).Flush()
}

// hold waits until the client is gone.
func (e *events) hold(r reply) {
	if r.hold {
		<-e.ctx.Done()
	}
}

// object is a JSON object.
type object = map[string]any
