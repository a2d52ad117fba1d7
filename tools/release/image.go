package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func (p platform) image(version string) string { return p.stem(version) + ".oci.tar" }

// A descriptor names a blob of an image.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// writeImage writes a container image with the program and its licences, and
// nothing else: an OCI image layout in a tar file, which docker load and podman
// load read.
func writeImage(p platform, version, commit string, files []file, when time.Time, dir string) error {
	inside := pick(files, p.binary(), "LICENSE", "THIRD-PARTY-LICENSES")
	slices.SortFunc(inside, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var content bytes.Buffer
	if err := writeTar(&content, inside, when); err != nil {
		return err
	}
	layer, err := zipped(content.Bytes())
	if err != nil {
		return err
	}
	var layout []file
	blob := func(kind string, data []byte) descriptor {
		digest := fmt.Sprintf("%x", sha256.Sum256(data))
		layout = append(layout, file{"blobs/sha256/" + digest, 0o644, data})
		return descriptor{MediaType: "application/vnd.oci.image." + kind, Digest: "sha256:" + digest, Size: len(data)}
	}
	layers := []descriptor{blob("layer.v1.tar+gzip", layer)}
	config, err := json.Marshal(map[string]any{
		"architecture": p.arch, "os": p.os, "created": when.Format(time.RFC3339),
		"config": map[string]any{
			"Entrypoint": []string{"/turnwire"},
			"Labels": map[string]string{
				"org.opencontainers.image.licenses": "Apache-2.0", "org.opencontainers.image.revision": commit,
				"org.opencontainers.image.source": repositoryURL, "org.opencontainers.image.version": version,
			},
		},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(content.Bytes()))}},
	})
	if err != nil {
		return err
	}
	manifest, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
		"config": blob("config.v1+json", config), "layers": layers,
	})
	if err != nil {
		return err
	}
	named := blob("manifest.v1+json", manifest)
	named.Annotations = map[string]string{"org.opencontainers.image.ref.name": version, "io.containerd.image.name": "turnwire:" + version}
	index, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": []descriptor{named},
	})
	if err != nil {
		return err
	}
	layout = append(layout, file{"index.json", 0o644, index}, file{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)})
	var out bytes.Buffer
	if err := writeTar(&out, layout, when); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, p.image(version)), out.Bytes(), 0o644)
}
