package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/app/agents/known"
)

// A way is a way to an agent that speaks ACP.
type way struct {
	name    string
	server  []string // a command that must run before
	command []string
}

// ways returns the ways to the agent of a stage: alone, through Turnwire, and through a
// server. An agent that doesn't speak ACP has no way without Turnwire.
func (a agent) ways(l *lab, s *stage) []way {
	socket := filepath.Join(s.home, "serve.sock")
	all := []way{
		{name: "same", command: slices.Concat([]string{l.turnwire, "acp"}, s.args)},
		{
			name: "served", server: slices.Concat([]string{l.turnwire, "serve", "--socket", socket}, s.args),
			command: []string{l.turnwire, "acp", "--server=" + socket},
		},
	}
	if alone := a.alone(s.args); alone != nil {
		all = slices.Insert(all, 0, way{name: "alone", command: alone})
	}
	return all
}

// alone returns the command of an agent that speaks ACP, or nil.
func (a agent) alone(args []string) []string {
	if k, ok := known.Named(a.name); ok && len(args) == 2 {
		return k.Commands[0].Args
	}
	if len(args) > 3 && slices.Equal(args[:3], []string{"--agent", "acp", "--"}) {
		return args[3:]
	}
	return nil
}

// compare compares what users see of the agent on all ways.
func (a agent) compare(ctx context.Context, l *lab, name string, cells map[string]cell) {
	var first string
	for i := 0; ; i++ {
		s, err := l.stage(ctx, a, name+".compared")
		if err != nil {
			cells["same"] = cell{failed, err.Error()}
			return
		}
		ways := a.ways(l, s)
		if i == len(ways) {
			s.close()
			return
		}
		w := ways[i]
		seen, err := l.transcript(ctx, a, s, w)
		s.close()
		switch {
		case err != nil && w.name == "alone":
			cells["same"] = cell{notRun, "without Turnwire: " + err.Error()}
			return
		case err != nil:
			cells[w.name] = cell{failed, err.Error()}
		case i == 0:
			first = seen
			if w.name == "same" {
				cells["same"] = cell{notRun, "Turnwire makes it speak ACP"}
			}
		case seen == first:
			cells[w.name] = cell{Seen: yes}
		default:
			cells[w.name] = cell{no, difference(first, seen)}
		}
	}
}

// transcript returns what a user sees of some turns.
func (l *lab) transcript(ctx context.Context, a agent, s *stage, w way) (string, error) {
	if w.server != nil {
		stop, err := serve(child.Spec{Args: w.server, Dir: s.project, Env: s.env, MergeStderr: true})
		if err != nil {
			return "", err
		}
		defer stop()
	}
	file := filepath.Join(l.folder("programs", "sdk-typescript"), "transcript.mjs")
	out, err := l.runScript(ctx, a, s, "node", file, w.command)
	if err != nil {
		return "", err
	}
	kept := l.folder("logs", filepath.Base(s.home)+"."+w.name+".transcript")
	return string(out), errors.Join(err, keep(kept, out))
}

// serve starts a server, and returns once it says where it listens.
func serve(spec child.Spec) (stop func(), err error) {
	server, err := child.Start(spec)
	if err != nil {
		return nil, err
	}
	out := bufio.NewScanner(server.Stdout())
	isServing := false
	var last string
	for !isServing && out.Scan() {
		last = out.Text()
		isServing = strings.Contains(last, ": serving ")
	}
	stop = func() {
		server.Kill()
		server.Wait()
	}
	if !isServing {
		stop()
		return nil, fmt.Errorf("the server ended: %s", last)
	}
	go func() { _, _ = io.Copy(io.Discard, server.Stdout()) }() // ends with the server
	return stop, nil
}
