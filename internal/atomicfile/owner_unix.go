//go:build unix

package atomicfile

import (
	"os"
	"syscall"
)

// chownLike sets a file's owner to that of another file. It needs privileges only if that
// is a different user.
func chownLike(model os.FileInfo, path string) error {
	want, ok := model.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if have, ok := info.Sys().(*syscall.Stat_t); ok && have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	return os.Chown(path, int(want.Uid), int(want.Gid))
}
