package notify_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/notify"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// A sent is a request that a target received.
type sent struct {
	at     time.Duration // since the start of the test
	url    string
	header http.Header
	body   string
}

// A web plays all web servers.
type web struct {
	start  time.Time
	answer func(attempt int) (status int, err error) // nil means 200

	mu   sync.Mutex
	all  []sent
	hang chan struct{} // if not nil, requests wait until it is closed or they are cancelled
}

// RoundTrip implements [http.RoundTripper].
func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.all = append(w.all, sent{time.Since(w.start), r.URL.String(), r.Header, string(body)})
	n := len(w.all)
	w.mu.Unlock()
	if w.hang != nil {
		select {
		case <-w.hang:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	status := http.StatusOK
	if w.answer != nil {
		if status, err = w.answer(n); err != nil {
			return nil, err
		}
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Location": {"http://elsewhere/"}}, Body: io.NopCloser(strings.NewReader("ok")), Request: r}, nil
}

func (w *web) take() []sent {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.all
	w.all = nil
	return all
}

// A scene is a notifier that observes the sessions of one agent.
type scene struct {
	*web

	t       *testing.T
	n       *notify.Notifier
	active  atomic.Int64
	running int
	report  func(hub.Event)
	log     *bytes.Buffer
}

func newScene(t *testing.T, targets ...config.NotifyTarget) *scene {
	s := &scene{t: t, web: &web{start: time.Now()}, log: new(bytes.Buffer)}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	s.n = notify.New(notify.Options{Config: config.Notify{Page: "https://build.example.org/", Targets: targets}, Transport: s.web, Log: log})
	s.report = s.n.Observe("ethos", func(string) int { return int(s.active.Load()) })
	t.Cleanup(s.n.Close)
	return s
}

// event reports an event of the session s1.
func (s *scene) event(e hub.Event) {
	switch e.Kind {
	case hub.TurnBegan:
		s.running++
	case hub.TurnEnded:
		s.running--
	}
	e.Session, e.Title, e.Active, e.Running = "s1", "Fix the tests", int(s.active.Load()), s.running
	s.report(e)
}

func (s *scene) opened()        { s.event(hub.Event{Kind: hub.RequestOpened, Request: 1}) }
func (s *scene) closed(n int64) { s.event(hub.Event{Kind: hub.RequestClosed, Request: n}) }
func (s *scene) began()         { s.event(hub.Event{Kind: hub.TurnBegan}) }
func (s *scene) ended(o hub.Outcome) {
	s.event(hub.Event{Kind: hub.TurnEnded, Outcome: o})
}

// expect lets time pass, and then checks the events and times of the messages since the
// last check.
func (s *scene) expect(wait time.Duration, want ...string) {
	s.t.Helper()
	time.Sleep(wait)
	synctest.Wait()
	var got []string
	for _, m := range s.take() {
		var body notify.Message
		require.NoError(s.t, json.Unmarshal([]byte(m.body), &body), m.body)
		got = append(got, strings.TrimSpace(fmt.Sprint(m.at, " ", body.Event, " ", body.Request)))
	}
	require.Equal(s.t, want, got)
}

var hook = config.NotifyTarget{Type: config.NotifyWebhook, URL: "https://hooks.example.org/secret-path"}

func TestAWaitingSessionIsReportedAfterTheDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, hook)
		s.began()
		s.opened()
		s.expect(29 * time.Second)
		s.expect(time.Second, "30s waits permission")
		s.expect(time.Hour)
	})
}

func TestAnAnsweredRequestIsNotReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, hook)
		s.began()
		s.opened()
		s.expect(29 * time.Second)
		s.closed(1)
		s.expect(time.Hour)
	})
}

func TestTheDelayBeginsWhenTheLastClientLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, hook)
		s.active.Store(1)
		s.began()
		s.opened()
		s.expect(10*time.Minute + time.Second)
		s.active.Store(0) // noticed at the next look, after a second
		s.expect(30 * time.Second)
		s.expect(time.Second, "10m32s waits permission")
	})
}

func TestAClientThatReturnsRestartsTheDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, hook)
		s.opened()
		s.expect(20 * time.Second)
		s.active.Store(1)
		s.expect(5 * time.Second)
		s.active.Store(0)
		s.expect(30 * time.Second)
		s.expect(time.Second, "56s waits permission")
	})
}

func TestParallelRequestsAreReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, hook)
		s.opened()
		time.Sleep(time.Second)
		s.event(hub.Event{Kind: hub.RequestOpened, Request: 2, Question: true})
		s.expect(time.Minute, "30s waits permission")
		s.event(hub.Event{Kind: hub.RequestOpened, Request: 3, Question: true})
		s.closed(1)
		s.expect(time.Hour) // the user knows of the second, and will see the third
		s.closed(2)
		s.expect(time.Minute, "1h1m31s waits question")
	})
}

func TestAnUnseenEndIsReportedOnlyOfALongTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, hook)
		s.began()
		time.Sleep(29 * time.Second)
		s.ended(hub.Done)
		s.expect(time.Minute)
		s.began()
		time.Sleep(30 * time.Second)
		s.ended(hub.Done)
		s.expect(29 * time.Second)
		s.expect(time.Second, "2m29s ended")
		s.expect(time.Hour)
	})
}

func TestATurnThatSomebodySawIsNotReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, hook)
		s.active.Store(1)
		s.began()
		time.Sleep(time.Minute)
		s.ended(hub.Failed)
		s.active.Store(0)
		s.expect(time.Hour)

		s.began()
		time.Sleep(time.Minute)
		s.ended(hub.Done)
		time.Sleep(10 * time.Second)
		s.active.Store(1) // looks at it
		time.Sleep(10 * time.Second)
		s.active.Store(0)
		s.expect(time.Hour)

		s.began()
		time.Sleep(time.Minute)
		s.ended(hub.Cancelled)
		s.expect(time.Hour)

		s.began()
		s.began()
		time.Sleep(time.Minute)
		s.ended(hub.Done) // the next prompt is running
		s.expect(time.Hour)
		s.ended(hub.Done)
		s.began()
		s.expect(time.Hour)
	})
}

func TestAFailureIsReportedHoweverShortTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, hook)
		s.began()
		s.ended(hub.Failed)
		s.expect(time.Hour, "30s failed")
	})
}

func TestTargetsChooseTheirEventsAndDelays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		early, failures := hook, hook
		early.After = config.Duration(time.Second)
		early.Events = []string{config.NotifyWaits}
		failures.Events = []string{config.NotifyFailed}
		s := newScene(t, failures, early)
		s.opened()
		s.expect(time.Hour, "1s waits permission")
		s.began()
		s.ended(hub.Failed)
		s.closed(1)
		s.expect(time.Hour, "1h0m30s failed")
	})
}

func TestAMessageNamesNoContent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signed := hook
		signed.Secret = "key"
		s := newScene(t, signed)
		s.opened()
		time.Sleep(time.Minute)
		synctest.Wait()
		all := s.take()
		require.Len(t, all, 1)
		timestamp := all[0].header.Get("Turnwire-Timestamp")
		require.Equal(t, strconv.FormatInt(s.start.Add(30*time.Second).Unix(), 10), timestamp)
		mac := hmac.New(sha256.New, []byte("key"))
		mac.Write([]byte(timestamp + "." + all[0].body))
		require.Equal(t, "sha256="+hex.EncodeToString(mac.Sum(nil)), all[0].header.Get("Turnwire-Signature"))
		require.Equal(t, "application/json", all[0].header.Get("Content-Type"))

		var body map[string]any
		require.NoError(t, json.Unmarshal([]byte(all[0].body), &body))
		require.NotEmpty(t, body["id"])
		delete(body, "id")
		require.Equal(t, map[string]any{
			"event": "waits", "agent": "ethos", "session": "s1", "title": "Fix the tests", "request": "permission",
			"time": s.start.Add(30 * time.Second).Format(time.RFC3339), "page": "https://build.example.org/#session=s1",
		}, body)
	})
}

func TestNtfyGetsATitleAndATextLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, config.NotifyTarget{Type: config.NotifyNtfy, URL: "https://ntfy.example.org/me", Token: "tk"})
		report := s.n.Observe("ağent\r\nX-Evil: 1", func(string) int { return 0 })
		s.event(hub.Event{Kind: hub.RequestOpened, Request: 1, Question: true})
		report(hub.Event{Kind: hub.RequestOpened, Session: "s2", Request: 1})
		time.Sleep(time.Minute)
		synctest.Wait()
		all := s.take()
		require.Len(t, all, 2)
		if all[0].body != "Fix the tests" {
			all[0], all[1] = all[1], all[0]
		}
		require.Equal(t, sent{30 * time.Second, "https://ntfy.example.org/me", http.Header{
			"Title": {"Turnwire: ethos asks a question"}, "Authorization": {"Bearer tk"}, "Click": {"https://build.example.org/#session=s1"},
			"Content-Type": {"text/plain; charset=utf-8"}, "User-Agent": {"turnwire"},
		}, "Fix the tests"}, all[0])
		require.Equal(t, "Session s2", all[1].body)
		require.Regexp(t, `^=\?utf-8\?b\?[A-Za-z0-9+/=?_ -]+$`, all[1].header.Get("Title"))
		require.NotContains(t, all[1].header, "X-Evil")
	})
}

func TestATargetMayGetNoTitles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		untitled := hook
		untitled.Title = new(bool)
		s := newScene(t, untitled, hook)
		s.opened()
		time.Sleep(time.Minute)
		synctest.Wait()
		all := s.take()
		require.Len(t, all, 2)
		require.NotEqual(t, strings.Contains(all[0].body, "Fix the tests"), strings.Contains(all[1].body, "Fix the tests"))
	})
}
