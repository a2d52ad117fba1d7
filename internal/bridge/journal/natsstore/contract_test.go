package natsstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
	"github.com/turnwire/turnwire/internal/bridge/journal/storetest"
	"github.com/turnwire/turnwire/internal/test/memnats"
)

// open opens a store on a model of NATS.
func open(t *testing.T, s *memnats.Server, cfg natsstore.Config) *natsstore.Store {
	t.Helper()
	cfg.URL = "nats://127.0.0.1:4222"
	if cfg.Dial == nil {
		cfg.Dial = s.Link().Dial
	}
	store, err := natsstore.Open(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

// The tests in test/nats check the same against a real server.
func TestTheStoreKeepsTheContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) journal.Keeper { return open(t, memnats.New(0), natsstore.Config{}) })
}

// Records are split into many parts.
func TestTheStoreKeepsTheContractWithShortMessages(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) journal.Keeper { return open(t, memnats.New(10<<10), natsstore.Config{}) })
}
