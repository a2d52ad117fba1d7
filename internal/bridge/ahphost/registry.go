package ahphost

import (
	"cmp"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/protocol"
)

// A registry holds the sessions that a host knows. The host's mutex guards it.
type registry struct {
	byURI   map[string]*session
	byPlace map[string]*session // see [record.place]
}

func (r *registry) len() int { return len(r.byURI) }

// all yields all sessions, ordered by URI. A session may be removed meanwhile.
func (r *registry) all() iter.Seq[*session] {
	return func(yield func(*session) bool) {
		for _, uri := range slices.Sorted(maps.Keys(r.byURI)) {
			if s := r.byURI[uri]; s != nil && !yield(s) {
				return
			}
		}
	}
}

// has reports whether a session was added and not removed.
func (r *registry) has(s *session) bool { return r.byURI[s.record.URI] == s }

func (r *registry) add(s *session) {
	r.byURI[s.record.URI] = s
	r.placed(s)
}

// placed records the session's place at its agent, if it has one.
func (r *registry) placed(s *session) {
	if s.record.ACP != "" {
		r.byPlace[s.record.place()] = s
	}
}

// moved gives a session another place at its agent.
func (r *registry) moved(s *session, id string) {
	if r.byPlace[s.record.place()] == s {
		delete(r.byPlace, s.record.place())
	}
	s.record.ACP = id
	r.placed(s)
}

func (r *registry) remove(s *session) {
	delete(r.byURI, s.record.URI)
	if r.byPlace[s.record.place()] == s {
		delete(r.byPlace, s.record.place())
	}
}

// at returns the session at a [record.place], or nil.
func (r *registry) at(place string) *session { return r.byPlace[place] }

// known returns the session of a record, or nil.
func (r *registry) known(of *record) *session {
	if s := r.byURI[of.URI]; s != nil || of.ACP == "" {
		return s
	}
	return r.at(of.place())
}

// find returns a channel's session, or nil, and whether the channel is its chat. VS
// Code uses two forms for a session's URI.
func (r *registry) find(channel string) (s *session, isChat bool) {
	uri := channel
	if of, is := ahp.SessionOfChat(channel); is {
		uri, isChat = of, true
	}
	if s = r.byURI[uri]; s != nil {
		return s, isChat
	}
	provider, id, ok := ahp.ParseSession(uri)
	if !ok || provider != "" {
		return nil, isChat
	}
	for s := range r.all() {
		if _, rest, _ := strings.Cut(s.record.URI, ":/"); rest == id {
			return s, isChat
		}
	}
	return nil, isChat
}

// file finds a file inside the sessions' folders.
func (r *registry) file(uri string) (place, error) {
	path := pathOf(uri)
	if path == "" {
		return place{}, protocol.Errorf(ahp.CodeDenied, "%s is not a readable file", short(uri))
	}
	for s := range r.all() {
		for _, folder := range s.record.Folders {
			name, err := filepath.Rel(folder, path)
			if err == nil && filepath.IsLocal(name) {
				return place{folder, name}, nil
			}
		}
	}
	return place{}, protocol.Errorf(ahp.CodeDenied, "%s is not in a session's folder", short(uri))
}

// summaries lists the sessions that the agent has, and new ones that a client follows.
// The newest come first.
func (r *registry) summaries() []ahp.SessionSummary {
	all := []ahp.SessionSummary{}
	for s := range r.all() {
		if s.record.ACP != "" || s.overview.watched() {
			all = append(all, s.overview.summary())
		}
	}
	slices.SortFunc(all, func(a, b ahp.SessionSummary) int {
		return cmp.Or(strings.Compare(b.ModifiedAt, a.ModifiedAt), strings.Compare(a.Resource, b.Resource))
	})
	return all
}
