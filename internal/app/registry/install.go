package registry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

const (
	// maxArchive is the maximum size of an archive, in bytes.
	maxArchive = 1 << 30
	// downloadTimeout limits the download of an archive.
	downloadTimeout = time.Hour
)

// DataFolder returns the folder for installed agents: below the XDG data folder, or the
// system's equivalent.
func DataFolder() (string, error) {
	if base := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "turnwire", "agents"), nil
	}
	switch runtime.GOOS {
	case "windows":
		base, err := os.UserCacheDir() // %LocalAppData%
		return filepath.Join(base, "turnwire", "agents"), err
	case "darwin":
		base, err := os.UserConfigDir() // ~/Library/Application Support
		return filepath.Join(base, "turnwire", "agents"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "share", "turnwire", "agents"), err
}

// A Place is where a version of an agent is installed.
type Place struct{ Data, ID, Version string }

// Folder returns the folder of the version.
func (p Place) Folder() string { return filepath.Join(p.Data, p.ID, p.Version) }

// Program returns the path of a launch's installed program.
func (p Place) Program(l *Launch) string {
	return filepath.Join(p.Folder(), filepath.FromSlash(l.Command))
}

// Install downloads the archive of a Binary, verifies its checksum, and unpacks it. The
// version's folder appears atomically. If local is true, the archive may come from a
// server on this machine.
func (l *Launch) Install(ctx context.Context, p Place, local bool) (err error) {
	above := filepath.Dir(p.Folder())
	if err := os.MkdirAll(above, 0o700); err != nil {
		return err
	}
	work, err := os.MkdirTemp(above, ".new-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	archive := filepath.Join(work, "archive")
	if err := l.download(ctx, archive, local); err != nil {
		return err
	}
	files := filepath.Join(work, "files")
	if err := os.Mkdir(files, 0o755); err != nil {
		return err
	}
	u, err := url.Parse(l.Archive)
	if err != nil {
		return err
	}
	kind, err := kindOf(u.Path)
	if err != nil {
		return err
	}
	if err := unpack(ctx, archive, kind, files, path.Base(l.Command)); err != nil {
		return fmt.Errorf("the archive cannot be unpacked: %w", err)
	}
	if err := makeExecutable(files, l.Command); err != nil {
		return err
	}
	return replace(files, p.Folder(), filepath.Join(work, "old"))
}

// download writes the archive to a file and verifies its checksum.
func (l *Launch) download(ctx context.Context, to string, local bool) error {
	ctx, cancel := context.WithTimeout(ctx, downloadTimeout)
	defer cancel()
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	hash := sha256.New()
	err = get(ctx, l.Archive, local, maxArchive, io.MultiWriter(f, hash))
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("the download failed: %w", err)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); l.SHA256 != "" && got != l.SHA256 {
		return fmt.Errorf("the archive was deleted because its SHA-256 is %s instead of %s, as in the registry", got, l.SHA256)
	}
	return nil
}

// makeExecutable makes the program executable. It may be a symbolic link within the
// folder.
func makeExecutable(folder, command string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	info, err := root.Stat(command)
	if err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("the archive does not contain the program %q", command)
	}
	return root.Chmod(command, info.Mode().Perm()|0o700)
}

// replace moves a folder to place. An existing folder there is moved to old.
func replace(folder, place, old string) error {
	err := os.Rename(place, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	was := err == nil
	err = os.Rename(folder, place)
	if err != nil && was {
		return errors.Join(err, os.Rename(old, place))
	}
	return err
}

// Installed reports whether the version's folder exists.
func (p Place) Installed() bool {
	_, err := os.Lstat(p.Folder())
	return err == nil
}

// Remove deletes the version's folder, and the agent's folder if it is then empty.
func (p Place) Remove() error {
	if err := os.RemoveAll(p.Folder()); err != nil {
		return err
	}
	_ = os.Remove(filepath.Dir(p.Folder())) // fails if there are other versions
	return nil
}

// RemoveAll deletes all versions of the agent except those in keep.
func (p Place) RemoveAll(keep ...string) error {
	above := filepath.Join(p.Data, p.ID)
	entries, err := os.ReadDir(above)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !slices.Contains(keep, e.Name()) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(above, e.Name())))
		}
	}
	_ = os.Remove(above) // fails if a version was kept
	return err
}
