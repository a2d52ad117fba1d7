package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/registry"
	"github.com/turnwire/turnwire/internal/suggest"
)

func newAgentsUpdate() *cobra.Command {
	var k keeper
	cmd := &cobra.Command{
		Use:   "update [NAME]",
		Short: "Update agents from the registry",
		Long: `Update one agent that was added with "turnwire agents add", or all of them, to the
registry's current version. Turnwire shows the old and the new version and asks
before each change. Your own settings for the agent are preserved, and so is the
previous version of a program, because it may be running.

Exit codes: 0 all up to date, 1 at least one is not, 2 wrong command line.`,
		Example: examples(
			"turnwire agents update",
			"turnwire agents update claude-acp --yes",
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("name one agent, or none to update all")
			}
			return nil
		},
		ValidArgsFunction: k.completeAdded,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := k.open(cmd); err != nil {
				return err
			}
			return k.update(args)
		},
	}
	k.addFlags(cmd)
	return cmd
}

func newAgentsRemove() *cobra.Command {
	var k keeper
	cmd := &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove an agent added from the registry",
		Long: `Remove an agent that was added with "turnwire agents add" from your turnwire.json,
and delete its program if it was downloaded. Turnwire asks first. Its sessions are
preserved.`,
		Example: examples(
			"turnwire agents remove claude-acp",
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name the agent to remove")
			}
			return nil
		},
		ValidArgsFunction: k.completeAdded,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := k.open(cmd); err != nil {
				return err
			}
			return k.remove(args[0])
		},
	}
	k.addFlags(cmd)
	return cmd
}

// added returns the named agent if it was added from a registry.
func (k *keeper) added(name string) (config.Agent, error) {
	a, ok := k.own[name]
	switch {
	case !ok:
		return a, fmt.Errorf("%s has no agent %q%s", k.places.Own, name, suggest.Hint(name, slices.Sorted(maps.Keys(k.own))))
	case !registry.IsID(a.Registry.ID):
		return a, fmt.Errorf("the agent %s in %s is not from a registry: edit the file yourself", name, k.places.Own)
	}
	return a, nil
}

// update updates the named agents, or all if there are no names. A failed update doesn't
// prevent the others.
func (k *keeper) update(names []string) error {
	if len(names) == 0 {
		for _, name := range slices.Sorted(maps.Keys(k.own)) {
			if a := k.own[name]; a.Registry.ID != "" {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			fmt.Fprintln(k.out, "No agents from a registry: turnwire agents add NAME adds one")
			return nil
		}
	}
	loaded := map[string]*registry.Registry{}
	var failed []error
	for _, name := range names {
		if err := k.updateOne(name, loaded); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(failed...)
}

func (k *keeper) updateOne(name string, loaded map[string]*registry.Registry) error {
	a, err := k.added(name)
	if err != nil {
		return err
	}
	o := registryOptions{from: a.Registry.From, refresh: true}
	s, err := o.source()
	if err != nil {
		return err
	}
	r := loaded[s.From]
	if r == nil {
		if r, err = load(k.ctx, s, k.errors); err != nil {
			return err
		}
		loaded[s.From] = r
	}
	e, _, err := r.Find(a.Registry.ID)
	if err != nil {
		return err
	}
	if registry.Older(e.Version, a.Registry.Version) {
		k.good("%s stays at %s: the registry has only %s", name, printable(a.Registry.Version), e.Version)
		return nil
	}
	if e.Version == a.Registry.Version { // keep what the user has edited by hand
		k.good("%s %s is up to date", name, e.Version)
		return nil
	}
	w, err := k.wish(e, s, name, k.way(&a, &e), false)
	if err != nil {
		return err
	}
	fmt.Fprintf(k.out, "%s → %s\n", printable(a.Registry.Version), e.Version)
	fmt.Fprintf(k.out, "  %-9s %s\n", "ran", shellWords(append([]string{a.Command}, a.Args...)))
	k.show(w)
	if err := k.confirm("Update this agent?"); err != nil {
		return err
	}
	if err := k.grant(w); err != nil {
		return err
	}
	k.good("%s is now %s", name, e.Version)
	return nil
}

// way returns how the agent is currently run, or "" if the entry no longer offers that.
func (k *keeper) way(a *config.Agent, e *registry.Entry) string {
	way := registry.Binary
	if a.Command == registry.NPX || a.Command == registry.UVX {
		way = a.Command
	}
	if _, err := e.Launch(platform(), way); err != nil {
		return ""
	}
	return way
}

func (k *keeper) remove(name string) error {
	a, err := k.added(name)
	if err != nil {
		return err
	}
	edit, err := config.Drop(k.places.Own, name)
	if err != nil {
		return err
	}
	place := registry.Place{Data: k.data, ID: a.Registry.ID}
	ours := k.installed(&a)
	fmt.Fprintf(k.out, "Remove %s %s from %s\n", name, printable(a.Registry.Version), edit.Path)
	if ours {
		fmt.Fprintf(k.out, "and delete %s\n", place.Folder())
	}
	if err := k.confirm("Remove this agent?"); err != nil {
		return err
	}
	unlock, err := lockSettings(k.ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := edit.Apply(); err != nil {
		return err
	}
	if ours {
		if err := place.RemoveAll(); err != nil {
			return err
		}
	}
	k.good("%s was removed", name)
	return nil
}
