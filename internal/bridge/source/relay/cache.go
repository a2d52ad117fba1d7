package relay

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/internal/atomicfile"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxKnown bounds a cached response, in bytes.
const maxKnown = 256 << 10

// A cache stores an agent's initialize responses, so that its capabilities are known
// before it has started.
type cache struct {
	folder string // "" disables the cache
	agent  *Agent
	log    *slog.Logger
}

// recall returns the agent's last response to the same params, or nil.
func (c *cache) recall(initialize []byte) []byte {
	path := c.path(initialize)
	if path == "" {
		return nil
	}
	cached, err := atomicfile.Read(path, maxKnown)
	if err != nil {
		return nil
	}
	if version, _, _ := rawmsg.Member(cached, "protocolVersion"); version == nil || rawjson.Depth(cached) > 64 {
		return nil
	}
	return cached
}

// remember stores the agent's response to params.
func (c *cache) remember(initialize, result []byte) {
	path := c.path(initialize)
	if path == "" || len(result) > maxKnown {
		return
	}
	if cached := c.recall(initialize); string(cached) == string(result) {
		return
	}
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = atomicfile.Write(path, result)
	}
	if err != nil {
		c.log.Debug("the agent's capabilities were not cached", "error", err)
	}
}

// program identifies the agent's command and its version. It returns nil if the command
// is not found.
func (a *Agent) program() []string {
	program, err := exec.LookPath(a.Args[0])
	if err != nil {
		return nil
	}
	if program, err = filepath.EvalSymlinks(program); err != nil {
		return nil
	}
	info, err := os.Stat(program)
	if err != nil {
		return nil
	}
	return []string{strings.Join(a.Args, "\x00"), program, info.ModTime().UTC().String()}
}

// path returns the file name for a response. It differs for each version of the agent's
// program and for each set of params. It returns "" if nothing is cached.
func (c *cache) path(initialize []byte) string {
	if c.folder == "" {
		return ""
	}
	parts := []string{c.agent.URL}
	if c.agent.URL == "" {
		parts = c.agent.program()
	}
	if parts == nil {
		return ""
	}
	h := sha256.New()
	for _, part := range append(parts, string(initialize)) {
		h.Write([]byte(part))
		h.Write([]byte{0xff})
	}
	return filepath.Join(c.folder, "initialize", hex.EncodeToString(h.Sum(nil)[:16])+".json")
}
