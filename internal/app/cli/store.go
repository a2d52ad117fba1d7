package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
)

// storeOptions are the flags for a session store that several servers share.
type storeOptions struct {
	url      string // "" means the folder on this machine
	creds    string
	replicas int
}

// add adds the flags to a command and its subcommands.
func (o *storeOptions) add(cmd *cobra.Command, what string) {
	f := cmd.PersistentFlags()
	f.StringVar(&o.url, "store", "", what+" in NATS JetStream at `URL` (nats://HOST:4222, several separated by commas), or \"local\" to ignore turnwire.json")
	f.StringVar(&o.creds, "store-creds", "", "NATS credentials `FILE` (default: $NATS_CREDS)")
	_ = cmd.RegisterFlagCompletionFunc("store", cobra.FixedCompletions([]string{thisMachine, "nats://"}, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

// thisMachine is the value of --store that selects this machine.
const thisMachine = "local"

// check validates the flags.
func (o *storeOptions) check() error {
	switch {
	case (o.url == "" || o.url == thisMachine) && o.creds != "":
		return usagef("--store-creds needs --store")
	case o.url == "" || o.url == thisMachine:
		return nil
	}
	if err := config.CheckStore(o.url); err != nil {
		return usagef("--store %s: it %w", natsstore.Redacted(o.url), err)
	}
	return nil
}

// choose uses the configured store, unless the command line names one.
func (o *storeOptions) choose(configFile string) error {
	if o.url == thisMachine {
		o.url = ""
		return nil
	}
	if o.url != "" {
		return nil
	}
	own, err := config.Find(configFile, ".").Store()
	o.url, o.creds = own.URL, own.Creds
	return err
}

// open connects to the store. The store calls lost for each session that another server
// has taken over.
func (o *storeOptions) open(ctx context.Context, log *slog.Logger, lost func(id string, cause error)) (*natsstore.Store, error) {
	creds := o.creds
	if creds == "" {
		creds = os.Getenv("NATS_CREDS")
	}
	owner := fmt.Sprintf("process %d", os.Getpid())
	if host, err := os.Hostname(); err == nil {
		owner += " on " + host
	}
	return natsstore.Open(ctx, natsstore.Config{
		URL: o.url, Creds: creds,
		CA: os.Getenv("NATS_CA"), Cert: os.Getenv("NATS_CERT"), Key: os.Getenv("NATS_KEY"),
		User: os.Getenv("NATS_USER"), Password: os.Getenv("NATS_PASSWORD"),
		Owner: owner, Replicas: o.replicas, Lost: lost, Log: log,
	})
}

// use calls do with the chosen store: NATS, or the folder on this machine.
func (o *storeOptions) use(cmd *cobra.Command, do func(journal.Keeper) error) error {
	if err := o.check(); err != nil {
		return err
	}
	if err := o.choose(""); err != nil {
		return err
	}
	if o.url == "" {
		folder, err := sessionsFolder()
		if err != nil {
			return err
		}
		return do(folder)
	}
	store, err := o.open(cmd.Context(), slog.New(slog.DiscardHandler), nil)
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}
