package acp

import (
	"log/slog"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func TestNoTurnBeginsWithAChildThatHasEndedMeanwhile(t *testing.T) {
	l, err := start(
		Config{Args: []string{os.Args[0]}, Env: append(os.Environ(), "ACP_STAND_IN=dies"), StartTimeout: defaultStartTimeout},
		agent.Options{Cwd: t.TempDir(), Log: slog.New(slog.DiscardHandler)}, func() {})
	require.NoError(t, err)
	defer l.kill()
	<-l.gone
	_, err = l.open(3, nil)
	require.ErrorContains(t, err, "no kettle found", "nobody would ever end the turn")
}
