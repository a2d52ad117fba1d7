package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
)

// Key returns the [Choice].Key of the agent called name, or of one that the command line
// describes. A configured agent keeps its key when its configuration changes.
func Key(name, url string, command []string) string {
	if len(command) == 0 && url == "" {
		return name
	}
	h := sha256.New()
	for _, arg := range append([]string{name, url}, command...) {
		fmt.Fprintf(h, "%d:%s", len(arg), arg)
	}
	if len(command) > 0 {
		name = filepath.Base(command[0])
	}
	return name + ":" + hex.EncodeToString(h.Sum(nil)[:6])
}
