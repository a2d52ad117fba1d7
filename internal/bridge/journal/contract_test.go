package journal_test

import (
	"testing"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/storetest"
)

func TestFilesKeepTheContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) journal.Keeper { return journal.NewFolder(t.TempDir()) })
}
