package partial

import (
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Offer offers in a permission request that the user may accept a part of the change. It
// returns the changed params, and the option that the agent gets then. ok is false if the
// request doesn't qualify:
//
//   - The call edits files or doesn't say what it does, and runs no command.
//   - It shows one diff, of a text file in the session's directories, which o has. Diffs of
//     notebooks show their cells and not the file.
//   - It has an option that allows it once, and one that rejects it once. The latter can't
//     be mistaken for another one.
func Offer(params []byte, options []consent.Option, c consent.Call, o agent.Options) (_ []byte, reject consent.Option, ok bool) {
	if c.Kind != string(v1.KindEdit) && c.Kind != consent.DefaultKind || c.Command != "" {
		return params, reject, false
	}
	changes := core.Changes(params)
	if len(changes) != 1 {
		return params, reject, false
	}
	for path, shown := range changes {
		if !tools.Contains(o, path) || strings.EqualFold(filepath.Ext(path), ".ipynb") || !tools.IsText(*shown.NewText) || shown.OldText != nil && !tools.IsText(*shown.OldText) {
			return params, reject, false
		}
	}
	reject, ok = rejection(options)
	if !ok {
		return params, reject, false
	}
	meta, _, _ := rawmsg.Member(params, "_meta")
	if len(meta) == 0 || meta[0] != '{' {
		meta = []byte("{}")
	}
	return rawmsg.Set(params, "_meta", rawmsg.Set(meta, v1.PartialMeta, []byte("true"))), reject, true
}

// rejection returns the first option that rejects the call once, if another option allows it
// once. The agent must not know its id as that of another option.
func rejection(options []consent.Option) (reject consent.Option, ok bool) {
	ids, allows := make(map[string]int), false
	for _, o := range options {
		ids[o.ID]++
		allows = allows || o.Kind == string(v1.AllowOnce)
		if o.Kind == string(v1.RejectOnce) && reject.ID == "" {
			reject = o
		}
	}
	return reject, allows && reject.ID != "" && ids[reject.ID] == 1
}
