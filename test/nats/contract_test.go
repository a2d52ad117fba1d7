package nats

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
	"github.com/turnwire/turnwire/internal/bridge/journal/storetest"
)

func TestNATSKeepsTheContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) journal.Keeper {
		return openStore(t, natsstore.Config{URL: startNATS(t, nil).ClientURL()})
	})
}

// Records are split into many parts.
func TestNATSWithShortMessagesKeepsTheContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) journal.Keeper {
		s := startNATS(t, func(o *server.Options) { o.MaxPayload = 10 << 10 })
		return openStore(t, natsstore.Config{URL: s.ClientURL()})
	})
}
