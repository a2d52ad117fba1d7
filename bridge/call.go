package bridge

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// rpcConn is the part of [jsonrpc2.Conn] with which the bridge calls the
// editor.
type rpcConn interface {
	DispatchCall(ctx context.Context, method string, params any, opts ...jsonrpc2.CallOption) (jsonrpc2.Waiter, error)
	Notify(ctx context.Context, method string, params any, opts ...jsonrpc2.CallOption) error
}

// caller numbers the requests to an editor. The ids begin at 1, because
// jsonrpc2 reads an id of null as 0.
type caller struct{ last atomic.Uint64 }

// An outgoing request has not been answered yet.
type outgoing struct {
	rpc    rpcConn
	id     jsonrpc2.ID
	waiter jsonrpc2.Waiter
}

// start sends a request. It does not block.
func (c *caller) start(rpc rpcConn, method string, params any) (*outgoing, error) {
	id := jsonrpc2.ID{Num: c.last.Add(1)}
	w, err := rpc.DispatchCall(context.Background(), method, params, jsonrpc2.PickID(id))
	if err != nil {
		return nil, err
	}
	return &outgoing{rpc, id, w}, nil
}

// wait waits for the answer. It must not be called on the reader's goroutine,
// which delivers the answer.
func (o *outgoing) wait(ctx context.Context, result any) error {
	return protocol.Await(ctx, o.waiter, result)
}

// withdraw tells the editor that its answer is no longer needed. It does not
// block. jsonrpc2 drops an answer that still arrives.
func (o *outgoing) withdraw() error {
	return o.rpc.Notify(context.Background(), methodCancelRequest, v1.CancelRequestNotification{RequestID: o.id})
}

// call sends a request and waits for the answer. When ctx ends first, it
// withdraws the request and returns at once.
func (c *caller) call(ctx context.Context, rpc rpcConn, method string, params, result any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o, err := c.start(rpc, method, params)
	if err != nil {
		return err
	}
	err = o.wait(ctx, result)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return errors.Join(err, o.withdraw())
	}
	return err
}
