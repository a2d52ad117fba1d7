package protocol

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Connect starts reading s. Requests and notifications go to h, one after the
// other on the reader's goroutine. Responses go to the calls that wait for them
// in the connection. Requests bypass jsonrpc2, which would decode each of them
// three times and encode its params again: a prompt may contain images.
func (s *Stream) Connect(ctx context.Context, h jsonrpc2.Handler, opts ...jsonrpc2.ConnOpt) *jsonrpc2.Conn {
	var conn *jsonrpc2.Conn
	connected := make(chan struct{})
	s.request = func(r *jsonrpc2.Request) {
		<-connected
		h.Handle(ctx, conn, r)
	}
	conn = jsonrpc2.NewConn(ctx, s, h, opts...)
	close(connected)
	return conn
}

// Await waits for the answer to a call. Unlike [jsonrpc2.Waiter.Wait], it
// decodes the result by the exact names of members. It does not decode a nil
// result.
func Await(ctx context.Context, call jsonrpc2.Waiter, result any) error {
	if result == nil {
		return call.Wait(ctx, nil)
	}
	var raw json.RawMessage
	if err := call.Wait(ctx, &raw); err != nil {
		return err
	}
	return exactjson.Unmarshal(raw, result)
}

// request returns the message, a request or a notification that has passed
// check. The result keeps no reference to the line.
func (e *envelope) request() *jsonrpc2.Request {
	method, _ := rawjson.Parse(e.method)
	r := &jsonrpc2.Request{Method: method.String(), Notif: e.id == nil}
	if e.params != nil {
		// Invalid Unicode is harmless here, but may not be to an agent.
		clean := rawjson.CleanValue(rawjson.Valid(e.params))
		params := append(json.RawMessage(nil), clean...)
		r.Params = &params
	}
	switch {
	case e.id == nil:
	case e.id[0] == '"':
		id, _ := rawjson.Parse(e.id)
		r.ID = jsonrpc2.ID{Str: id.String(), IsString: true}
	default:
		r.ID.Num, _ = strconv.ParseUint(string(e.id), 10, 63)
	}
	return r
}

// Answer answers the request id with the result that appendResult appends. It
// never blocks.
func (s *Stream) Answer(id jsonrpc2.ID, appendResult func(dst []byte) []byte) error {
	raw := append(appendID(id), `,"result":`...)
	return s.writeControl(append(appendResult(raw), '}'))
}

// AnswerError answers the request id with an error. It never blocks.
func (s *Stream) AnswerError(id jsonrpc2.ID, cause *jsonrpc2.Error) error {
	wire, err := json.Marshal(cause)
	if err != nil {
		return err
	}
	raw := append(appendID(id), `,"error":`...)
	return s.writeControl(append(append(raw, wire...), '}'))
}

// appendID begins a response.
func appendID(id jsonrpc2.ID) []byte {
	raw := append(make([]byte, 0, 512), `{"jsonrpc":"2.0","id":`...)
	if id.IsString {
		return rawjson.AppendString(raw, id.Str)
	}
	return strconv.AppendUint(raw, id.Num, 10)
}
