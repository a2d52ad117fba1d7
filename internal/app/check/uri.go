package check

import (
	"net/url"
	"path/filepath"
)

// uri is the name of a file as a URI; a relative one stays relative.
func uri(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return u.String()
}
