package main

import (
	"archive/tar"
	"errors"
	"io/fs"
	"os"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// writeImage writes a container image that contains only the files of a layer,
// layer_ARCH.tar.gz. The image is an OCI image layout in a tar file, which docker load
// and podman load accept. GoReleaser's images need a registry or a daemon, and a base
// image.
func (c commit) writeImage(file string) error {
	arch := strings.TrimSuffix(strings.TrimPrefix(file, "layer_"), ".tar.gz")
	layer, err := tarball.LayerFromFile(file, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	if image, err = mutate.Append(image, mutate.Addendum{Layer: layer, MediaType: types.OCILayer}); err != nil {
		return err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created, config.History = "linux", arch, v1.Time{Time: c.time}, nil
	config.Config = v1.Config{
		Entrypoint: []string{"/turnwire"},
		Labels: map[string]string{
			"org.opencontainers.image.licenses": "Apache-2.0", "org.opencontainers.image.revision": c.hash,
			"org.opencontainers.image.source": repository, "org.opencontainers.image.version": c.version,
		},
	}
	if image, err = mutate.ConfigFile(image, config); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "turnwire-image-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	names := layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": c.version, "io.containerd.image.name": "turnwire:" + c.version,
	})
	if err := path.AppendImage(image, names); err != nil {
		return err
	}
	return c.writeTar("turnwire_"+c.version+"_linux_"+arch+".oci.tar", os.DirFS(dir))
}

// writeTar writes the files of a folder as a tar file, with the time of the commit.
func (c commit) writeTar(name string, folder fs.FS) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	t := tar.NewWriter(f)
	defer func() { err = errors.Join(err, t.Close(), f.Close()) }()
	return fs.WalkDir(folder, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folder, path)
		if err != nil {
			return err
		}
		if err := t.WriteHeader(&tar.Header{Name: path, Mode: 0o644, Size: int64(len(data)), ModTime: c.time, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		_, err = t.Write(data)
		return err
	})
}
