package claude_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/agent/claude"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// Whatever a process prints before it exits, the turn must end. Claude Code may go on by itself
// then.
func FuzzTurns(f *testing.F) {
	files, err := filepath.Glob("wire/testdata/*/*.txtar")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		f.Add(string(archive.Files[0].Data))
	}
	f.Fuzz(func(t *testing.T, printed string) {
		s := new(standIn)
		agenttest.RequireEnd(t, claude.New(process.Config{Start: func(spec child.Spec) (process.Child, error) {
			p := s.process(spec)
			go func() {
				defer p.Kill()
				p.print("%s", printed)
			}()
			go func() { // it reads everything
				for b := make([]byte, 1<<10); ; {
					if _, err := p.in.Read(b); err != nil {
						return
					}
				}
			}()
			return p, nil
		}}))
	})
}
