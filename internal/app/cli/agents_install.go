package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/registry"
)

// A wish is a registry entry to write into the user's file.
type wish struct {
	entry  registry.Entry
	launch *registry.Launch
	source registry.Source
	place  registry.Place
	edit   config.Edit
	added  config.Added
	before config.Agent // the agent that had the name
}

// wish computes the edit that adds an entry to the user's file; it changes nothing. If
// replace is true, the edit replaces an existing agent of that name.
func (k *keeper) wish(e registry.Entry, s registry.Source, name, way string, replace bool) (*wish, error) {
	l, err := e.Launch(platform(), way)
	if err != nil {
		return nil, err
	}
	w := &wish{entry: e, launch: l, source: s, before: k.own[name]}
	w.place = registry.Place{Data: k.data, ID: e.ID, Version: e.Version}
	w.added = config.Added{
		Title: onLine(e.Name), Command: l.Command, Args: l.Args, Env: l.Env,
		Origin: config.Origin{ID: e.ID, Version: e.Version, From: s.From},
	}
	if l.Way == registry.Binary {
		w.added.Command = w.place.Program(l)
	}
	w.edit, err = config.Put(k.places.Own, name, w.added, replace)
	return w, err
}

// show prints everything that the user is asked to agree to.
func (k *keeper) show(w *wish) {
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(k.out, "  %-9s %s\n", what, text)
		}
	}
	fmt.Fprintf(k.out, "%s %s (%s)\n", k.paint.bold(onLine(w.entry.Name)), w.entry.Version, w.entry.ID)
	line("", onLine(w.entry.Description))
	license := onLine(w.entry.License)
	if license == "" {
		license = "not given"
	}
	line("licence", license)
	line("source", onLine(w.entry.Repository))
	line("registry", onLine(w.source.From))
	line("runs", shellWords(append([]string{w.added.Command}, w.added.Args...)))
	for _, name := range slices.Sorted(maps.Keys(w.added.Env)) {
		line("with", shellWords([]string{name + "=" + w.added.Env[name]}))
	}
	switch {
	case w.launch.Way != registry.Binary:
		line("download", "nothing now; "+w.launch.Way+" downloads the package when the agent is first started")
	case w.launch.SHA256 == "":
		line("download", w.launch.Archive)
		line("checksum", k.paint.warn("none in the registry: the download is not verified"))
	default:
		line("download", w.launch.Archive)
		line("checksum", "SHA-256 "+w.launch.SHA256)
	}
	line("into", w.edit.Path)
}

// grant does what the user agreed to: it downloads, unpacks, and writes the file. If the
// file can't be written, it deletes the download.
func (k *keeper) grant(w *wish) error {
	unlock, err := lockSettings(k.ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if w.launch.Way != registry.Binary {
		if err := w.edit.Apply(); err != nil || !k.installed(&w.before) {
			return err
		}
		return w.place.RemoveAll()
	}
	ctx, stop := signal.NotifyContext(k.ctx, os.Interrupt)
	defer stop()
	there := w.place.Installed()
	if err := w.launch.Install(ctx, w.place, w.source.IsLocal()); err != nil {
		if ctx.Err() != nil {
			return errNothingChanged
		}
		return err
	}
	if err := w.edit.Apply(); err != nil {
		if !there {
			err = errors.Join(err, w.place.Remove())
		}
		return err
	}
	// The previous version may still be running.
	return w.place.RemoveAll(w.entry.Version, w.before.Registry.Version)
}

// installed reports whether the agent's program is in the folder for its registry id, and
// not some other program.
func (k *keeper) installed(a *config.Agent) bool {
	folder := registry.Place{Data: k.data, ID: a.Registry.ID}.Folder()
	return a.Registry.ID != "" && strings.HasPrefix(a.Command, folder+string(filepath.Separator))
}

func (k *keeper) good(format string, args ...any) {
	fmt.Fprintln(k.out, k.paint.good("✓"), fmt.Sprintf(format, args...))
}
