package quirks

import (
	"path/filepath"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// absolute returns a call, or an update of it, with absolute paths in its locations and
// diffs, as ACP requires.
func absolute(body []byte, cwd string) []byte {
	if cwd == "" {
		return body
	}
	for _, list := range []string{"locations", "content"} {
		value, _, _ := rawmsg.Member(body, list)
		if changed := absoluteList(value, cwd); changed != nil {
			body = rawmsg.Set(body, list, changed)
		}
	}
	return body
}

// absoluteList returns a list of objects with absolute paths, or nil if nothing
// changes.
func absoluteList(list []byte, cwd string) []byte {
	if len(list) == 0 || list[0] != '[' {
		return nil
	}
	changed := false
	out := []byte{'['}
	for element := range rawjson.Elements(list) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		if element[0] == '{' {
			if path := rawmsg.MemberText(element, "path"); path != "" && !filepath.IsAbs(path) {
				changed = true
				element = rawmsg.Set(element, "path", rawmsg.Quote(filepath.Join(cwd, path)))
			}
		}
		out = append(out, element...)
	}
	if !changed {
		return nil
	}
	return append(out, ']')
}
