package relay

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/internal/atomicfile"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol/rawmsg"
)

// maxKnown bounds an answer that is kept.
const maxKnown = 256 << 10

// recall is what this agent has answered to the same "initialize" the last time,
// or nil. The lock is held.
func (r *relay) recall() []byte {
	path := r.cachePath()
	if path == "" {
		return nil
	}
	kept, err := atomicfile.Read(path, maxKnown)
	if err != nil {
		return nil
	}
	if version, _, _ := rawmsg.Member(kept, "protocolVersion"); version == nil || rawjson.Depth(kept) > 64 {
		return nil
	}
	return kept
}

// remember keeps what the agent has answered. The lock is held.
func (r *relay) remember(result []byte) {
	path := r.cachePath()
	if path == "" || len(result) > maxKnown {
		return
	}
	if kept := r.recall(); string(kept) == string(result) {
		return
	}
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = atomicfile.Write(path, result)
	}
	if err != nil {
		r.log.Debug("what the agent can do is not kept", "error", err)
	}
}

// program tells the agent's command, and one version of it, from others. It is
// nil where the command is not there.
func (r *relay) program() []string {
	program, err := exec.LookPath(r.cfg.Agent.Args[0])
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
	return []string{strings.Join(r.cfg.Agent.Args, "\x00"), program, info.ModTime().UTC().String()}
}

// cachePath names the file for this agent: another version of its program, and
// another question, have another one. It is "" where nothing is kept.
func (r *relay) cachePath() string {
	if r.cfg.Cache == "" {
		return ""
	}
	parts := []string{r.cfg.Agent.URL}
	if r.cfg.Agent.URL == "" {
		parts = r.program()
	}
	if parts == nil {
		return ""
	}
	h := sha256.New()
	for _, part := range append(parts, string(r.hello)) {
		h.Write([]byte(part))
		h.Write([]byte{0xff})
	}
	return filepath.Join(r.cfg.Cache, "initialize", hex.EncodeToString(h.Sum(nil)[:16])+".json")
}
