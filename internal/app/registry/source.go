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

// Official is the URL of the official ACP registry.
const Official = "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json"

const (
	// maxRegistry is the maximum size of a registry, in bytes.
	maxRegistry = 16 << 20
	// fresh is how long a cached copy is used without asking again.
	fresh = time.Hour
	// registryTimeout limits the download of a registry.
	registryTimeout = 30 * time.Second
)

// A Source is the location of a registry.
type Source struct {
	From    string // a URL, or the path of a file
	Cache   string // the folder for cached copies
	Refresh bool   // use a cached copy only if the URL fails
}

// IsURL reports whether the source is a URL rather than a file.
func (s Source) IsURL() bool { return strings.Contains(s.From, "://") }

// IsLocal reports whether the source is on this machine. Only such a registry may refer
// to archives on this machine.
func (s Source) IsLocal() bool { return !s.IsURL() || isLoopback(s.From) }

// Load reads the registry. If the URL fails, Load uses the last cached copy and says so
// in notice.
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
		return copied, fmt.Sprintf("using a copy of the registry from %s ago: %v", max(age, 0).Round(time.Minute), err), nil
	}
	return nil, "", err
}

// Cached returns the cached copy of the registry, whatever its age, or the content of its
// file. It contacts no server.
func (s Source) Cached() (*Registry, error) {
	if !s.IsURL() {
		r, _, err := s.Load(context.Background())
		return r, err
	}
	r, _, err := s.copied()
	return r, err
}

// path returns the path of the cached copy.
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

// download reads the registry from its URL. A failure to cache it is not an error,
// because the next call downloads it again.
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
