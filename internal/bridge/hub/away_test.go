package hub_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/hub"
)

func TestAnAbsentClientIsNotListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		var away atomic.Bool
		s.open(s.join("one"))
		two := s.connect(t, hub.Client{Away: away.Load})
		two.say(hello, "two")
		two.hear()
		s.load(two)
		require.Equal(t, []string{"one", "two"}, s.hub.Sessions()[0].Clients)
		away.Store(true)
		require.Equal(t, []string{"one"}, s.hub.Sessions()[0].Clients)
		away.Store(false)
		require.Equal(t, []string{"one", "two"}, s.hub.Sessions()[0].Clients)
	})
}
