package check

import (
	"net/url"
	"path/filepath"
)

// uri returns a file name as a URI. A relative name stays relative.
func uri(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return u.String()
}
