package setup

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// neovimScript is the file that we write, with AGENTS as a placeholder. The settings of
// Neovim's plugins are programs, which can't be merged. So the script is a separate file,
// which Neovim runs at startup, after the user's own.
//
//go:embed neovim.lua
var neovimScript string

// neovimFile is the script's name in the plugin folder of Neovim's configuration.
const neovimFile = "turnwire_agents.lua"

var neovim = Editor{
	Name:  "neovim",
	Title: "Neovim",
	Start: "Restart Neovim. With our plugin, :Turnwire opens “%s”. It is also an adapter of CodeCompanion and a provider of avante (:AvanteSwitchProvider).",
	empty: neovimFormat{},
	files: func(m Machine) []File {
		config, data := neovimFolders(m)
		return []File{{
			Title:  "Neovim",
			Path:   filepath.Join(config, "plugin", neovimFile),
			Found:  exists(config) || m.hasProgram("nvim"),
			Notes:  neovimNotes(m, config, data),
			format: neovimFormat{},
		}}
	},
}

// A neovimAgent is an agent in the file.
type neovimAgent struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// neovimFormat is a file that contains only our text. Our plugin runs the first agent in
// it, which is the one set up last.
type neovimFormat struct{}

func (f neovimFormat) add(text []byte, a Agent) ([]byte, error) {
	agents, err := f.agents(text)
	if err != nil {
		return nil, err
	}
	agents = slices.DeleteFunc(agents, func(b Agent) bool { return b.Name == a.Name })
	return f.write(slices.Insert(agents, 0, a))
}

func (f neovimFormat) drop(text []byte, name string) ([]byte, error) {
	agents, err := f.agents(text)
	if err != nil {
		return nil, err
	}
	agents = slices.DeleteFunc(agents, func(b Agent) bool { return b.Name == name })
	if len(agents) == 0 {
		return nil, nil
	}
	return f.write(agents)
}

func (neovimFormat) write(agents []Agent) ([]byte, error) {
	var lines []string
	id := ids(agents)
	for i, a := range agents {
		var line bytes.Buffer
		out := json.NewEncoder(&line)
		out.SetEscapeHTML(false)
		if err := out.Encode(neovimAgent{id[i], a.Name, a.Command, append([]string{}, a.Args...)}); err != nil {
			return nil, err
		}
		// Nothing in the list may end the Lua string that contains it. An end loses its
		// last bracket, because two ends may share one.
		lines = append(lines, strings.ReplaceAll(strings.TrimSpace(line.String()), "]==", `]=\u003d`))
	}
	before, after, _ := strings.Cut(neovimScript, "AGENTS")
	return []byte(before + "[\n  " + strings.Join(lines, ",\n  ") + "\n]" + after), nil
}

var errNotOurs = errors.New(`this file was not written by "turnwire setup": rename it`)

func (neovimFormat) agents(text []byte) ([]Agent, error) {
	if text == nil {
		return nil, nil
	}
	// A file with an older version of the script is ours too.
	_, list, found := strings.Cut(string(text), "vim.json.decode([==[")
	list, _, closed := strings.Cut(list, "]==]")
	if !found || !closed {
		return nil, errNotOurs
	}
	var entries []neovimAgent
	if err := exactjson.Unmarshal([]byte(list), &entries); err != nil {
		return nil, fmt.Errorf("its agent list cannot be read: %w", err)
	}
	var agents []Agent
	for _, e := range entries {
		agents = append(agents, Agent{e.Name, e.Command, e.Args})
	}
	return agents, nil
}

// isOurs implements [owner].
func (f neovimFormat) isOurs(text []byte) bool {
	agents, err := f.agents(text)
	if err != nil || len(agents) == 0 {
		return false
	}
	written, err := f.write(agents)
	return err == nil && bytes.Equal(written, text)
}
