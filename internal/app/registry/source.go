package registry

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/atomicfile"
)

// Official is where the registry of the protocol's makers is.
const Official = "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json"

const (
	// maxRegistry bounds a registry, in bytes.
	maxRegistry = 16 << 20
	// fresh is how long a copy is used without asking again.
	fresh = time.Hour
	// registryTimeout bounds the download of a registry.
	registryTimeout = 30 * time.Second
)

// A Source is where a registry is read from.
type Source struct {
	From    string // a URL, or the path of a file
	Cache   string // the folder for copies of what URLs give
	Refresh bool   // do not use a copy as long as the URL answers
}

// IsURL reports whether the source is a URL, and not a file.
func (s Source) IsURL() bool { return strings.Contains(s.From, "://") }

// IsLocal reports whether the source is on this machine. Only such a registry
// may name archives that are on this machine too.
func (s Source) IsLocal() bool { return !s.IsURL() || isLoopback(s.From) }

// Load reads the registry. If a URL does not give one, Load uses the last copy
// of it, and notice says so.
func (s Source) Load(ctx context.Context) (r *Registry, notice string, err error) {
	if !s.IsURL() {
		text, err := atomicfile.Read(s.From, maxRegistry)
		if err != nil {
			return nil, "", fmt.Errorf("the registry cannot be read: %w", err)
		}
		r, err := Parse(text)
		return r, "", err
	}
	copied, age, copyErr := s.copied()
	if copyErr == nil && !s.Refresh && age >= 0 && age < fresh {
		return copied, "", nil
	}
	if r, err = s.download(ctx); err == nil {
		return r, "", nil
	}
	if copyErr == nil && ctx.Err() == nil {
		return copied, fmt.Sprintf("this is the registry as it was %s ago: %v", max(age, 0).Round(time.Minute), err), nil
	}
	return nil, "", err
}

// Cached returns the copy of the registry, of any age, or what is in its file.
// It asks no server.
func (s Source) Cached() (*Registry, error) {
	if !s.IsURL() {
		r, _, err := s.Load(context.Background())
		return r, err
	}
	r, _, err := s.copied()
	return r, err
}

// path is where the copy is.
func (s Source) path() string {
	h := sha256.Sum256([]byte(s.From))
	return filepath.Join(s.Cache, hex.EncodeToString(h[:8])+".json")
}

func (s Source) copied() (*Registry, time.Duration, error) {
	info, err := os.Stat(s.path())
	if err != nil {
		return nil, 0, err
	}
	text, err := atomicfile.Read(s.path(), maxRegistry)
	if err != nil {
		return nil, 0, err
	}
	r, err := Parse(text)
	return r, time.Since(info.ModTime()), err
}

// download reads the registry from its URL. A copy that cannot be kept is no
// error: the next one asks again.
func (s Source) download(ctx context.Context) (*Registry, error) {
	ctx, cancel := context.WithTimeout(ctx, registryTimeout)
	defer cancel()
	var text bytes.Buffer
	if err := get(ctx, s.From, s.IsLocal(), maxRegistry, &text); err != nil {
		return nil, fmt.Errorf("the registry cannot be read: %w", err)
	}
	r, err := Parse(text.Bytes())
	if err != nil {
		return nil, err
	}
	_ = errors.Join(os.MkdirAll(s.Cache, 0o700), atomicfile.Write(s.path(), text.Bytes()))
	return r, nil
}
