package notify_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/notify"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

func TestADeliveryIsRetriedABoundedNumberOfTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, hook)
		s.answer = func(n int) (int, error) {
			if n == 1 {
				return 0, errors.New("the network is down")
			}
			return http.StatusServiceUnavailable, nil
		}
		s.opened()
		time.Sleep(time.Hour)
		synctest.Wait()
		all := s.take()
		var at []time.Duration
		for _, m := range all {
			at = append(at, m.at)
			require.Equal(t, all[0].body, m.body, "the same id")
		}
		require.Equal(t, []time.Duration{30 * time.Second, 31 * time.Second, 35 * time.Second, 51 * time.Second, 115 * time.Second}, at)
		require.Contains(t, s.log.String(), "the server responded with 503")
		require.NotContains(t, s.log.String(), "secret-path")
	})
}

func TestARefusedDeliveryIsNotRetried(t *testing.T) {
	for _, status := range []int{http.StatusForbidden, http.StatusFound} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t, hook)
			s.answer = func(int) (int, error) { return status, nil }
			s.opened()
			s.expect(time.Hour, "30s waits permission")
			require.Contains(t, s.log.String(), fmt.Sprintf("refused: the server responded with %d", status))
		})
	}
}

func TestATargetThatHangsDelaysNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		other := config.NotifyTarget{Type: config.NotifyDesktop}
		var shown atomic.Int64
		w := &web{start: time.Now(), hang: make(chan struct{})}
		log := new(bytes.Buffer)
		n := notify.New(notify.Options{
			Config: config.Notify{Targets: []config.NotifyTarget{hook, other}}, Transport: w, Log: slog.New(slog.NewTextHandler(log, nil)),
			Run: func(context.Context, notify.Command) (string, error) { shown.Add(1); return "", nil },
		})
		defer n.Close()
		report := n.Observe("a", func(string) int { return 0 })
		for i := range 100 {
			report(hub.Event{Kind: hub.RequestOpened, Session: strconv.Itoa(i), Request: 1})
			time.Sleep(time.Millisecond)
		}
		time.Sleep(31 * time.Second)
		synctest.Wait()
		require.EqualValues(t, 100, shown.Load())
		require.Len(t, w.take(), 1)
		require.Equal(t, 100-1-32, strings.Count(log.String(), "dropped a notification because too many are pending"))
	})
}

func TestClosingDropsWhatIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, hook)
		s.hang = make(chan struct{})
		s.opened()
		time.Sleep(31 * time.Second) // it is being sent
		s.event(hub.Event{Kind: hub.RequestOpened, Request: 2})
		s.n.Close()
		s.event(hub.Event{Kind: hub.RequestOpened, Request: 3})
		require.Len(t, s.take(), 1)
		s.expect(time.Hour)
	})
}

func TestATestReportsEachTargetsOutcome(t *testing.T) {
	refused := &web{answer: func(int) (int, error) { return http.StatusUnauthorized, nil }}
	n := notify.New(notify.Options{
		Config:    config.Notify{Targets: []config.NotifyTarget{hook, {Type: config.NotifyDesktop}}},
		Transport: refused, Run: func(context.Context, notify.Command) (string, error) { return "", nil },
	})
	defer n.Close()
	all := n.Test(t.Context())
	require.Len(t, all, 2)
	require.EqualError(t, all[0].Err, "refused: the server responded with 401")
	require.Equal(t, "webhook (1)", all[0].Target)
	require.Equal(t, notify.Result{Target: "desktop (2)"}, all[1])
}

func TestWithoutTargetsNothingIsObserved(t *testing.T) {
	n := notify.New(notify.Options{})
	require.Nil(t, n.Observe("a", nil))
	n.Close()
}
