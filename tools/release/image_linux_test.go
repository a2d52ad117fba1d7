package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheImageHoldsTheProgram(t *testing.T) {
	data, err := os.ReadFile(fileOf(t, here().image))
	require.NoError(t, err)
	blobs := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		blobs[h.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	require.JSONEq(t, `{"imageLayoutVersion":"1.0.0"}`, string(blobs["oci-layout"]))
	get := func(d descriptor, into any) []byte {
		algorithm, digest, _ := strings.Cut(d.Digest, ":")
		blob := blobs["blobs/"+algorithm+"/"+digest]
		require.Len(t, blob, d.Size)
		require.Equal(t, digest, fmt.Sprintf("%x", sha256.Sum256(blob)))
		if into != nil {
			require.NoError(t, json.Unmarshal(blob, into))
		}
		return blob
	}
	var index struct{ Manifests []descriptor }
	require.NoError(t, json.Unmarshal(blobs["index.json"], &index))
	require.Len(t, index.Manifests, 1)
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	get(index.Manifests[0], &manifest)
	var config struct {
		Architecture, OS string
		Config           struct{ Entrypoint []string }
		RootFS           struct {
			DiffIDs []string `json:"diff_ids"`
		}
	}
	get(manifest.Config, &config)
	require.Equal(t, here().String(), config.OS+"/"+config.Architecture)
	require.Len(t, manifest.Layers, 1)
	compressed, err := gzip.NewReader(bytes.NewReader(get(manifest.Layers[0], nil)))
	require.NoError(t, err)
	layer, err := io.ReadAll(compressed)
	require.NoError(t, err)
	require.Equal(t, []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}, config.RootFS.DiffIDs)
	root := t.TempDir()
	for r := tar.NewReader(bytes.NewReader(layer)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		inside, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(root, h.Name), inside, h.FileInfo().Mode()))
	}
	said, err := output(t.Context(), root, []string{"PATH="}, filepath.Join(root, config.Config.Entrypoint[0]), "version")
	require.NoError(t, err)
	require.Contains(t, said, "turnwire ")
	require.FileExists(t, filepath.Join(root, "THIRD-PARTY-LICENSES"))
}
