package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
)

// keyBytes is the size of a key's hash.
const keyBytes = 6

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
	return name + ":" + hex.EncodeToString(h.Sum(nil)[:keyBytes])
}

// NameOfKey returns the part of a [Key] that users recognize: the configured name, or the
// name of the program.
func NameOfKey(key string) string {
	name, hash, found := strings.Cut(key, ":")
	if _, err := hex.DecodeString(hash); !found || err != nil || len(hash) != 2*keyBytes {
		return key
	}
	return name
}
