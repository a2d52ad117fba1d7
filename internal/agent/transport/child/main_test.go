package child_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

func TestMain(m *testing.M) {
	child.RunGuard()
	if os.Getenv(parentVariable) != "" {
		beParent()
	}
	goleak.VerifyTestMain(m)
}
