package ethos

import (
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Output of `ethos acp` reaches the running prompt unchanged, up to its
// response.
func FuzzACPLines(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("wire", "testdata", "streams", "acp_*.txtar"))
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		f.Add(string(archive.Files[0].Data))
	}
	f.Add(`{"jsonrpc":"2.0","id":7,"result":{"protocolVersion":"1.0","serverName":"ethos"}}` + "\n" + `{"id":8,"error":{"message":"no"}}`)
	f.Add(`{"id":7,"error":7}` + "\n" + `{"id":8,"result":"x"}` + "\n" + `{"id":7,"result":{}}`)
	f.Add(`{"id":3,"method":"m","result":{}}` + "\n" + `{"id":"3","result":{}}` + "\n" + `{"id":3,"result":{}}` + "\n" + `{"id":3,"result":{}}`)
	f.Add(string(streamPrefix) + `3,"event":{"type":"text_delta","text":"a"}}}` + "\n" + string(streamPrefix) + `33,"event":{}}}`)
	f.Add(`{"method":"$/stream","params":{"requestId":3}}` + "\n" + `{"method":"$/stream","params":{"requestId":4}}`)
	f.Fuzz(func(t *testing.T, text string) {
		a := &acpClient{name: "ethos", conn: jsonrpc.New(slog.New(slog.DiscardHandler), func() {}), ended: make(chan struct{})}
		for a.conn.NextID() < 2 { // the third is the prompt
		}
		feed := a.prompt(nil)
		given := make(chan []byte)
		go func() {
			all, err := io.ReadAll(feed)
			assert.NoError(t, err)
			given <- all
		}()
		require.NoError(t, a.conn.Read(strings.NewReader(text), a))
		answered := !a.busy()
		feed.End(nil)
		var printed []string
		for line := range strings.SplitSeq(string(rawjson.Valid([]byte(text))), "\n") {
			printed = append(printed, strings.TrimSuffix(line, "\r"))
		}
		last := ""
		for line := range strings.Lines(string(<-given)) {
			last = strings.TrimSuffix(line, "\n")
			require.Contains(t, printed, last, "a line goes on as it is or not at all")
		}
		if answered {
			m, err := jsonrpc.Parse([]byte(last))
			require.NoError(t, err)
			require.Equal(t, "3", strings.TrimLeft(string(m.ID), "0+-"))
			require.True(t, m.IsResponse())
		}
	})
}
