package protocol

import (
	"context"
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// Await waits for the response to a call. Unlike [jsonrpc2.Waiter.Wait], it decodes the
// result by the exact member names. If result is nil, it decodes nothing.
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
