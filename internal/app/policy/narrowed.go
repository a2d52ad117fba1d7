package policy

import "github.com/turnwire/turnwire/internal/bridge/consent"

// Narrowed is the user's policy, made stricter by that of the session's folder. The
// folder may be a cloned repository: its policy can neither allow a call, nor make the
// user be asked for a call that the user's own rules deny.
type Narrowed struct {
	Own *Policy
	// Folder returns a folder's policy, or nil. If it returns an error, no call is
	// allowed there.
	Folder func(dir string) (*Policy, error)
}

// Judge implements [consent.Judge].
func (n Narrowed) Judge(c consent.Call) consent.Ruling {
	r, _ := n.Explain(c)
	return r
}

// Explain is like Judge, and also returns the rules before the deciding one, which don't
// match.
func (n Narrowed) Explain(c consent.Call) (consent.Ruling, []Miss) {
	own, missed := n.Own.Explain(c)
	if n.Folder == nil {
		return own, missed
	}
	folder, err := n.Folder(c.Dir)
	if err != nil {
		unread := consent.Ruling{Verdict: consent.Ask, Rule: "the folder's policy cannot be read: " + err.Error()}
		return stricter(unread, own), missed
	}
	ruled, more := folder.Explain(c)
	if ruled.Rule == "" {
		return own, append(more, missed...)
	}
	if r := stricter(ruled, own); r == ruled {
		return r, more
	}
	return own, append(more, missed...)
}

// stricter returns the folder's ruling if it is stricter than the user's, or else the
// user's.
func stricter(folder, own consent.Ruling) consent.Ruling {
	if folder.Verdict > own.Verdict {
		return folder
	}
	return own
}
