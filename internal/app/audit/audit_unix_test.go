//go:build linux

package audit_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/audit"
)

func TestOnlyItsUserCanReadTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "audit.jsonl")
	(&audit.File{Path: path, Log: slog.New(slog.DiscardHandler)}).Note(decision("c1"))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestAnUnwritableFileIsReportedOnce(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, path := range []string{pipe, dir, filepath.Join(pipe, "audit.jsonl"), "/dev/full"} {
		var log bytes.Buffer
		f := &audit.File{Path: path, Log: slog.New(slog.NewTextHandler(&log, nil))}
		f.Note(decision("c1"))
		f.Note(decision("c2"))
		require.Equal(t, 1, strings.Count(log.String(), "the audit log is missing decisions"), "%s: %s", path, log.String())
	}
}
