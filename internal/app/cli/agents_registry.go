package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/registry"
	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/internal/visible"
)

// registryOptions are the flags that choose the registry.
type registryOptions struct {
	from    string
	refresh bool
}

func (o *registryOptions) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.from, "registry", registry.Official, "use the registry at `URL`, or a local registry.json")
	cmd.Flags().BoolVar(&o.refresh, "refresh", false, "ignore the cached copy, which is used for an hour")
}

// source returns the chosen registry. A file is named by its absolute path, which
// turnwire.json records too.
func (o *registryOptions) source() (registry.Source, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return registry.Source{}, err
	}
	s := registry.Source{From: o.from, Cache: filepath.Join(cache, "turnwire", "registry"), Refresh: o.refresh}
	if !s.IsURL() {
		s.From, err = filepath.Abs(s.From)
	}
	return s, err
}

// found is an agent in the output of "turnwire agents search --json".
type found struct {
	ID          string   `json:"id"`
	Version     string   `json:"version"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	License     string   `json:"license,omitempty"`
	Ways        []string `json:"ways"` // how the agent can be run on this platform
}

func newAgentsSearch() *cobra.Command {
	var o registryOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "search [WORD]",
		Short: "Search the ACP registry",
		Long: `List the agents in the ACP registry, or those with WORD in their ID, name or
description. The registry is cached for an hour. If the server does not answer, the
last copy is used and a warning is printed. Nothing else is downloaded.`,
		Example: examples(
			"turnwire agents search",
			"turnwire agents search claude",
			"turnwire agents search --registry ./registry.json --json",
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("search takes one word")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.source()
			if err != nil {
				return err
			}
			r, err := load(cmd.Context(), s, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			for _, id := range slices.Sorted(maps.Keys(r.Wrong)) {
				fmt.Fprintf(cmd.ErrOrStderr(), "! unusable entry %s: %s\n", id, printable(r.Wrong[id].Error()))
			}
			list := r.Search(strings.Join(args, ""))
			if asJSON {
				return writeFound(cmd.OutOrStdout(), list)
			}
			if len(list) == 0 {
				return errors.New("the registry has no such agent")
			}
			out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(out, "ID\tVERSION\tWHAT IT IS")
			for _, e := range list {
				fmt.Fprintf(out, "%s\t%s\t%s: %s\n", e.ID, e.Version, onLine(e.Name), onLine(e.Description))
			}
			return out.Flush()
		},
	}
	o.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

func writeFound(w io.Writer, list []registry.Entry) error {
	all := []found{}
	for _, e := range list {
		f := found{e.ID, e.Version, e.Name, e.Description, e.License, []string{}}
		for _, way := range registry.Ways() {
			if _, err := e.Launch(platform(), way); err == nil {
				f.Ways = append(f.Ways, way)
			}
		}
		all = append(all, f)
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(all)
}

func platform() string { return registry.Platform(runtime.GOOS, runtime.GOARCH) }

// load reads a registry. It writes a notice to errors if it had to use an old copy.
func load(ctx context.Context, s registry.Source, errors io.Writer) (*registry.Registry, error) {
	r, notice, err := s.Load(ctx)
	if notice != "" {
		fmt.Fprintln(errors, "!", printable(notice))
	}
	return r, err
}

// maxShown limits a registry text that is shown on one line, in characters.
const maxShown = 200

// onLine returns a registry text as one line.
func onLine(text string) string {
	text = visible.Text(strings.Join(strings.Fields(text), " "))
	if runes := []rune(text); len(runes) > maxShown {
		text = string(runes[:maxShown]) + "…"
	}
	return text
}

// shellWords formats a command line so that its words can be told apart.
func shellWords(words []string) string {
	shown := make([]string, len(words))
	for i, w := range words {
		plain := w != "" && !strings.ContainsFunc(w, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(`-_./:=@+,%~\`, r)
		})
		if shown[i] = w; !plain {
			shown[i] = strconv.Quote(w)
		}
	}
	return strings.Join(shown, " ")
}

// A keeper changes the registry agents in the user's file.
type keeper struct {
	config string // --config
	yes    bool
	print  bool // change nothing

	ctx         context.Context
	in          io.Reader
	out, errors io.Writer
	paint       paint
	interactive bool // the user can be asked
	own         map[string]config.Agent
	places      config.Places
	data        string
}

func (k *keeper) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&k.config, "config", "", "change `FILE` instead of your "+config.FileName)
	cmd.Flags().BoolVarP(&k.yes, "yes", "y", false, "don't ask for confirmation")
}

// open reads the user's file.
func (k *keeper) open(cmd *cobra.Command) (err error) {
	t := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	k.ctx, k.in, k.out, k.errors = cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	k.paint, k.interactive = paint(t.Colour), t.Interactive
	if k.data, err = registry.DataFolder(); err != nil {
		return err
	}
	k.places = config.Find(k.config, ".")
	if k.places.Own == "" {
		return errors.New("no home directory: name a file with --config")
	}
	if k.places.Own, err = filepath.Abs(k.places.Own); err != nil {
		return err
	}
	k.own, err = k.places.OwnAgents()
	return err
}

// confirm asks the user. It returns an error unless the answer is yes.
func (k *keeper) confirm(question string) error {
	switch {
	case k.yes:
		return nil
	case !k.interactive:
		return errors.New("nothing was done because there is no terminal to ask in: use --yes to continue")
	}
	return agreed(k.in, k.out, k.paint, question, errNothingChanged)
}

// completeAdded completes the names of agents that were added from a registry.
func (k *keeper) completeAdded(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	if err := k.open(cmd); err == nil && len(args) == 0 {
		for _, name := range slices.Sorted(maps.Keys(k.own)) {
			if a := k.own[name]; a.Registry.ID != "" {
				names = append(names, cobra.CompletionWithDesc(name, onLine(a.Title)))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
