package bridge

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// rpcConn is what the bridge needs of a [jsonrpc2.Conn] to call the editor.
type rpcConn interface {
	DispatchCall(ctx context.Context, method string, params any, opts ...jsonrpc2.CallOption) (jsonrpc2.Waiter, error)
	Notify(ctx context.Context, method string, params any, opts ...jsonrpc2.CallOption) error
}

// withdrawGrace is how long the answer to a withdrawn request is waited for,
// so that it is not taken for one that nobody asked for.
const withdrawGrace = 3 * time.Second

// caller numbers the requests to an editor. Their ids begin at 1: jsonrpc2
// takes an id of null for 0.
type caller struct{ last atomic.Uint64 }

// call asks the editor and waits for the answer. When ctx ends first, the
// request is withdrawn with $/cancel_request and call returns at once. It must
// not be called on the reader, whose work it waits for.
func (c *caller) call(ctx context.Context, rpc rpcConn, method string, params, result any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	id := jsonrpc2.ID{Num: c.last.Add(1)}
	w, err := rpc.DispatchCall(ctx, method, params, jsonrpc2.PickID(id))
	if err != nil {
		return err
	}
	err = w.Wait(ctx, result)
	if err == nil || ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	detached := context.WithoutCancel(ctx)
	if err := rpc.Notify(detached, methodCancelRequest, v1.CancelRequestNotification{RequestID: id}); err != nil {
		return errors.Join(ctx.Err(), err)
	}
	go func() {
		late, cancel := context.WithTimeout(detached, withdrawGrace)
		defer cancel()
		_ = w.Wait(late, nil) // whatever it says, it is too late
	}()
	return err
}
