package cli

import (
	"os"
	"slices"
	"time"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/page"
)

// maxFolders limits how many folders the page offers.
const maxFolders = 50

// folders returns the folders that the page offers for new chats: the server's own, those
// in turnwire.json, and those of the sessions that the page may see. Folders that don't
// exist are left out. It doesn't wait for a file system that hangs.
func (h *hubs) folders(own string, sessions []page.Session) []string {
	offered, err := config.Find(h.options.agent.config, ".").Folders()
	if err != nil {
		h.log.Warn("the folders in turnwire.json", "error", err)
	}
	for _, s := range sessions {
		offered = append(offered, s.Cwd)
	}
	found := make(chan []string, 1)
	go func() {
		all := []string{own}
		for _, folder := range offered {
			if len(all) == maxFolders || slices.Contains(all, folder) {
				continue
			}
			if info, err := os.Stat(folder); err == nil && info.IsDir() {
				all = append(all, folder)
			}
		}
		found <- all
	}()
	late := time.NewTimer(keptTime)
	defer late.Stop()
	select {
	case all := <-found:
		return all
	case <-late.C:
		h.log.Warn("the page offers only the server's own folder because a file system does not respond")
		return []string{own}
	}
}
