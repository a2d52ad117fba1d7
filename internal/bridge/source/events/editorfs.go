package events

import (
	"context"
	"errors"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// fileTimeout bounds a file request: some editors never answer a request that they
// cannot serve.
const fileTimeout = 30 * time.Second

// editorFiles implements [agent.FileSystem] with the editor's file system.
type editorFiles struct{ peers *peers }

// CanRead reports whether the editor offers fs/read_text_file.
func (f *editorFiles) CanRead() bool { return f.peers.client.fs.ReadTextFile }

// CanWrite reports whether the editor offers fs/write_text_file.
func (f *editorFiles) CanWrite() bool { return f.peers.client.fs.WriteTextFile }

var errNoText = errors.New("the editor's response has no text")

// ReadTextFile reads a file through the editor. A response without text is an error,
// not an empty file: treating it as empty could lead to overwriting the file.
func (f *editorFiles) ReadTextFile(ctx context.Context, path string) (string, error) {
	var out struct {
		Content *string `json:"content"`
	}
	err := f.call(ctx, v1.MethodReadTextFile, v1.ReadTextFileRequest{SessionID: f.peers.id, Path: path}, &out)
	if err != nil {
		return "", err
	}
	if out.Content == nil {
		return "", errNoText
	}
	return *out.Content, nil
}

// WriteTextFile writes a file through the editor. It ignores a successful result,
// because editors answer null, {} or a string.
func (f *editorFiles) WriteTextFile(ctx context.Context, path, text string) error {
	return f.call(ctx, v1.MethodWriteTextFile, v1.WriteTextFileRequest{SessionID: f.peers.id, Path: path, Content: text}, nil)
}

func (f *editorFiles) call(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, fileTimeout)
	defer cancel()
	err := f.request(ctx, method, params, result)
	if refused, ok := errors.AsType[*jsonrpc2.Error](err); ok {
		return errors.New(protocol.Reason(refused))
	}
	return err
}

// request sends a request to the editor and waits for the answer. If ctx is done first, it
// withdraws the request and returns at once.
func (f *editorFiles) request(ctx context.Context, method string, params, result any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	answered := make(chan core.Answer, 1)
	a := &core.Request{Session: f.peers.id, Method: method, Params: v1.AppendValue(nil, params), Answered: func(a core.Answer) { answered <- a }}
	if err := f.peers.view.Request(a); err != nil {
		return err
	}
	select {
	case answer := <-answered:
		return answer.Decode(result)
	case <-ctx.Done():
		f.peers.view.Withdraw(a)
		f.peers.view.Forget(a)
		return ctx.Err()
	}
}
