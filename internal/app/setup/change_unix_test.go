//go:build unix

package setup_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASymbolicLinkStaysAndItsFileIsChanged(t *testing.T) {
	f := zed(t)
	dotfile := filepath.Join(t.TempDir(), "dotfiles", "zed.json")
	write(t, dotfile, []byte(settings))
	require.NoError(t, os.Remove(f.Path))
	require.NoError(t, os.Symlink(dotfile, f.Path))
	applied(t, f, plain)
	target, err := os.Readlink(f.Path)
	require.NoError(t, err)
	require.Equal(t, dotfile, target)
	require.Contains(t, string(read(t, dotfile)), "agent_servers")
	drop(t, f, plain)
	require.Equal(t, settings, string(read(t, dotfile)))
	requireNoLitter(t, f.Path)
	requireNoLitter(t, dotfile)
}

func TestALinkToOurFileIsRemovedWithIt(t *testing.T) {
	m := emptyMachine(t, "linux")
	f := file(t, m, "neovim")
	applied(t, f, plain)
	elsewhere := filepath.Join(t.TempDir(), "agents.lua")
	require.NoError(t, os.Rename(f.Path, elsewhere))
	require.NoError(t, os.Symlink(elsewhere, f.Path))
	drop(t, f, plain)
	require.NoFileExists(t, elsewhere)
	applied(t, f, plain)
}

func TestALinkToNothingIsRefused(t *testing.T) {
	f := zed(t)
	require.NoError(t, os.Remove(f.Path))
	require.NoError(t, os.Symlink("nowhere", f.Path))
	_, err := f.Put(plain)
	require.ErrorContains(t, err, "is a link to a file that does not exist")
}

func TestTheModeStays(t *testing.T) {
	for _, mode := range []os.FileMode{0o600, 0o644, 0o660, 0o777} {
		f := zed(t)
		require.NoError(t, os.Chmod(f.Path, mode))
		backup := applied(t, f, plain)
		for _, path := range []string{f.Path, backup} {
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Equal(t, mode, info.Mode().Perm(), path)
		}
	}
}

// A user without the privilege to give files away can only use their own user id, and the
// groups they are in.
func TestTheOwnerStays(t *testing.T) {
	f := zed(t)
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 1, 1
	} else if groups, err := os.Getgroups(); err == nil && len(groups) > 0 {
		gid = groups[len(groups)-1]
	}
	require.NoError(t, os.Chown(f.Path, uid, gid))
	backup := applied(t, f, plain)
	for _, path := range []string{f.Path, backup} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		owner, ok := info.Sys().(*syscall.Stat_t)
		require.True(t, ok)
		require.EqualValues(t, uid, owner.Uid)
		require.EqualValues(t, gid, owner.Gid)
	}
}
