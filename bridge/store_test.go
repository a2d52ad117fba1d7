package bridge_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/test/memdisk"
)

// A permission request is saved in case its user takes long. A cancel refuses it at once, although
// the store is silent.
func TestACancelDoesNotWaitForTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := memdisk.New()
		p := newPuppet()
		e := connect(t, p, keeping(journal.NewFolderIn(disk, "/saved")))
		e.initialize(`{}`)
		s := e.newSession(p)
		e.write(promptS1("2", "tea"))
		s.command()
		const silence = 10 * patience
		disk.Slow(silence)
		s.say(askToEdit)
		synctest.Wait()
		e.notify("session/cancel", `{"sessionId":"S1"}`)
		synctest.Wait()
		requireRefusedOnce(t, s.received())
		disk.Slow(0)
		time.Sleep(2 * silence) // what is under way takes that long
	})
}
