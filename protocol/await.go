package protocol

import (
	"context"
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
)

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
