package cli

import (
	"os"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/page"
)

const (
	// maxFolders limits how many folders the page offers.
	maxFolders = 50
	// maxChecked limits how many are looked for.
	maxChecked = 200
)

// A folderCheck is the state of the search for the folders that exist.
type folderCheck struct {
	busy  atomic.Bool // a file system may hang
	known atomic.Pointer[[]string]
}

// last returns the last result, or only the server's own folder.
func (c *folderCheck) last(own string) []string {
	if known := c.known.Load(); known != nil {
		return *known
	}
	return []string{own}
}

// folders returns the folders that the page offers for new chats: the server's own, those
// in turnwire.json, and those of the sessions that the page may see. Folders that don't
// exist are left out. It doesn't wait for a file system that hangs, and then returns what it
// found before.
func (h *hubs) folders(own string, sessions []page.Session) []string {
	offered, err := config.Find(h.options.agent.config, ".").Folders()
	if err != nil {
		h.log.Warn("the folders in turnwire.json", "error", err)
	}
	for _, s := range sessions {
		offered = append(offered, s.Cwd)
	}
	if !h.checked.busy.CompareAndSwap(false, true) {
		return h.checked.last(own)
	}
	found := make(chan []string, 1)
	go func() {
		defer h.checked.busy.Store(false)
		all := existing(own, offered)
		h.checked.known.Store(&all)
		found <- all
	}()
	late := time.NewTimer(keptTime)
	defer late.Stop()
	select {
	case all := <-found:
		return all
	case <-late.C:
		h.log.Warn("the page offers no new folders because a file system does not respond")
		return h.checked.last(own)
	}
}

// existing returns own and those of the offered folders that exist.
func existing(own string, offered []string) []string {
	all, checked := []string{own}, map[string]bool{own: true}
	for _, folder := range offered {
		if len(all) == maxFolders || len(checked) == maxChecked {
			break
		}
		if checked[folder] {
			continue
		}
		checked[folder] = true
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			all = append(all, folder)
		}
	}
	return all
}
