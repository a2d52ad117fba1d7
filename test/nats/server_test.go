package nats

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
)

// number returns a number from the environment.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// until waits until a condition holds. Unlike require.Eventually it checks the
// condition in the test's goroutine, so the condition may use require.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	late := time.After(deadline)
	for !holds() {
		select {
		case <-late:
			require.FailNow(t, "not yet: "+what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// startNATS runs a NATS server in this process.
func startNATS(t *testing.T, change func(*server.Options)) *server.Server {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true}
	if change != nil {
		change(o)
	}
	s, err := server.NewServer(o)
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	require.True(t, s.ReadyForConnections(30*time.Second))
	return s
}

// openStore opens a store that is closed at the end of the test.
func openStore(t *testing.T, cfg natsstore.Config) *natsstore.Store {
	t.Helper()
	s, err := natsstore.Open(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() }) // a test may have stopped the server
	return s
}
