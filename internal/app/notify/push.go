package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/push"
)

// maxDeliveries limits how many push messages are being delivered. Later ones are dropped.
const maxDeliveries = 256

// browsers is a target: the browsers whose pages are subscribed.
type browsers struct {
	*target

	store      *push.Store
	client     *http.Client
	deliveries chan struct{} // one for each delivery
}

// A pushed is what a page's service worker shows.
type pushed struct {
	Title   string `json:"title"`
	Text    string `json:"text"`
	Session string `json:"session,omitempty"` // opened by a click
}

// run delivers the notifications in the queue until ctx is done. A push service that
// doesn't respond delays only its own browsers.
func (b *browsers) run(ctx context.Context, start func(func())) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-b.queue:
			for _, to := range b.store.Targets(b.client) {
				select {
				case b.deliveries <- struct{}{}:
					start(func() {
						b.deliver(ctx, m, func(ctx context.Context, m Message) error { return pushTo(ctx, to, m) })
						<-b.deliveries
					})
				default:
					b.log.Warn("dropped a notification because too many are pending", "session", m.Session)
				}
			}
		}
	}
}

// sendAll sends a notification to all browsers, once.
func (b *browsers) sendAll(ctx context.Context, m Message) error {
	all := b.store.Targets(b.client)
	if len(all) == 0 {
		return errors.New("no browser has notifications turned on")
	}
	var failed []error
	for _, to := range all {
		if err := pushTo(ctx, to, m); err != nil {
			failed = append(failed, err)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d browsers: %w", len(failed), len(all), failed[0])
	}
	return nil
}

func pushTo(ctx context.Context, to push.Target, m Message) error {
	content := pushed{Title: m.headline(), Text: m.detail(), Session: m.Session}
	if len(m.Session) > maxSession {
		content.Session = ""
	}
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	err = to.Send(ctx, push.Message{Text: text, Session: m.Session, Urgent: m.Event == config.NotifyWaits})
	if errors.Is(err, push.ErrRefused) {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	return err
}
