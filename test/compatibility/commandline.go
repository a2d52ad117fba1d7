package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/test/compatibility/internal/model"
)

// runCommand runs turns with "turnwire run" and the partner.
func runCommand(ctx context.Context, l *lab, name string, cells map[string]cell) error {
	if err := l.installPartner(ctx); err != nil {
		return err
	}
	s, err := l.stage(ctx, partner, name)
	if err != nil {
		return err
	}
	defer s.close()
	image := filepath.Join(filepath.Dir(s.project), "image.png")
	if err := os.WriteFile(image, picture(), 0o600); err != nil {
		return err
	}
	turn := func(flags ...string) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, l.limit)
		defer cancel()
		out, err := l.command(ctx, program{words: slices.Concat([]string{l.turnwire, "run"}, flags, s.args), dir: s.project, env: s.env})
		return string(out), err
	}
	says := func(text string, flags ...string) cell {
		out, err := turn(flags...)
		return judge(err == nil && strings.Contains(out, text), out, err)
	}
	decides := func(file string, exists bool, flags ...string) cell {
		out, err := turn(append(flags, strings.Replace(model.Run, "%s", file, 1))...)
		_, missing := os.Stat(filepath.Join(s.project, file))
		return judge(err == nil && errors.Is(missing, fs.ErrNotExist) != exists, out, err)
	}
	cells["turn"] = says(model.Greeting, model.Hello)
	cells["load"] = says(model.Known, "--continue", model.Recall)
	cells["allow"] = decides("allowed.txt", true, "--allow", "execute")
	cells["refuse"] = decides("refused.txt", false, "--deny")
	cells["images"] = says(model.Seen, "--image", image, model.Image)
	out, err := turn("--timeout", "20s", model.Wait)
	cells["cancel"] = judge(err != nil && strings.Contains(out, model.Greeting) && ctx.Err() == nil, out, err)
	cells["modes"] = cell{Seen: no}
	return nil
}

func judge(worked bool, out string, err error) cell {
	switch {
	case worked:
		return cell{Seen: yes}
	case err != nil:
		return cell{Seen: failed, Note: err.Error()}
	}
	return cell{Seen: failed, Note: lastLine([]byte(out))}
}
