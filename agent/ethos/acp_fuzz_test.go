package ethos

import (
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// What `ethos acp` prints goes to whoever waits for it, once: lines to the prompt
// that runs, as they are, and answers to the requests that they answer.
func FuzzACPLines(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "streams", "acp_*.txtar"))
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
		waiting := map[int64]chan message{7: make(chan message, 1), 8: make(chan message, 1)}
		a := &acpClient{name: "ethos", log: slog.New(slog.DiscardHandler), waiting: map[int64]chan message{7: waiting[7], 8: waiting[8]}}
		a.out = &prompt{id: 3, prefix: []byte(string(streamPrefix) + "3,")}
		var run []byte
		for line := range strings.SplitAfterSeq(text, "\n") {
			before, open := len(run), len(a.waiting)
			var last bool
			run, last = a.sort(run, []byte(line))
			given, answered := string(run[before:]), open-len(a.waiting)
			require.Contains(t, []string{"", line}, given, "a line goes on as it is or not at all")
			require.False(t, given != "" && answered > 0, "a line is for one")
			if last {
				m, err := members([]byte(line))
				require.NoError(t, err)
				require.Equal(t, "3", strings.TrimLeft(string(m.id), "0+-"))
				require.Nil(t, m.method)
				require.NotEmpty(t, given)
				a.out = nil
			}
		}
		require.LessOrEqual(t, len(run), len(text))
		for id, c := range waiting {
			select {
			case m := <-c:
				require.NotContains(t, a.waiting, id)
				var result struct {
					ServerName string `json:"serverName"`
				}
				if err := a.take("initialize", m, &result); err != nil {
					_, typed := errors.AsType[*agentError](err)
					require.True(t, typed, "%T", err)
				}
			default:
				require.Contains(t, a.waiting, id)
			}
		}
	})
}
