package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/notify"
	"github.com/turnwire/turnwire/internal/app/push"
	"github.com/turnwire/turnwire/internal/app/tokens"
	"github.com/turnwire/turnwire/internal/lazyregexp"
)

// notifier returns the notifier that the user's file configures, or nil. pages are the
// subscribed pages, or nil.
func (o *serveOptions) notifier(pages *push.Store, log *slog.Logger) (*notify.Notifier, error) {
	settings, err := config.Find(o.agent.config, ".").Notify(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	return notify.New(notify.Options{Config: settings, Push: pages, Attach: o.attaching(), Log: log}), nil
}

// plainID matches a session's id without characters that are special in a shell.
var plainID = lazyregexp.New(`^\w[\w.:-]{0,99}$`)

// attaching returns a function that returns the command that attaches to a session, or nil
// if the server has no socket.
func (o *serveOptions) attaching() func(session string) string {
	if o.config.Socket == "" && o.config.Listen != "" {
		return nil
	}
	words := []string{"turnwire", "attach"}
	if o.config.Socket != "" {
		words = append(words, "--socket", o.config.Socket)
	}
	return func(session string) string {
		if !plainID().MatchString(session) {
			return "" // it must not harm a user who copies the command to a shell
		}
		return shellWords(append(slices.Clone(words), session))
	}
}

// subscribers are the tokens whose pages can subscribe to notifications.
type subscribers struct{ *tokens.Known }

// Fingerprint implements [push.Tokens]. Watching tokens can't subscribe, because they can't
// answer.
func (s subscribers) Fingerprint(name string) string {
	if s.Watches(name) {
		return ""
	}
	return s.Known.Fingerprint(name)
}

// openPush opens the store of subscribed pages. open says that no token is needed.
func openPush(open bool, log *slog.Logger) (*push.Store, error) {
	folder, err := config.StateFolder()
	if err != nil {
		return nil, err
	}
	return push.Open(folder, subscribers{tokens.Open(folder).Known(log)}, open, log)
}

// pages returns the subscribed pages, or nil without a page. An error only costs the
// notifications of pages.
func (o *serveOptions) pages(log *slog.Logger) *push.Store {
	if o.config.Listen == "" {
		return nil
	}
	pages, err := openPush(o.config.Tokens == nil, log)
	if err != nil {
		log.Error("pages cannot subscribe to notifications", "error", err)
		return nil
	}
	return pages
}

// pagesToTest returns the subscribed pages, or nil if no page is subscribed.
func pagesToTest() (*push.Store, error) {
	if folder, err := config.StateFolder(); err != nil || !push.Exists(folder) {
		return nil, err
	}
	pages, err := openPush(true, slog.New(slog.DiscardHandler))
	if err != nil || !pages.Any() {
		return nil, err
	}
	return pages, nil
}

// testNotifications sends a test notification to each target, and prints the outcomes.
func (o *serveOptions) testNotifications(ctx context.Context, out io.Writer) error {
	pages, err := pagesToTest()
	if err != nil {
		return err
	}
	n, err := o.notifier(pages, nil)
	if err != nil {
		return err
	}
	defer n.Close()
	if n == nil {
		return errors.New(`no notifications are configured: add "notify" to your turnwire.json`)
	}
	failed := 0
	for _, r := range n.Test(ctx) {
		outcome := "sent"
		if r.Err != nil {
			outcome = r.Err.Error()
			failed++
		}
		fmt.Fprintf(out, "%s: %s\n", r.Target, outcome)
	}
	if failed > 0 {
		return fmt.Errorf("%d test notifications were not sent", failed)
	}
	return nil
}
