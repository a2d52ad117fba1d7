package awaken_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/agent/awaken"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// Whatever a server sends, the turn must end.
func FuzzTurns(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("wire", "testdata", "streams", "*.txtar"))
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		var stream strings.Builder
		for line := range strings.Lines(string(archive.Files[0].Data)) {
			stream.WriteString("id: 7\ndata: " + line + "\n")
		}
		f.Add(stream.String(), `{}`)
	}
	f.Add("data: "+began+"\n\n", `{"items":[`+finished+`],"next_cursor":"c","has_more":true}`)
	f.Add("data: "+began+"\n\n", `{"items":[7,null,{}],"next_cursor":"c","has_more":true}`)
	f.Add("data: "+began+"\n\nevent: error\ndata: {\"error\":\"full\"}\n\n", `{"items":7}`)
	f.Add("data: "+began+"\n\ndata: "+suspends("c1")+"\n\ndata: "+paused+"\n\n", ``)
	server := agenttest.NewServer(f)
	f.Fuzz(func(t *testing.T, stream, answer string) {
		server.Say(stream, answer)
		c := awaken.Config{Remote: httpsse.Config{BaseURL: server.URL}}
		agenttest.RequireTurn(t, awaken.NewHurried(c, time.Microsecond, time.Microsecond))
	})
}
