package aisdk_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/agent/aisdk"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// Whatever a server sends, the turn must end.
func FuzzTurns(f *testing.F) {
	files, err := filepath.Glob("wire/testdata/*/*.txtar")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		f.Add(events(strings.Split(strings.TrimSpace(string(archive.Files[0].Data)), "\n")...))
	}
	server := agenttest.NewServer(f)
	f.Fuzz(func(t *testing.T, stream string) {
		server.Say(stream, "")
		agenttest.RequireTurn(t, aisdk.New(aisdk.Config{Remote: httpsse.Config{BaseURL: server.URL}}))
	})
}
