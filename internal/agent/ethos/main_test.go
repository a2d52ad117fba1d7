package ethos_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

// playEnv makes this binary act as `ethos acp`.
const playEnv = "TURNWIRE_TEST_PLAY_ETHOS"

func TestMain(m *testing.M) {
	child.RunGuard()
	if part := os.Getenv(playEnv); part != "" {
		play(part)
		return
	}
	goleak.VerifyTestMain(m)
}
