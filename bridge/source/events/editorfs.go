package events

import (
	"context"
	"errors"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// fileTimeout bounds a file request: some editors never answer a request that
// they cannot serve.
const fileTimeout = 30 * time.Second

// editorFiles is the editor's file system as an [agent.FileSystem].
type editorFiles struct{ session *session }

// CanRead reports whether the editor offers fs/read_text_file.
func (f *editorFiles) CanRead() bool { return f.session.peers.client.fs.ReadTextFile }

// CanWrite reports whether the editor offers fs/write_text_file.
func (f *editorFiles) CanWrite() bool { return f.session.peers.client.fs.WriteTextFile }

var errNoText = errors.New("the editor answered without a text")

// ReadTextFile reads a file through the editor. An answer without a text is not
// an empty file: treating it as one could lead to overwriting the file.
func (f *editorFiles) ReadTextFile(ctx context.Context, path string) (string, error) {
	var out struct {
		Content *string `json:"content"`
	}
	err := f.call(ctx, v1.MethodReadTextFile, v1.ReadTextFileRequest{SessionID: f.session.peers.id, Path: path}, &out)
	if err != nil {
		return "", err
	}
	if out.Content == nil {
		return "", errNoText
	}
	return *out.Content, nil
}

// WriteTextFile writes a file through the editor. It ignores the result, unless
// it is an error: editors answer null, {} or a string.
func (f *editorFiles) WriteTextFile(ctx context.Context, path, text string) error {
	return f.call(ctx, v1.MethodWriteTextFile, v1.WriteTextFileRequest{SessionID: f.session.peers.id, Path: path, Content: text}, nil)
}

func (f *editorFiles) call(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, fileTimeout)
	defer cancel()
	err := f.session.source.ask(ctx, f.session.peers.id, method, params, result)
	if refused, ok := errors.AsType[*jsonrpc2.Error](err); ok {
		return errors.New(protocol.Reason(refused))
	}
	return err
}

// ask asks the editor and waits for the answer. If ctx ends first, it withdraws that
// and returns at once.
func (c *source) ask(ctx context.Context, session, method string, params, result any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	answered := make(chan core.Answer, 1)
	a := &core.Ask{Session: session, Method: method, Params: v1.AppendValue(nil, params), Answered: func(a core.Answer) { answered <- a }}
	if err := c.view.Ask(a); err != nil {
		return err
	}
	select {
	case answer := <-answered:
		return answer.Decode(result)
	case <-ctx.Done():
		c.view.Withdraw(a)
		c.view.Forget(a)
		return ctx.Err()
	}
}
