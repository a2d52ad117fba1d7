package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/atomicfile"
	"github.com/turnwire/turnwire/internal/exactjson"
)

const (
	// maxMemory is the maximum size of a memory file, in bytes.
	maxMemory = 1 << 16
	// maxRemembered limits the number of files. A rebuilt command gets a new one.
	maxRemembered = 256
)

// memory stores one command's description of itself in a file of the user's cache. The
// file contains nothing about other commands, because an editor waits while it is read.
// Its name is a hash of the command, because arguments may be secret.
type memory struct {
	path string // "" if there is no cache
	log  func() *slog.Logger

	mu    sync.Mutex
	known *process.Introduction
	read  bool
}

// remembered is the content of the file.
type remembered struct {
	Known   bool                     `json:"said"`
	Brief   bool                     `json:"brief,omitempty"`
	Name    string                   `json:"name,omitempty"`
	Version string                   `json:"version,omitempty"`
	Image   bool                     `json:"image,omitempty"`
	Audio   bool                     `json:"audio,omitempty"`
	MCP     *agent.MCPTakes          `json:"mcp,omitempty"`
	System  *agent.SystemPromptTakes `json:"systemPrompt,omitempty"`
	Steer   *agent.PromptTakes       `json:"steer,omitempty"`
	Resume  bool                     `json:"resume,omitempty"`
	History bool                     `json:"history,omitempty"`
}

// Remembering returns the memory of a command. If the command's files change, it counts
// as another command.
func Remembering(args []string) process.Memory {
	m := &memory{log: slog.Default}
	if dir, err := os.UserCacheDir(); err == nil {
		m.path = filepath.Join(dir, "turnwire", "agents", keyOf(args)+".json")
	}
	return m
}

func keyOf(args []string) string {
	h := sha256.New()
	for i, arg := range args {
		fmt.Fprintf(h, "%d:%s", len(arg), arg)
		path := arg
		if i == 0 {
			if found, err := exec.LookPath(arg); err == nil {
				path = found
			}
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			fmt.Fprintf(h, "@%d,%d", info.Size(), info.ModTime().UnixNano())
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Recall implements [process.Memory].
func (m *memory) Recall() *process.Introduction {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.read {
		return m.known
	}
	m.read = true
	if m.path == "" {
		return nil
	}
	text, err := atomicfile.Read(m.path, maxMemory)
	if err != nil {
		return nil
	}
	var r *remembered
	if exactjson.Unmarshal(text, &r) != nil || r == nil {
		return nil // it is only a cache, and will be overwritten
	}
	m.known = &process.Introduction{
		Known: r.Known, Brief: r.Brief, Name: r.Name, Version: r.Version, Resume: r.Resume, History: r.History,
		Takes: agent.Takes{PromptTakes: agent.PromptTakes{Image: r.Image, Audio: r.Audio}, MCP: r.MCP, System: r.System, Steer: r.Steer},
	}
	return m.known
}

// Remember implements [process.Memory]. A failed write is only logged, because the
// command describes itself again the next time.
func (m *memory) Remember(i process.Introduction) {
	known := m.Recall()
	m.mu.Lock()
	defer m.mu.Unlock()
	if known != nil && same(*known, i) || m.path == "" {
		return
	}
	m.known = &i
	if err := m.save(i); err != nil {
		m.log().Debug("the agent's introduction was not saved", "error", err)
	}
}

func same(a, b process.Introduction) bool {
	pointers := alike(a.Takes.MCP, b.Takes.MCP) && alike(a.Takes.System, b.Takes.System) && alike(a.Takes.Steer, b.Takes.Steer)
	for _, t := range []*agent.Takes{&a.Takes, &b.Takes} {
		t.MCP, t.System, t.Steer = nil, nil, nil
	}
	return pointers && a == b
}

func alike[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func (m *memory) save(i process.Introduction) error {
	text, err := json.Marshal(remembered{
		Known: i.Known, Brief: i.Brief, Name: i.Name, Version: i.Version, Resume: i.Resume, History: i.History,
		Image: i.Takes.Image, Audio: i.Takes.Audio, MCP: i.Takes.MCP, System: i.Takes.System, Steer: i.Takes.Steer,
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o755); err != nil {
		return err
	}
	if err := atomicfile.Write(m.path, append(text, '\n')); err != nil {
		return err
	}
	return m.forget()
}

// forget removes the oldest files if there are too many. Other processes may remove them
// at the same time.
func (m *memory) forget() error {
	folder := filepath.Dir(m.path)
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) <= maxRemembered {
		return err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Name() != filepath.Base(m.path) {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, old := range files[min(len(files), maxRemembered-1):] {
		if err := os.Remove(filepath.Join(folder, old.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
