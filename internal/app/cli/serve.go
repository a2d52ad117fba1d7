package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/localca"
	"github.com/turnwire/turnwire/internal/app/serve"
	"github.com/turnwire/turnwire/internal/app/serve/control"
	"github.com/turnwire/turnwire/internal/app/tokens"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// The values of --auth.
const (
	authToken = "token"
	authNone  = "none"
)

// serveOptions are the flags of "turnwire serve".
type serveOptions struct {
	agent    agentOptions
	journal  journalOptions
	store    storeOptions
	sessions int
	conns    int
	auth     string
	tls      string
	qr       bool
	test     bool          // only send a test notification
	once     *tokens.Once  // nil without --qr, or if no token is required
	known    *tokens.Known // nil if no token is required
	config   serve.Config
	// authority certifies the server, with --tls auto.
	authority *localca.Authority
}

func newServe(log *logOptions) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve [flags] [-- COMMAND [ARG...]]",
		Short: "Run a server that keeps sessions alive",
		Long: `Run sessions and agents in the background, so that clients can come and go: editors
("turnwire acp --server"), terminals ("turnwire attach", "turnwire chat --server"),
browsers and other machines. Closing a client ends nothing. Several clients can
share a session: all see the same, and the first answer to a question counts.

By default the server listens on a Unix socket that only you can open (on Windows, a
named pipe). --listen adds a network address, with WebSockets and HTTP with
server-sent events; the socket is then served only with --socket. Without --agent
and COMMAND, every named agent is served at /acp/NAME.

/ is a web page that lets any browser, including a phone's, act as a client. --qr
prints a QR code that logs a phone in.

An address that only this machine can reach needs no login; --auth token requires
one. All other addresses require TLS and a token ("turnwire token create");
--insecure lifts that. --tls auto creates a certificate for a private network, and
shows how a phone or another machine comes to trust it. Clients must use a host name that the server knows: an IP
address, localhost, the name in --listen, a name in the certificate, or one given
by --allow-host. Web pages of other origins need --allow-origin.

With "notify" in turnwire.json, the server tells you that a session waits for an answer,
or that its turn ended, when no client is connected. --notify-test tries it.

With --store, several servers share sessions through NATS JetStream, and any of them
takes over the sessions of one that died.

VS Code's own chat and other clients of the Agent Host Protocol connect to all
agents at /ahp. /metrics serves Prometheus metrics to clients that may connect;
/healthz and /readyz answer everyone. The standard OTEL_ variables export traces
and metrics to a collector.

SIGTERM or SIGINT stops the server (exit code 0): running turns are cancelled, and
every process it started exits with it.`,
		Example: examples(
			"turnwire serve",
			"turnwire serve --listen localhost:7777 --agent ethos",
			"turnwire serve --listen :7777 --tls-cert cert.pem --tls-key key.pem -- python3 my_agent.py",
			"turnwire serve --listen :7777 --tls auto --qr",
			"turnwire serve --listen localhost:7777 --auth token --allow-host agents.example.org -- ./agent",
			"turnwire serve --listen localhost:7777 --store nats://nats.example.org:4222 -- ./agent",
			"turnwire run --agent acp --url ws://localhost:7777/acp hello",
		),
		Args: func(cmd *cobra.Command, args []string) error {
			before, after, dashed := splitAtDash(cmd, args)
			switch {
			case len(before) > 0:
				return usagef("put -- before the command: turnwire serve -- %s", before[0])
			case dashed && len(after) == 0:
				return usagef("no command after --")
			case o.sessions < 1 || o.conns < 1:
				return usagef("--max-sessions and --max-connections must be at least 1")
			case o.auth != "" && o.auth != authToken && o.auth != authNone:
				return usagef("--auth %q: must be token or none", o.auth)
			case o.store.url != "" && o.store.url != thisMachine && o.journal.off:
				return usagef("--store and --no-journal cannot be used together")
			case o.store.replicas < 1:
				return usagef("--store-replicas must be at least 1")
			case o.qr && o.config.Listen == "":
				return usagef("--qr needs --listen, which serves the page")
			}
			if err := o.checkTLS(); err != nil {
				return err
			}
			return o.store.check()
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.test {
				return o.testNotifications(cmd.Context(), cmd.OutOrStdout())
			}
			_, o.agent.command, _ = splitAtDash(cmd, args)
			if err := o.agent.offer(cmd, "."); err != nil {
				return err
			}
			return o.run(cmd.Context(), *log, cmd.ErrOrStderr())
		},
	}
	o.add(cmd)
	return cmd
}

func (o *serveOptions) add(cmd *cobra.Command) {
	o.agent.addName(cmd)
	o.agent.addDialect(cmd)
	o.agent.addReplay(cmd)
	o.journal.add(cmd)
	o.store.add(cmd, "keep sessions")
	f := cmd.Flags()
	f.StringVar(&o.config.Socket, "socket", "", "listen on the Unix socket `PATH`; without --listen the default is "+defaultSocketHelp)
	f.StringVar(&o.config.Listen, "listen", "", "listen on the network `ADDRESS`, HOST:PORT; without HOST, on all interfaces")
	f.StringVar(&o.tls, "tls", "", "`auto`: use TLS with a certificate from a local authority, which each device must trust once")
	f.StringVar(&o.config.TLSCert, "tls-cert", "", "use TLS with the certificate in `FILE` (PEM), which is reloaded when it changes")
	f.StringVar(&o.config.TLSKey, "tls-key", "", "the certificate's private key, `FILE` (PEM)")
	f.StringVar(&o.auth, "auth", "", "`METHOD`: token, or none (the default if only this machine can reach the address)")
	f.StringArrayVar(&o.config.Hosts, "allow-host", nil, "accept `NAME` as the server's host name; may be repeated")
	f.StringArrayVar(&o.config.Origins, "allow-origin", nil, "let web pages from `ORIGIN` connect, such as https://example.org; may be repeated")
	f.BoolVar(&o.config.Insecure, "insecure", false, "allow other machines to connect without TLS or, with --auth none, without a token")
	f.BoolVar(&o.qr, "qr", false, "print the page's address as a QR code that logs one phone in")
	f.BoolVar(&o.test, "notify-test", false, "send a test notification to each target in turnwire.json, and exit")
	f.IntVar(&o.sessions, "max-sessions", core.DefaultMaxSessions, "maximum number of open sessions per agent")
	f.IntVar(&o.conns, "max-connections", 64, "maximum number of connections")
	_ = cmd.RegisterFlagCompletionFunc("tls", cobra.FixedCompletions([]string{tlsAuto}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("auth", cobra.FixedCompletions([]string{authToken, authNone}, cobra.ShellCompDirectiveNoFileComp))
	f.IntVar(&o.store.replicas, "store-replicas", 1, "NATS replicas per session, set when the store is created")
	for _, name := range []string{"store-replicas", "listen", "allow-host", "allow-origin", "max-sessions", "max-connections"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// run serves until it is stopped.
func (o *serveOptions) run(ctx context.Context, l logOptions, stderr io.Writer) (err error) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	choice, err := o.agent.open(".") // report errors now, not at the first session
	if err != nil {
		return err
	}
	if _, err := o.agent.ownPolicy(); err != nil {
		return err
	}
	log, logFile, err := l.open()
	if err != nil {
		return err
	}
	defer func() { err = closeWith(logFile, err) }()
	measured, finish, err := openTelemetry(log, true)
	if err != nil {
		return err
	}
	defer finish()
	if err := o.guard(log, stderr); err != nil {
		return err
	}
	pages := o.pages(log)
	notifier, err := o.notifier(pages, log)
	if err != nil {
		return err
	}
	defer notifier.Close()
	h := &hubs{options: o, log: log, measured: measured, notifier: notifier, all: make(map[string]*hub.Hub)}
	closeStore, err := h.openStore(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	if err := o.certify(log); err != nil {
		return err
	}
	collectEarly()
	if o.config.Listen == "" && o.config.Socket == "" {
		if o.config.Socket, err = defaultSocket(); err != nil {
			return err
		}
	}
	defer h.close()
	ctx, stopBy := context.WithCancelCause(ctx)
	defer stopBy(nil)
	o.config.Control = control.Handler(h.live, func() { stopBy(errToldToStop) })
	o.config.Metrics = measured
	o.config.Log = log
	o.config.Limits.Conns = o.conns
	o.config.Agent = h.agent
	host, err := o.host(h, &choice, log)
	if err != nil {
		return err
	}
	defer host.Close()
	o.config.AHP = h.host(host)
	o.config.Ready = func(urls []string) {
		fmt.Fprintf(stderr, "turnwire: serving %s at %s\n", cmp.Or(choice.Title(), agents.NameOfKey(choice.Key)), strings.Join(urls, " and "))
		if o.qr || o.authority != nil {
			o.showPage(stderr, urls, log)
		}
	}
	if err := o.page(h, choice.Key, pages, log); err != nil {
		return err
	}
	return o.config.Run(ctx)
}

// errToldToStop is the reason for a shutdown by "turnwire stop".
var errToldToStop = errors.New("turnwire stop")

// guard sets up authentication.
func (o *serveOptions) guard(log *slog.Logger, stderr io.Writer) error {
	if o.config.Listen == "" || o.auth == authNone || o.auth == "" && serve.Loopback(o.config.Listen) {
		return nil
	}
	store, err := tokenStore()
	if err != nil {
		return err
	}
	all, err := store.List()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintln(stderr, "turnwire: no tokens exist yet: create one with turnwire token create NAME")
	}
	o.known = store.Known(log)
	o.config.Tokens = o.known
	return nil
}

// tokenStore returns this machine's token store.
func tokenStore() (*tokens.Store, error) {
	folder, err := config.StateFolder()
	if err != nil {
		return nil, err
	}
	return tokens.Open(folder), nil
}
