package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// An exchange is a connection by HTTP requests. Messages are posted one after another,
// so that they arrive in order.
type exchange struct {
	conn  *Conn
	ended chan error // receives the reason for the end of the connection
	// greeted is closed when the response to initialize was read. Nothing else may be
	// delivered before.
	greeted chan struct{}

	// The following fields are for connections that can be resumed. resumable and instance
	// are set before anything is queued.
	queue     *unacked
	outage    *outage // nil if resumption is not wanted
	resumable bool
	instance  string // the server's process, if it is Turnwire's

	mu      sync.Mutex
	id      string                    // of the connection
	streams map[string]*stream        // by session; "" for the connection
	asked   map[string]string         // by id of the server's requests: their sessions
	sent    map[string]remote.Message // by id of our unanswered requests about sessions
	about   map[string]about          // by session, if such a request is unanswered
	closed  map[string]int64          // by session without a stream: the number of its last event
	due     chan struct{}             // signals that the server must know what was received
	done    []namedStream             // streams of which it does not know that they were received whole
}

func newExchange(c *Conn) *exchange {
	x := &exchange{
		conn: c, ended: make(chan error, 1), greeted: make(chan struct{}), queue: newUnacked(),
		streams: make(map[string]*stream), asked: make(map[string]string), sent: make(map[string]remote.Message), about: make(map[string]about), closed: make(map[string]int64), due: make(chan struct{}, 1),
	}
	if c.config.Resume != nil {
		x.outage = newOutage(c, *c.config.Resume)
	}
	return x
}

func (x *exchange) run(ctx context.Context) error {
	select {
	case err := <-x.ended:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// fail ends the connection.
func (x *exchange) fail(err error) {
	select {
	case x.ended <- err:
	default:
	}
}

func (x *exchange) connection() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.id
}

func (x *exchange) send(line []byte) error {
	m, err := remote.Parse(line)
	if err != nil && x.connection() != "" {
		x.unreadable(line, err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("not a JSON-RPC message: %w", err)
	}
	if x.connection() == "" {
		return x.initialize(line, m)
	}
	if x.resumable {
		return x.queue.add(x.conn.ctx, line)
	}
	scope := x.scope(m)
	if x.needsStream(m, scope) {
		if err := x.open(scope, nil).await(x.conn.ctx); err != nil {
			return err
		}
	}
	return x.post(line, m, scope)
}

// scope returns the session that a message belongs to, or "".
func (x *exchange) scope(m remote.Message) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if m.IsAnswer() {
		session := x.asked[m.ID]
		delete(x.asked, m.ID)
		return session
	}
	session := m.Scope()
	if m.IsRequest() && session != "" {
		a := x.about[session]
		a.unanswered++
		a.ended = a.ended && !m.OpensSession()
		x.about[session] = a
		x.sent[m.ID] = m
	}
	return session
}

// initialize starts the connection.
func (x *exchange) initialize(line []byte, m remote.Message) error {
	if !m.IsInitialize() {
		return errors.New("the first message of a connection must be initialize")
	}
	if x.outage != nil {
		line = askToResume(line)
	}
	header, answer, err := x.greet(line)
	if err != nil {
		return x.conn.noConnection(err)
	}
	a, err := remote.Parse(answer)
	if err != nil || !a.IsAnswer() || a.ID != m.ID {
		return x.conn.noConnection(errors.New("the initialize response is invalid; check that the server speaks the Agent Client Protocol over HTTP"))
	}
	id := header.Get(remote.HeaderConnection)
	if id == "" {
		return x.conn.noConnection(errors.New("the initialize response has no Acp-Connection-Id header"))
	}
	if x.outage != nil {
		// Other servers' positions in a stream need not be numbers, and they may accept a
		// repeated message twice.
		x.instance = header.Get(remote.HeaderInstance)
		var offered bool
		answer, offered = takeOffer(answer)
		x.resumable = offered && x.instance != ""
	}
	x.mu.Lock()
	x.id = id
	x.mu.Unlock()
	if x.resumable {
		x.conn.start(x.drain)
		x.conn.start(x.report)
	}
	return x.open("", answer).await(x.conn.ctx)
}

// greet posts "initialize", and returns the response. If that is wanted, it waits for a
// server that can't be reached.
func (x *exchange) greet(line []byte) (header http.Header, answer []byte, err error) {
	a := newAttempts(x.outage)
	for began := time.Now(); ; {
		header, answer, err = x.greetOnce(line)
		if err == nil || x.outage == nil || !x.outage.resume.Await || hopeless(err) || x.conn.ctx.Err() != nil {
			return header, answer, err
		}
		if patience := x.outage.resume.Patience; patience > 0 && time.Since(began) > patience {
			return nil, nil, err
		}
		if err := a.wait(x.conn.ctx); err != nil {
			return nil, nil, err
		}
	}
}

func (x *exchange) greetOnce(line []byte) (http.Header, []byte, error) {
	ctx, cancel := context.WithTimeoutCause(x.conn.ctx, answerTimeout, errLate)
	defer cancel()
	r, err := x.request(ctx, http.MethodPost, bytes.NewReader(line), "", "", "", "")
	if err != nil {
		return nil, nil, plain(ctx, err)
	}
	defer r.Body.Close() //nolint:errcheck // it was read
	if r.StatusCode != http.StatusOK {
		return nil, nil, statusError(r)
	}
	answer, err := io.ReadAll(io.LimitReader(r.Body, maxMessage))
	if err != nil {
		return nil, nil, plain(ctx, err)
	}
	return r.Header, remote.OneLine(answer), nil
}

// post posts a message.
func (x *exchange) post(line []byte, m remote.Message, session string) error {
	r, err := x.request(x.conn.ctx, http.MethodPost, bytes.NewReader(line), x.connection(), session, "", "")
	if err != nil {
		return x.conn.lost(plain(x.conn.ctx, err))
	}
	defer r.Body.Close() //nolint:errcheck // it was read, or does not matter
	if r.StatusCode/100 == 2 {
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, maxDetail))
		return nil
	}
	failure := statusError(r)
	switch r.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		return x.conn.lost(failure) // the connection is no longer usable
	}
	return x.refused(m, failure)
}

// refused answers a request that the server refused. A notification that makes no sense is
// dropped. The loss of any other message ends the connection.
func (x *exchange) refused(m remote.Message, failure error) error {
	if status, ok := errors.AsType[*StatusError](failure); ok && status.Status == http.StatusBadRequest && !m.IsAnswer() && !m.IsRequest() {
		x.conn.config.Log.Warn("the server refused a notification", "method", m.Method, "error", failure)
		return nil
	}
	if !m.IsRequest() {
		return x.conn.lost(failure) // the server would wait forever for this response
	}
	x.mu.Lock()
	x.answered(m.ID, false)
	x.mu.Unlock()
	x.conn.config.Log.Warn("the server refused a request", "method", m.Method, "error", failure)
	x.answer(refusal(m, failure))
	return nil
}

// unreadable answers a line that isn't a message, as a server does that gets one.
func (x *exchange) unreadable(line []byte, cause error) {
	code := -32700
	if json.Valid(line) {
		code = -32600
	}
	text, _ := json.Marshal(cause.Error()) // a string can always be encoded
	x.answer(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s}}`, code, text))
}

// answer delivers a response that the server didn't send.
func (x *exchange) answer(response []byte) {
	x.conn.start(func() { // the writer may not read until the write returns
		select {
		case <-x.greeted:
			_ = x.conn.deliver(response)
		case <-x.conn.ctx.Done():
		}
	})
}

// refusal returns the error response to a request that the server refused.
func refusal(m remote.Message, cause error) []byte {
	text, _ := json.Marshal(cause.Error()) // a string can always be encoded
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":%s}}`, m.AppendID(nil), text)
}

// request sends an HTTP request. It has another header if value is not "".
func (x *exchange) request(ctx context.Context, method string, body io.Reader, connection, session, name, value string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, x.conn.config.URL, body)
	if err != nil {
		return nil, err
	}
	for key, values := range x.conn.config.Header {
		r.Header[http.CanonicalHeaderKey(key)] = values
	}
	switch method {
	case http.MethodPost:
		r.Header.Set("Content-Type", remote.TypeJSON)
		r.Header.Set("Accept", remote.TypeJSON)
	case http.MethodGet:
		r.Header.Set("Accept", remote.TypeEvents)
	}
	if connection != "" {
		r.Header.Set(remote.HeaderConnection, connection)
	}
	if session != "" {
		r.Header.Set(remote.HeaderSession, session)
	}
	if value != "" {
		r.Header.Set(name, value)
	}
	return x.conn.http.Do(r)
}

func (x *exchange) close(ctx context.Context) {
	id := x.connection()
	if id == "" {
		return
	}
	if x.resumable {
		x.settle(ctx)
	}
	r, err := x.request(ctx, http.MethodDelete, http.NoBody, id, "", "", "")
	if err != nil {
		x.conn.config.Log.Debug("the server was not notified of the disconnect", "error", plain(ctx, err))
		return
	}
	_ = r.Body.Close()
}
