package setup_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup"
)

func TestALockIsExclusiveUntilItIsReleased(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "not", "there")
	unlock, err := setup.Lock(t.Context(), folder)
	require.NoError(t, err)

	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = setup.Lock(impatient, folder)
	require.ErrorIs(t, err, context.Canceled)

	waited := make(chan error)
	go func() {
		unlock, err := setup.Lock(t.Context(), folder)
		if err == nil {
			unlock()
		}
		waited <- err
	}()
	unlock()
	require.NoError(t, <-waited)
}
