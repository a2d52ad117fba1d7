package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

const repositoryURL = "https://github.com/turnwire/turnwire"

// entryName is the file for the registry of ACP agents; in the source it is in
// editors/registry.
const entryName = "agent.json"

// An entry is an agent in the registry of ACP agents.
type entry struct {
	ID           string       `json:"id"`
	Name         string       `json:"name"`
	Version      string       `json:"version"`
	Description  string       `json:"description"`
	Repository   string       `json:"repository"`
	Authors      []string     `json:"authors"`
	License      string       `json:"license"`
	Icon         string       `json:"icon"`
	Distribution distribution `json:"distribution"`
}

type distribution struct {
	Binary map[string]target `json:"binary"`
}

// A target says where to download the agent for one platform, and how to start
// it.
type target struct {
	Archive string   `json:"archive"`
	Cmd     string   `json:"cmd"`
	Args    []string `json:"args"`
}

func newEntry(version string, list []platform) entry {
	e := entry{
		ID:           "turnwire",
		Name:         "Turnwire",
		Version:      version,
		Description:  "Any agent that streams events: Ethos, Agentao, Awaken, Glue, AgentB, or a script of your own",
		Repository:   repositoryURL,
		Authors:      []string{"The Turnwire authors"},
		License:      "Apache-2.0",
		Icon:         "./icon.svg",
		Distribution: distribution{Binary: map[string]target{}},
	}
	for _, p := range list {
		e.Distribution.Binary[p.registry] = target{
			Archive: repositoryURL + "/releases/download/v" + version + "/" + p.archive(version),
			Cmd:     "./" + p.binary(),
			Args:    []string{"acp"},
		}
	}
	return e
}

func (e entry) text() ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(e)
	return text.Bytes(), err
}

// writeEntry writes the entry of a complete release. The registry accepts
// nothing else: it requires a version of three numbers, and archives for every
// system.
func writeEntry(s *source, list []platform, dir string) error {
	if !s.tagged || len(list) < len(platforms) {
		return nil
	}
	text, err := newEntry(s.version, list).text()
	if err != nil {
		return err
	}
	kept, err := os.ReadFile(filepath.Join(s.dir, "editors", "registry", entryName))
	if err != nil {
		return err
	}
	if !bytes.Equal(kept, text) {
		return errors.New("editors/registry/agent.json is not that of this release: run go test ./... -update in tools/release, and commit")
	}
	return os.WriteFile(filepath.Join(dir, entryName), text, 0o644)
}
