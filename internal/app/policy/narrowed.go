package policy

import "github.com/turnwire/turnwire/internal/bridge/consent"

// Narrowed is the user's policy, made stricter by that of the session's folder. A
// folder may be a cloned repository: nothing that it says can allow a call, nor
// have the user asked for what the user's own rules deny.
type Narrowed struct {
	Own *Policy
	// Folder returns the policy of a folder, or nil. Nothing is allowed there while
	// it cannot be read.
	Folder func(dir string) (*Policy, error)
}

// Judge implements [consent.Judge].
func (n Narrowed) Judge(c consent.Call) consent.Ruling {
	r, _ := n.Explain(c)
	return r
}

// Explain is Judge, and says which rules do not match that come before the one
// that decides.
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

// stricter is the folder's ruling where it is stricter than the user's.
func stricter(folder, own consent.Ruling) consent.Ruling {
	if folder.Verdict > own.Verdict {
		return folder
	}
	return own
}
