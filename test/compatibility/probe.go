package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"

	"github.com/turnwire/turnwire/test/compatibility/internal/model"
)

// A task is what a probe does.
type task struct {
	Command []string          `json:"command"`
	Folder  string            `json:"folder"`
	Home    string            `json:"home"`
	Log     string            `json:"log"`
	Login   string            `json:"login,omitempty"`
	Mode    string            `json:"mode,omitempty"`
	Pause   float64           `json:"pause"`
	Seconds float64           `json:"seconds"`
	Image   string            `json:"image"`
	Words   map[string]string `json:"words"`
	Says    map[string]string `json:"says"`
}

// run drives the agent with the official TypeScript SDK.
func (a agent) run(ctx context.Context, l *lab, name string, cells map[string]cell) error {
	folder := l.folder("programs", "sdk-typescript")
	if _, err := sdkTypeScript.run(ctx, l, folder); err != nil {
		return fmt.Errorf("the client can't be installed: %w", err)
	}
	if err := l.probe(ctx, a, name, "node", filepath.Join(folder, "probe.mjs"), cells); err != nil {
		return err
	}
	a.compare(ctx, l, name, cells)
	return nil
}

//go:embed client.mjs probe.mjs transcript.mjs probe.py
var scripts embed.FS

// probe runs a client's script with an agent behind Turnwire.
func (l *lab) probe(ctx context.Context, a agent, name, interpreter, file string, cells map[string]cell) error {
	s, err := l.stage(ctx, a, name)
	if err != nil {
		return err
	}
	defer s.close()
	out, err := l.runScript(ctx, a, s, interpreter, file, append([]string{l.turnwire, "acp"}, s.args...))
	return errors.Join(err, notes(out, cells))
}

// runScript runs a script with an agent that a command starts. The script is written to a
// file in the client's folder, where its imports are found.
func (l *lab) runScript(ctx context.Context, a agent, s *stage, interpreter, file string, command []string) ([]byte, error) {
	for _, name := range []string{filepath.Base(file), "client.mjs"} {
		script, err := scripts.ReadFile(name)
		if err == nil {
			err = keep(filepath.Join(filepath.Dir(file), name), script)
		}
		if err != nil {
			return nil, err
		}
	}
	argument, err := json.Marshal(task{
		Command: command, Folder: s.project, Home: s.home, Log: s.log,
		Login: a.login, Mode: a.mode, Pause: a.pause.Seconds(),
		Seconds: l.limit.Seconds(), Image: base64.StdEncoding.EncodeToString(picture()),
		Words: map[string]string{"hello": model.Hello, "run": model.Run, "wait": model.Wait, "image": model.Image, "recall": model.Recall},
		Says:  map[string]string{"greeting": model.Greeting, "seen": model.Seen, "known": model.Known},
	})
	if err != nil {
		return nil, err
	}
	return l.command(ctx, program{words: []string{interpreter, file, string(argument)}, dir: s.project, env: s.env})
}

func keep(file string, text []byte) error { return os.WriteFile(file, text, 0o600) }

// picture returns a PNG.
func picture() []byte {
	var out bytes.Buffer
	_ = png.Encode(&out, image.NewGray(image.Rect(0, 0, 32, 32))) // writing to memory can't fail
	return out.Bytes()
}
