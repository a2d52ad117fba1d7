package registry

import (
	"archive/tar"
	"archive/zip"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/internal/visible"
)

// The limits for the content of an archive.
var (
	maxUnpacked int64 = 4 << 30 // bytes of all files
	maxFiles          = 200_000
)

const maxTarget = 1024 // maximum length of a link's target, in bytes

// The kinds of archives.
const (
	kindZip     = "zip"
	kindGzip    = "tar.gz"
	kindBzip2   = "tar.bz2"
	kindProgram = "program" // not an archive, but the program itself
)

// kindOf returns the kind of an archive from its file extension.
func kindOf(name string) (string, error) {
	name = strings.ToLower(path.Base(name))
	for _, k := range []struct{ suffix, kind string }{
		{".zip", kindZip},
		{".tar.gz", kindGzip},
		{".tgz", kindGzip},
		{".tar.bz2", kindBzip2},
		{".tbz2", kindBzip2},
	} {
		if strings.HasSuffix(name, k.suffix) {
			return k.kind, nil
		}
	}
	for _, suffix := range []string{".tar", ".xz", ".txz", ".zst", ".7z", ".rar", ".gz", ".bz2", ".dmg", ".pkg", ".msi", ".deb", ".rpm"} {
		if strings.HasSuffix(name, suffix) {
			return "", fmt.Errorf("unsupported archive type %s", suffix)
		}
	}
	return kindProgram, nil
}

// unpack extracts an archive into a folder. A program without an archive gets the given
// name.
func unpack(ctx context.Context, archive, kind, folder, program string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	u := unpacker{ctx: ctx, root: root, room: maxUnpacked}
	switch kind {
	case kindZip:
		err = u.zip(f)
	case kindGzip:
		var plain *gzip.Reader
		if plain, err = gzip.NewReader(f); err == nil {
			err = u.tar(plain)
		}
	case kindBzip2:
		err = u.tar(bzip2.NewReader(f))
	default:
		err = u.file(program, 0o700, f)
	}
	if err == nil {
		err = u.makeLinks()
	}
	return errors.Join(err, root.Close())
}

// An unpacker writes files through an os.Root, which no path or link can leave.
type unpacker struct {
	ctx   context.Context
	root  *os.Root
	room  int64
	files int
	links []link
}

// A link is created after all files, so nothing is written through it.
type link struct{ name, target string }

func (u *unpacker) tar(in io.Reader) error {
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch h.Typeflag {
		case tar.TypeReg:
			err = u.file(h.Name, h.FileInfo().Mode(), r)
		case tar.TypeDir:
			err = u.folder(h.Name)
		case tar.TypeSymlink:
			err = u.link(h.Name, h.Linkname)
		case tar.TypeXGlobalHeader:
		default:
			err = fmt.Errorf("%s is neither a file nor a folder", shown(h.Name))
		}
		if err != nil {
			return err
		}
	}
}

func (u *unpacker) zip(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	r, err := zip.NewReader(f, info.Size())
	if err != nil {
		return err
	}
	for _, file := range r.File {
		if err := u.zipped(file); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacker) zipped(file *zip.File) error {
	mode := file.Mode()
	if mode.IsDir() {
		return u.folder(file.Name)
	}
	in, err := file.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", shown(file.Name), err)
	}
	defer func() { _ = in.Close() }()
	switch {
	case mode.IsRegular():
		return u.file(file.Name, mode, in)
	case mode.Type() == fs.ModeSymlink:
		target, err := io.ReadAll(io.LimitReader(in, maxTarget+1))
		if err != nil {
			return err
		}
		return u.link(file.Name, string(target))
	}
	return fmt.Errorf("%s is neither a file nor a folder", shown(file.Name))
}

// place returns the path for a member, and creates its parent folders.
func (u *unpacker) place(name string) (string, error) {
	if err := u.ctx.Err(); err != nil {
		return "", err
	}
	if u.files++; u.files > maxFiles {
		return "", fmt.Errorf("it has more than %d files", maxFiles)
	}
	clean := path.Clean(name)
	local := filepath.FromSlash(clean)
	if isHiding(name) || strings.ContainsAny(name, `\`) || path.IsAbs(name) || !filepath.IsLocal(local) {
		return "", fmt.Errorf("%s is a path outside the archive", shown(name))
	}
	return local, u.root.MkdirAll(filepath.Dir(local), 0o755)
}

func (u *unpacker) folder(name string) error {
	local, err := u.place(name)
	if err != nil {
		return err
	}
	return u.root.MkdirAll(local, 0o755)
}

func (u *unpacker) file(name string, mode fs.FileMode, in io.Reader) error {
	local, err := u.place(name)
	if err != nil {
		return err
	}
	// Others may not write the file, and special mode bits are dropped.
	out, err := u.root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm()&0o755|0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(in, u.room+1))
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("%s: %w", shown(name), err)
	}
	if u.room -= n; u.room < 0 {
		return fmt.Errorf("its files are larger than %d bytes in total", maxUnpacked)
	}
	return nil
}

func (u *unpacker) link(name, target string) error {
	local, err := u.place(name)
	if err != nil {
		return err
	}
	if len(target) > maxTarget || isHiding(target) {
		return fmt.Errorf("the link %s is invalid", shown(name))
	}
	u.links = append(u.links, link{local, target})
	return nil
}

// makeLinks creates the links. It refuses links that lead outside the folder or to
// nothing.
func (u *unpacker) makeLinks() error {
	for _, l := range u.links {
		if err := u.root.Symlink(filepath.FromSlash(l.target), l.name); err != nil {
			return err
		}
	}
	for _, l := range u.links {
		if _, err := u.root.Stat(l.name); err != nil {
			return fmt.Errorf("the link %s leads outside the archive, or nowhere", shown(filepath.ToSlash(l.name)))
		}
	}
	return nil
}

// shown formats a name for error messages.
func shown(name string) string { return fmt.Sprintf("%.200q", visible.Text(name)) }

// isHiding reports whether a text contains invisible characters or line breaks.
func isHiding(s string) bool {
	return visible.Text(s) != s || strings.ContainsAny(s, "\n\t")
}
