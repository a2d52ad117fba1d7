package core

import (
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxAccepted limits the size of the texts of a partial answer, as JSON.
const maxAccepted = 16 << 20

// An Accepted is the text that the user accepts for a file instead of the one that a
// permission request shows.
type Accepted struct {
	Path    string
	OldText *string // in the request's diff; nil if the file is new
	NewText string  // in the request's diff
	Text    string
}

// A Change is a file change that a permission request shows.
type Change struct {
	Path    string  `json:"path"`
	OldText *string `json:"oldText"`
	NewText *string `json:"newText"` // not nil
}

// accepted returns the texts in an answer that chooses an option, or nil if they are the
// ones that the request shows. The answer counts only if the request allows parts, if the
// option allows the call once, and if the texts are those of the request's files, each
// once. If it accepts nothing of the changes, it contradicts itself.
func accepted(texts []byte, chosen consent.Option, params []byte) (list []Accepted, ok bool) {
	shown := partialChanges(params)
	var given []v1.AcceptedText
	if len(shown) == 0 || chosen.Kind != string(v1.AllowOnce) || len(texts) > maxAccepted ||
		exactjson.Unmarshal(texts, &given) != nil || len(given) != len(shown) {
		return nil, false
	}
	var less, more bool // than what is shown, and than nothing
	for _, t := range given {
		c, known := shown[t.Path]
		if !known || t.NewText == nil {
			return nil, false
		}
		delete(shown, t.Path) // a second text would be ambiguous
		less = less || *t.NewText != *c.NewText
		more = more || c.OldText == nil || *t.NewText != *c.OldText
		list = append(list, Accepted{t.Path, c.OldText, *c.NewText, *t.NewText})
	}
	if !less {
		list = nil
	}
	return list, more
}

// partialChanges returns the file changes of a permission request by path, if the user may
// accept a part of them.
func partialChanges(params []byte) map[string]Change {
	if partial, _, _ := rawmsg.Member(object(params, "_meta"), v1.PartialMeta); string(partial) != "true" {
		return nil
	}
	return Changes(params)
}

// Changes returns the file changes that a permission request shows, by path. It returns nil
// if one of them is incomplete, or if a file has several.
func Changes(params []byte) map[string]Change {
	content, _, _ := rawmsg.Member(object(params, "toolCall"), "content")
	if len(content) == 0 || content[0] != '[' {
		return nil
	}
	all := make(map[string]Change)
	for item := range rawjson.Elements(content) {
		if item[0] != '{' || rawmsg.MemberText(item, "type") != "diff" {
			continue
		}
		var c Change
		if exactjson.Unmarshal(item, &c) != nil || c.NewText == nil || all[c.Path].NewText != nil {
			return nil
		}
		all[c.Path] = c
	}
	return all
}
