package terminal

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// updateStream takes updates out of the stream before jsonrpc2 sees them. jsonrpc2 would
// decode and encode each of them again, which loses the order of members and costs time.
// It runs on the reader's goroutine, so an update is delivered before a response that
// follows it.
//
// For the same reason it keeps the raw params of requests: the fields of a form are
// ordered.
type updateStream struct {
	jsonrpc2.ObjectStream
	deliver func(message)
	params  json.RawMessage // of the last line passed to jsonrpc2

	mu      sync.Mutex
	awaited map[uint64]responder
}

// A responder returns the message to deliver for a response.
type responder func(result []byte, err error) message

// await makes the stream deliver the response to a request, in the order of updates.
func (s *updateStream) await(request uint64, respond responder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.awaited == nil {
		s.awaited = make(map[uint64]responder)
	}
	s.awaited[request] = respond
}

// responded delivers an awaited response.
func (s *updateStream) responded(m rawmsg.Message) {
	id, ok := m.Number()
	request := uint64(id)
	s.mu.Lock()
	respond := s.awaited[request]
	delete(s.awaited, request)
	s.mu.Unlock()
	if !ok || respond == nil {
		return
	}
	if m.Error == nil {
		s.deliver(respond(m.Result, nil))
		return
	}
	var failure jsonrpc2.Error
	if err := exactjson.Unmarshal(m.Error, &failure); err != nil {
		failure.Message = err.Error()
	}
	s.deliver(respond(nil, plainError(&failure)))
}

// ReadObject implements [jsonrpc2.ObjectStream].
func (s *updateStream) ReadObject(v any) error {
	for {
		var line json.RawMessage
		if err := s.ObjectStream.ReadObject(&line); err != nil {
			return err
		}
		// A line that doesn't match is not an update. Pass it to jsonrpc2, which handles
		// it.
		m, err := rawmsg.Parse(line)
		var update []byte
		if err == nil && m.Method == v1.MethodSessionUpdate && m.ID == nil && len(m.Params) > 0 && m.Params[0] == '{' {
			update, _, _ = rawmsg.Member(m.Params, "update")
		}
		if update == nil {
			if err == nil && m.IsResponse() {
				if number, ok := turnsIn(m.Result); ok {
					s.deliver(&turnsRunning{number})
				}
				if mode := modeIn(m.Result); mode != "" {
					s.deliver(&inMode{mode})
				}
				s.responded(m)
			}
			s.params = m.Params
			if err := exactjson.Unmarshal(line, v); err != nil {
				return fmt.Errorf("the bridge wrote something that is not a JSON-RPC message: %w", err)
			}
			return nil
		}
		s.deliver(decoded(update))
	}
}
