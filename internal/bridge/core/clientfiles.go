package core

import (
	"context"
	"errors"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// fileTimeout bounds a file request: some clients never answer a request that they cannot
// serve.
const fileTimeout = 30 * time.Second

// ClientFiles implements package agent's FileSystem with the client's file system.
type ClientFiles struct {
	View    View
	Session string
	Able    *v1.FileSystemCapabilities // of the client
}

// CanRead reports whether the client offers fs/read_text_file.
func (f *ClientFiles) CanRead() bool { return f.Able.ReadTextFile }

// CanWrite reports whether the client offers fs/write_text_file.
func (f *ClientFiles) CanWrite() bool { return f.Able.WriteTextFile }

// ErrNoText is the error of a client that reads a file, but returns no text.
var ErrNoText = errors.New("the editor's response has no text")

// ReadTextFile reads a file through the client. A response without text is an error,
// not an empty file: treating it as empty could lead to overwriting the file.
func (f *ClientFiles) ReadTextFile(ctx context.Context, path string) (string, error) {
	var out struct {
		Content *string `json:"content"`
	}
	ctx, cancel := context.WithTimeout(ctx, fileTimeout)
	defer cancel()
	err := f.call(ctx, v1.MethodReadTextFile, v1.ReadTextFileRequest{SessionID: f.Session, Path: path}, &out)
	if err != nil {
		return "", err
	}
	if out.Content == nil {
		return "", ErrNoText
	}
	return *out.Content, nil
}

// WriteTextFile writes a file through the client. It ignores a successful result,
// because clients answer null, {} or a string.
func (f *ClientFiles) WriteTextFile(ctx context.Context, path, text string) error {
	ctx, cancel := context.WithTimeout(ctx, fileTimeout)
	defer cancel()
	return f.WritePatiently(ctx, path, text)
}

// WritePatiently is like WriteTextFile, but waits for the answer until ctx is done.
func (f *ClientFiles) WritePatiently(ctx context.Context, path, text string) error {
	return f.call(ctx, v1.MethodWriteTextFile, v1.WriteTextFileRequest{SessionID: f.Session, Path: path, Content: text}, nil)
}

func (f *ClientFiles) call(ctx context.Context, method string, params, result any) error {
	err := f.request(ctx, method, params, result)
	if refused, ok := errors.AsType[*jsonrpc2.Error](err); ok {
		return errors.New(protocol.Reason(refused))
	}
	return err
}

// request sends a request to the client and waits for the answer. If ctx is done first, it
// withdraws the request and returns at once.
func (f *ClientFiles) request(ctx context.Context, method string, params, result any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	answered := make(chan Answer, 1)
	a := &Request{Session: f.Session, Method: method, Params: v1.AppendValue(nil, params), Answered: func(a Answer) { answered <- a }}
	if err := f.View.Request(a); err != nil {
		return err
	}
	select {
	case answer := <-answered:
		return answer.Decode(result)
	case <-ctx.Done():
		f.View.Withdraw(a)
		f.View.Forget(a)
		return ctx.Err()
	}
}
