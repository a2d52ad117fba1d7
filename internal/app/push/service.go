package push

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"
)

const (
	// subject tells push services whom to contact about this program.
	subject = "https://github.com/turnwire/turnwire"
	// valid is how long a push service keeps a message for a browser that is offline.
	valid = 24 * time.Hour
	// maxResponse bounds the part of a response that is read so that the connection can
	// be reused, in bytes.
	maxResponse = 64 << 10
)

// ErrRefused means that sending the same message again is useless.
var ErrRefused = errors.New("the push service refused the message")

// A Message is a notification.
type Message struct {
	Text    []byte // at most 3,000 bytes
	Session string // a later message about the session replaces one that was not delivered
	Urgent  bool
}

// NewClient returns an HTTP client that only connects to addresses on the internet.
func NewClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil // it would resolve the names
	transport.DialContext = (&net.Dialer{Timeout: 10 * time.Second, Control: onlyPublic}).DialContext
	return clientOf(transport)
}

// clientOf returns an HTTP client that follows no redirects.
func clientOf(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// onlyPublic refuses connections to addresses that are not on the internet. It checks the
// resolved address, because a name can have any.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !public(to.Addr()) {
		return errEndpoint
	}
	return nil
}

// A Target sends messages to one subscription.
type Target struct {
	store  *Store
	client *http.Client
	to     saved
}

// Targets returns the valid subscriptions. They send with client, which [NewClient] makes.
func (s *Store) Targets(client *http.Client) (all []Target) {
	for _, one := range s.valid() {
		all = append(all, Target{s, client, one})
	}
	return all
}

// Send sends a message, unless the subscription is void by now. If the push service says
// that the subscription ended, it is removed. Errors don't contain the endpoint.
func (t Target) Send(ctx context.Context, m Message) error {
	if !t.store.accepts(t.to.owner) {
		return fmt.Errorf("%w: the token was revoked", ErrRefused)
	}
	t.store.mu.Lock()
	options := webpush.Options{
		HTTPClient: t.client, Subscriber: subject, TTL: int(valid / time.Second), Topic: topic(m.Session), Urgency: webpush.UrgencyNormal,
		VAPIDPublicKey: t.store.now.PublicKey, VAPIDPrivateKey: t.store.now.PrivateKey,
	}
	t.store.mu.Unlock()
	if m.Urgent {
		options.Urgency = webpush.UrgencyHigh
	}
	res, err := webpush.SendNotificationWithContext(ctx, m.Text, &webpush.Subscription{
		Endpoint: t.to.Endpoint, Keys: webpush.Keys{Auth: t.to.Keys.Auth, P256dh: t.to.Keys.P256dh},
	}, &options)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err
		}
		if errors.Is(err, errEndpoint) || errors.Is(err, webpush.ErrMaxPadExceeded) {
			err = fmt.Errorf("%w: %w", ErrRefused, err)
		}
		return err
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.CopyN(io.Discard, res.Body, maxResponse) // the status says enough
	switch status := res.StatusCode; {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusNotFound, status == http.StatusGone:
		err := t.store.forget(func(one saved) bool { return one.Endpoint == t.to.Endpoint })
		return errors.Join(fmt.Errorf("%w: the browser is no longer subscribed", ErrRefused), err)
	case status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout:
		return fmt.Errorf("the push service responded with %d", status)
	default:
		return fmt.Errorf("%w: it responded with %d", ErrRefused, status)
	}
}

// topic returns the name under which a push service replaces messages about a session.
// It doesn't reveal the session's id.
func topic(session string) string {
	if session == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(session))
	return base64.RawURLEncoding.EncodeToString(sum[:24]) // at most 32 characters
}
