package terminal

import (
	"encoding/json"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// updateStream takes the updates out of the stream before jsonrpc2 sees them:
// it would decode and encode each of them again, which loses the order of the
// members and costs time. It runs on the reader's goroutine, so an update is
// delivered before a response that follows it.
//
// Of a request it keeps the params as they are, for the same reason: the fields of a
// form have an order.
type updateStream struct {
	jsonrpc2.ObjectStream
	deliver func(message)
	params  json.RawMessage // of the last line that jsonrpc2 was given
}

// ReadObject implements [jsonrpc2.ObjectStream].
func (s *updateStream) ReadObject(v any) error {
	for {
		var line json.RawMessage
		if err := s.ObjectStream.ReadObject(&line); err != nil {
			return err
		}
		var head struct {
			Method string          `json:"method"`
			ID     json.RawMessage `json:"id"`
			Params struct {
				Update json.RawMessage `json:"update"`
			} `json:"params"`
		}
		// A line that does not fit is not an update to be shown; jsonrpc2 knows
		// how to treat it.
		err := exactjson.Unmarshal(line, &head)
		if err != nil || head.Method != v1.MethodSessionUpdate || head.ID != nil || head.Params.Update == nil {
			var request struct {
				Params json.RawMessage `json:"params"`
			}
			_ = exactjson.Unmarshal(line, &request) // the next line has the error
			s.params = request.Params
			if err := exactjson.Unmarshal(line, v); err != nil {
				return fmt.Errorf("the bridge wrote something that is not a JSON-RPC message: %w", err)
			}
			return nil
		}
		s.deliver(decoded(head.Params.Update))
	}
}
