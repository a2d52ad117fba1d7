package natsstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// defaultLease is how long a dead server keeps its sessions by default.
	defaultLease = 15 * time.Second
	// minPayload is the minimum max_payload of a server, in bytes, because the headers
	// need some.
	minPayload = 8 << 10
	// callTimeout bounds the wait for a response from the server.
	callTimeout = 5 * time.Second
	// A server that misses two pings counts as disconnected.
	pingInterval = 5 * time.Second
	pings        = 2
	// reconnectWait is the pause before another attempt to connect. A random delay of up
	// to the same length is added.
	reconnectWait = 250 * time.Millisecond
	// questionLife is how long questions are kept that no session has: a server was killed
	// before it had saved theirs.
	questionLife = 90 * 24 * time.Hour
	// dialWait is the pause with [Config].Dial.
	dialWait = time.Second
)

// Config says how to reach NATS, and describes this server.
type Config struct {
	// URL is the URL of a NATS server, such as nats://host:4222 or tls://host:4222. It
	// may be a comma-separated list of servers of one cluster. URLs may contain user
	// names and passwords.
	URL string
	// Creds is a file with a user's credentials (JWT and key), or "".
	Creds string
	// CA, Cert and Key are PEM files: the authorities to trust instead of the system's,
	// and this client's certificate and key.
	CA, Cert, Key string
	// User and Password are used if the URL contains none.
	User, Password string
	// Owner is the name of this server for others, such as "process 12 at
	// a.example.org".
	Owner string
	// Replicas is the number of replicas of each message; 0 means 1. It takes effect
	// when the stream is created.
	Replicas int
	// Lease is how long a dead server keeps its sessions; 0 means 15 seconds. It takes
	// effect when the bucket is created.
	Lease time.Duration
	// Renew is the interval at which leases are renewed; 0 means a quarter of the
	// bucket's lease.
	Renew time.Duration
	// Dial, if not nil, connects to the server instead of the network. Then attempts to
	// reconnect have a fixed interval. It must not block.
	Dial func() (net.Conn, error)
	// Lost, if not nil, is called when another server has a session that this one may have
	// open, because it has taken it over or was faster.
	Lost func(id string, cause error)
	Log  *slog.Logger
}

// Open connects to the server. It creates the stream and the buckets if they are
// missing.
func Open(ctx context.Context, cfg Config) (s *Store, err error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("the store %s: %w", Redacted(cfg.URL), err)
		}
	}()
	nc, err := nats.Connect(cfg.URL, cfg.options()...)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			nc.Close()
		}
	}()
	if n := nc.MaxPayload(); n < minPayload {
		return nil, fmt.Errorf("its max_payload is %d bytes, but must be at least %d", n, minPayload)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*callTimeout)
	defer cancel()
	stream, err := makeStream(ctx, js, cfg)
	if err != nil {
		return nil, err
	}
	owners, lifetime, err := makeOwners(ctx, js, cfg)
	if err != nil {
		return nil, err
	}
	questions, err := makeBucket(ctx, js, jetstream.KeyValueConfig{
		Bucket: questionsName, Description: "Requests for permission in the sessions of Turnwire", TTL: questionLife,
		Storage: jetstream.FileStorage, Replicas: cmp.Or(cfg.Replicas, 1),
	})
	if err != nil {
		return nil, err
	}
	if err := checkRights(ctx, js, owners, questions); err != nil {
		return nil, err
	}
	conn := newConnection(cfg, nc)
	s = &Store{
		cfg: cfg, id: unique(), conn: conn, archive: &archive{conn, js, stream},
		owners: owners, questions: questions, lifetime: lifetime, sessions: sessions{set: make(map[*owned]bool)},
	}
	conn.work.Go(func() { s.sessions.renew(conn, cmp.Or(cfg.Renew, lifetime/4)) })
	if err := s.answerAlive(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Redacted returns a URL, or a comma-separated list of them, without passwords.
func Redacted(urls string) string {
	all := strings.Split(urls, ",")
	for i, one := range all {
		u, err := url.Parse(strings.TrimSpace(one))
		switch {
		case err != nil:
			all[i] = "(not a URL)" // any part of it may be secret
		case u.User != nil:
			u.User = url.User("xxxxx") // the user name may be a token
			all[i] = u.String()
		}
	}
	return strings.Join(all, ",")
}

func (cfg Config) options() []nats.Option {
	o := []nats.Option{
		nats.Name(strings.TrimSpace("turnwire " + cfg.Owner)),
		nats.Timeout(callTimeout),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait),
		nats.ReconnectJitter(reconnectWait, reconnectWait),
		nats.ReconnectBufSize(-1), // we retry ourselves, to preserve the order
		nats.PingInterval(pingInterval),
		nats.MaxPingsOutstanding(pings),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			cfg.Log.Warn("the store reported an error", "error", err)
		}),
	}
	if cfg.Dial != nil {
		o = append(o, nats.SetCustomDialer(dialer(cfg.Dial)), nats.CustomReconnectDelay(func(int) time.Duration { return dialWait }))
	}
	if cfg.User != "" {
		o = append(o, nats.UserInfo(cfg.User, cfg.Password))
	}
	if cfg.Creds != "" {
		o = append(o, nats.UserCredentials(cfg.Creds))
	}
	if cfg.CA != "" {
		o = append(o, nats.RootCAs(cfg.CA))
	}
	if cfg.Cert != "" {
		o = append(o, nats.ClientCert(cfg.Cert, cfg.Key))
	}
	return o
}

// A dialer makes connections without a network.
type dialer func() (net.Conn, error)

// Dial implements [nats.CustomDialer].
func (d dialer) Dial(string, string) (net.Conn, error) { return d() }

func makeStream(ctx context.Context, js jetstream.JetStream, cfg Config) (jetstream.Stream, error) {
	stream, err := js.Stream(ctx, streamName)
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) {
		err = errors.New("JetStream is not enabled")
	}
	if err == nil || !errors.Is(err, jetstream.ErrStreamNotFound) {
		return stream, err
	}
	stream, err = js.CreateStream(ctx, jetstream.StreamConfig{
		Name: streamName, Description: "Sessions of Turnwire",
		Subjects: []string{recordsPrefix + ">", titlesPrefix + ">"},
		Storage:  jetstream.FileStorage, Replicas: cmp.Or(cfg.Replicas, 1),
		Discard: jetstream.DiscardNew, // when full, refuse messages rather than delete old ones
	})
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another server was faster, with other settings
		return js.Stream(ctx, streamName)
	}
	return stream, err
}

func makeOwners(ctx context.Context, js jetstream.JetStream, cfg Config) (jetstream.KeyValue, time.Duration, error) {
	owners, err := makeBucket(ctx, js, jetstream.KeyValueConfig{
		Bucket: ownersName, Description: "Who owns the sessions of Turnwire",
		TTL: cmp.Or(cfg.Lease, defaultLease), Storage: jetstream.FileStorage, Replicas: cmp.Or(cfg.Replicas, 1),
	})
	if err != nil {
		return nil, 0, err
	}
	// All servers must use the same lifetime.
	status, err := owners.Status(ctx)
	if err != nil {
		return nil, 0, err
	}
	if status.TTL() < time.Second/2 {
		return nil, 0, fmt.Errorf("the bucket %s has no TTL, so dead servers could not be detected", ownersName)
	}
	return owners, status.TTL(), nil
}

// makeBucket returns a bucket. It creates the bucket if it is missing.
func makeBucket(ctx context.Context, js jetstream.JetStream, cfg jetstream.KeyValueConfig) (jetstream.KeyValue, error) {
	bucket, err := js.KeyValue(ctx, cfg.Bucket)
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return bucket, err
	}
	bucket, err = js.CreateKeyValue(ctx, cfg)
	if errors.Is(err, jetstream.ErrBucketExists) { // another server was faster
		return js.KeyValue(ctx, cfg.Bucket)
	}
	return bucket, err
}

// ownerName returns the name of this server for others.
func (cfg Config) ownerName() string {
	return cmp.Or(cfg.Owner, fmt.Sprintf("process %d", os.Getpid()))
}
