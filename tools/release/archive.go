package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// A file is a file of an archive, or a folder if its mode says so.
type file struct {
	name string // with slashes; that of a folder ends with one
	mode fs.FileMode
	data []byte
}

// writeArchive writes a zip or a compressed tar file, depending on its name. It
// sets order, times, owners and modes itself, because those of the file system
// differ from machine to machine.
func writeArchive(path string, files []file, when time.Time) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	files = slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
	if strings.HasSuffix(path, ".zip") {
		return writeZip(f, files, when)
	}
	return writeCompressedTar(f, files, when)
}

func writeCompressedTar(w io.Writer, files []file, when time.Time) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	return errors.Join(writeTar(compressed, files, when), compressed.Close())
}

func writeTar(w io.Writer, files []file, when time.Time) error {
	t := tar.NewWriter(w)
	for _, f := range files {
		header := &tar.Header{
			Typeflag: tar.TypeReg,
			Name:     f.name,
			Mode:     int64(f.mode.Perm()),
			Size:     int64(len(f.data)),
			ModTime:  when,
			Format:   tar.FormatUSTAR,
		}
		if f.mode.IsDir() {
			header.Typeflag = tar.TypeDir
		}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	return t.Close()
}

// zipped compresses data, always to the same bytes.
func zipped(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

func writeZip(w io.Writer, files []file, when time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: when.UTC()}
		header.SetMode(f.mode)
		entry, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := entry.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}
