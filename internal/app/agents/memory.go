package agents

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/transport/process"
	"github.com/turnwire/turnwire/internal/atomicfile"
	"github.com/turnwire/turnwire/internal/exactjson"
)

const (
	// maxMemory bounds the file of what agents have said of themselves.
	maxMemory = 1 << 20
	// maxRemembered bounds the commands in it.
	maxRemembered = 256
)

// memory is what one command has said of itself, in a file of the user's cache.
// The file has hashes of commands, because their arguments may be secret.
type memory struct {
	path string // "" where there is no cache
	key  string
	log  func() *slog.Logger

	mu    sync.Mutex
	known *process.Introduction
	read  bool
}

// remembered is what the file says of a command.
type remembered struct {
	Said    bool                     `json:"said"`
	Brief   bool                     `json:"brief,omitempty"`
	Name    string                   `json:"name,omitempty"`
	Version string                   `json:"version,omitempty"`
	Image   bool                     `json:"image,omitempty"`
	Audio   bool                     `json:"audio,omitempty"`
	MCP     *agent.MCPTakes          `json:"mcp,omitempty"`
	System  *agent.SystemPromptTakes `json:"systemPrompt,omitempty"`
	Resume  bool                     `json:"resume,omitempty"`
	History bool                     `json:"history,omitempty"`
	Seen    time.Time                `json:"seen"`
}

// Remembering returns the memory of a command. A command whose files have
// changed is another one.
func Remembering(args []string) process.Memory {
	m := &memory{key: keyOf(args), log: slog.Default}
	if dir, err := os.UserCacheDir(); err == nil {
		m.path = filepath.Join(dir, "turnwire", "agents.json")
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
	all, err := m.load()
	if err != nil {
		return nil
	}
	if r, ok := all[m.key]; ok {
		m.known = &process.Introduction{
			Said: r.Said, Brief: r.Brief, Name: r.Name, Version: r.Version, Resume: r.Resume, History: r.History,
			Takes: agent.Takes{PromptTakes: agent.PromptTakes{Image: r.Image, Audio: r.Audio}, MCP: r.MCP, System: r.System},
		}
	}
	return m.known
}

// Remember implements [process.Memory]. What cannot be kept is said again the
// next time, so an error is only logged.
func (m *memory) Remember(i process.Introduction) {
	known := m.Recall()
	m.mu.Lock()
	defer m.mu.Unlock()
	if known != nil && same(*known, i) || m.path == "" {
		return
	}
	m.known = &i
	if err := m.save(i); err != nil {
		m.log().Debug("what the agent says of itself is not remembered", "error", err)
	}
}

func same(a, b process.Introduction) bool {
	mcp, system := alike(a.Takes.MCP, b.Takes.MCP), alike(a.Takes.System, b.Takes.System)
	a.Takes.MCP, b.Takes.MCP, a.Takes.System, b.Takes.System = nil, nil, nil, nil
	return mcp && system && a == b
}

func alike[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func (m *memory) load() (map[string]remembered, error) {
	all := make(map[string]remembered)
	if m.path == "" {
		return all, nil
	}
	text, err := atomicfile.Read(m.path, maxMemory)
	if errors.Is(err, os.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	if !readMemory(text, &all) {
		return make(map[string]remembered), nil // it is only a cache, and written anew
	}
	return all, nil
}

// readMemory reports whether text is what was saved.
func readMemory(text []byte, all *map[string]remembered) bool {
	return exactjson.Unmarshal(text, all) == nil && *all != nil
}

func (m *memory) save(i process.Introduction) error {
	all, err := m.load()
	if err != nil {
		return err
	}
	all[m.key] = remembered{
		Said: i.Said, Brief: i.Brief, Name: i.Name, Version: i.Version, Resume: i.Resume, History: i.History,
		Image: i.Takes.Image, Audio: i.Takes.Audio, MCP: i.Takes.MCP, System: i.Takes.System, Seen: time.Now().UTC().Truncate(time.Second),
	}
	keys := slices.SortedFunc(maps.Keys(all), func(a, b string) int { return cmp.Or(all[b].Seen.Compare(all[a].Seen), cmp.Compare(a, b)) })
	for _, old := range keys[min(len(keys), maxRemembered):] {
		delete(all, old)
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(m.path, append(text, '\n'))
}
