//go:build unix

package tools

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPipeThatReplacesAFileDoesNotBlock(t *testing.T) {
	d := newDesk(t, map[string]string{"a": ""})
	p, err := d.box.files.find("a")
	require.NoError(t, err)
	require.NoError(t, os.Remove(d.path("a")))
	require.NoError(t, syscall.Mkfifo(d.path("a"), 0o600))
	root, err := p.root()
	require.NoError(t, err)
	defer closeQuietly(root)
	f, err := root.OpenFile(p.rel, os.O_RDONLY|openNonblock, 0)
	require.NoError(t, err)
	closeQuietly(f)
}

func TestAnOpenCharacterIsHeldBack(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 0, "é": 0, "a\xc3": 1, "\xe2\x82": 2, "\xf0\x9f\x98": 3, "😀": 0,
		"\xff": 0, "\x80\x80\x80\x80": 0, "a\xc3a": 0,
	} {
		require.Equal(t, want, openRune([]byte(text)), "%q", text)
	}
}
