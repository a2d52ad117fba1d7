package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/agents/known"
	"github.com/turnwire/turnwire/internal/app/registry"
	"github.com/turnwire/turnwire/internal/suggest"
)

func newAgentsAdd() *cobra.Command {
	var o registryOptions
	var k keeper
	var way string
	var force bool
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Add an agent from the ACP registry",
		Long: `Add an agent from the ACP registry to your turnwire.json, so that --agent NAME
starts it. NAME is an ID in the registry, or the name of a common agent, such as
claude. Turnwire first shows what will be run and where it comes from, and asks for
confirmation. --print only shows it.

npm and PyPI packages are pinned to the current version; npx or uvx downloads
them on first use. A program is downloaded after you confirm, checked against the
registry's checksum, and unpacked into your data folder. Nothing is run. Comments
and other settings in turnwire.json are preserved.

Exit codes: 0 added, 1 not added, 2 wrong command line.`,
		Example: examples(
			"turnwire agents add claude",
			"turnwire agents add claude-acp",
			"turnwire agents add gemini --with npx --yes",
			"turnwire agents add our-agent --registry https://example.org/registry.json",
		),
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return usagef("name an agent; \"turnwire agents search\" lists them")
			case !registry.IsID(args[0]):
				return usagef("%q is not a valid registry name: use lower-case letters, digits and dashes", args[0])
			case way != "" && !slices.Contains(registry.Ways(), way):
				return usagef("--with %q: must be binary, npx or uvx%s", way, suggest.Hint(way, registry.Ways()))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return completeEntries(&o, args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := k.open(cmd); err != nil {
				return err
			}
			if err := k.add(&o, args[0], way, force); err != nil || k.print {
				return err
			}
			fmt.Fprintf(k.out, "Try it: turnwire run --agent %[1]s \"hello\"\nAdd it to an editor: turnwire setup EDITOR --agent %[1]s\n", args[0])
			return nil
		},
	}
	o.add(cmd)
	k.addFlags(cmd)
	cmd.Flags().BoolVar(&k.print, "print", false, "show what would be added, but don't change anything")
	cmd.Flags().StringVar(&way, "with", "", "install `WAY`: binary, npx or uvx (default: the first one available)")
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing agent of the same name")
	_ = cmd.RegisterFlagCompletionFunc("with", cobra.FixedCompletions(registry.Ways(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// completeEntries completes ids from the cached registry. The Tab key must not wait for a
// server.
func completeEntries(o *registryOptions, args []string) []cobra.Completion {
	s, err := o.source()
	if err != nil || len(args) > 0 {
		return nil
	}
	r, err := s.Cached()
	if err != nil {
		return nil
	}
	var names []cobra.Completion
	for _, a := range known.All() {
		if _, _, err := r.Find(a.Registry); err == nil && a.Registry != a.Name {
			names = append(names, cobra.CompletionWithDesc(a.Name, a.Title))
		}
	}
	for _, e := range r.Agents {
		names = append(names, cobra.CompletionWithDesc(e.ID, onLine(e.Name)))
	}
	return names
}

// add adds an agent under the name that the user typed, which may be that of a common
// agent.
func (k *keeper) add(o *registryOptions, name, way string, force bool) error {
	s, err := o.source()
	if err != nil {
		return err
	}
	r, err := load(k.ctx, s, k.errors)
	if err != nil {
		return err
	}
	e, err := findIn(r, name)
	if err != nil {
		return err
	}
	if !force {
		if err := k.refuseTaken(name, e.ID); err != nil {
			return err
		}
	}
	w, err := k.wish(e, s, name, way, true)
	if err != nil {
		return err
	}
	k.show(w)
	if k.print {
		return nil
	}
	if err := k.confirm("Add this agent?"); err != nil {
		return err
	}
	if err := k.grant(w); err != nil {
		return err
	}
	k.good("%s was added to %s", name, w.edit.Path)
	return nil
}

// findIn returns the registry's entry for the name of a common agent, or for an id.
func findIn(r *registry.Registry, name string) (registry.Entry, error) {
	common, isCommon := known.Named(name)
	if isCommon && common.Registry != "" {
		if e, _, err := r.Find(common.Registry); !errors.Is(err, registry.ErrUnknown) {
			return e, err
		}
	}
	e, ids, err := r.Find(name)
	switch {
	case !errors.Is(err, registry.ErrUnknown):
		return e, err
	case isCommon:
		return e, fmt.Errorf("the registry does not have %s; %s", common.Title, common.Installation())
	}
	return e, fmt.Errorf("the registry has no agent %q%s; turnwire agents search lists them", name, suggest.Hint(name, ids))
}

// refuseTaken returns an error if an agent of that name exists. id is that of the registry
// entry to add.
func (k *keeper) refuseTaken(name, id string) error {
	if a, ok := k.own[name]; ok {
		if a.Registry.ID == id {
			return fmt.Errorf("%s %s is already in %s: turnwire agents update %s installs a new version", name, printable(a.Registry.Version), k.places.Own, name)
		}
		return fmt.Errorf("%s already has an agent %s: --force replaces it", k.places.Own, name)
	}
	if slices.Contains(agents.BuiltIn(), name) {
		return fmt.Errorf("the agent %s is built in: --force uses the registry's agent instead", name)
	}
	catalogue, err := agents.Load(k.places)
	if err != nil {
		return err
	}
	if e, ok := catalogue.Entry(name); ok && e.Known == nil {
		return fmt.Errorf("this project already has an agent %s, which would conflict: --force adds it anyway", name)
	}
	return nil
}
