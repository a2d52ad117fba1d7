package notify_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/notify"
	"github.com/turnwire/turnwire/internal/app/push"
	"github.com/turnwire/turnwire/internal/app/push/pushtest"
	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

type noTokens struct{}

func (noTokens) Fingerprint(string) string { return "" }

// subscribed returns a store with a browser at each host, and their push services.
func subscribed(t *testing.T, hosts ...string) (*push.Store, *pushtest.Service) {
	store, err := push.Open(t.TempDir(), noTokens{}, true, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	service := &pushtest.Service{T: t, Key: store.Key()}
	for _, host := range hosts {
		subscribe(t, store, service, host)
	}
	return store, service
}

// subscribe adds a browser with an endpoint at a host.
func subscribe(t *testing.T, store *push.Store, service *pushtest.Service, host string) {
	b := pushtest.NewBrowser(t, "https://"+host+"/send")
	service.Browsers = append(service.Browsers, b)
	body, err := json.Marshal(map[string]any{"subscribe": b.Subscription()})
	require.NoError(t, err)
	w := httptest.NewRecorder()
	g := &guard.Guard{Log: slog.New(slog.DiscardHandler)}
	g.Wrap(store).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/page/push", strings.NewReader(string(body))))
	require.Equal(t, http.StatusNoContent, w.Code, w.Body)
}

// newPages returns a scene whose only target are the subscribed pages.
func newPages(t *testing.T, store *push.Store, service *pushtest.Service, targets ...config.NotifyTarget) *scene {
	s := &scene{t: t, web: &web{start: time.Now()}}
	s.n = notify.New(notify.Options{Config: config.Notify{Targets: targets}, Push: store, PushVia: &http.Client{Transport: service}})
	s.report = s.n.Observe("ethos", func(string) int { return int(s.active.Load()) })
	t.Cleanup(s.n.Close)
	return s
}

func TestSubscribedPagesAreNotified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, service := subscribed(t, "a.example.com", "b.example.com")
		s := newPages(t, store, service)
		s.began()
		s.opened()
		time.Sleep(29 * time.Second)
		synctest.Wait()
		require.Empty(t, service.Texts())
		time.Sleep(time.Second)
		synctest.Wait()
		const text = ` {"title":"Turnwire: ethos asks for permission","text":"Fix the tests","session":"s1"}`
		got := service.Texts()
		slices.Sort(got)
		require.Equal(t, []string{"a.example.com" + text, "b.example.com" + text}, got)

		s.closed(1)
		s.ended(hub.Failed)
		time.Sleep(30 * time.Second)
		synctest.Wait()
		for _, m := range service.Take() {
			require.Contains(t, m.Text, "Turnwire: ethos failed")
			require.Equal(t, "normal", m.Header.Get("Urgency"))
		}
	})
}

func TestPagesHaveSettingsOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, service := subscribed(t, "a.example.com")
		s := newPages(t, store, service, config.NotifyTarget{
			Type: config.NotifyPush, After: config.Duration(time.Second), Events: []string{config.NotifyWaits}, Title: new(bool),
		})
		s.began()
		s.opened()
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, []string{`a.example.com {"title":"Turnwire: ethos asks for permission","text":"Session s1","session":"s1"}`}, service.Texts())
		s.closed(1)
		s.ended(hub.Failed)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Empty(t, service.Texts())
	})
}

func TestAPushServiceThatFailsDelaysOnlyItsBrowsers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, service := subscribed(t, "a.example.com", "b.example.com")
		service.Status = func(host string) int {
			if host == "a.example.com" {
				return http.StatusServiceUnavailable
			}
			return http.StatusCreated
		}
		s := newPages(t, store, service)
		s.opened()
		time.Sleep(31 * time.Second)
		s.closed(1)
		s.event(hub.Event{Kind: hub.RequestOpened, Request: 2})
		time.Sleep(time.Hour)
		synctest.Wait()
		counts := map[string]int{}
		for _, m := range service.Take() {
			counts[m.Host]++
		}
		require.Equal(t, map[string]int{"a.example.com": 10, "b.example.com": 2}, counts)
	})
}

func TestAPageThatSubscribesLaterIsNotified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, service := subscribed(t)
		s := newPages(t, store, service)
		s.opened()
		time.Sleep(time.Hour)
		subscribe(t, store, service, "a.example.com")
		s.closed(1)
		s.event(hub.Event{Kind: hub.RequestOpened, Request: 2})
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Len(t, service.Texts(), 1)
	})
}

func TestATestReachesPages(t *testing.T) {
	store, service := subscribed(t, "a.example.com")
	n := notify.New(notify.Options{Push: store, PushVia: &http.Client{Transport: service}})
	defer n.Close()
	require.Equal(t, []notify.Result{{Target: "push (1)"}}, n.Test(t.Context()))
	require.Equal(t, []string{`a.example.com {"title":"Turnwire: a test","text":"Notifications arrive here."}`}, service.Texts())
}
