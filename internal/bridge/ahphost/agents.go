package ahphost

import (
	"log/slog"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// agents are a host's agents. The list itself never changes.
type agents []*agent

// of returns a provider's agent, or nil if it is unknown.
func (all agents) of(provider string) *agent {
	i := slices.IndexFunc(all, func(a *agent) bool { return a.Provider == provider })
	if i < 0 {
		return nil
	}
	return all[i]
}

// orFirst is like of, but returns the first agent if provider is "".
func (all agents) orFirst(provider string) *agent {
	if provider == "" && len(all) > 0 {
		return all[0]
	}
	return all.of(provider)
}

// root returns the state of the root channel. The caller holds the host's mutex.
func (all agents) root() ahp.RootState {
	state := ahp.RootState{Agents: []ahp.Agent{}}
	for _, a := range all {
		state.Agents = append(state.Agents, a.info())
	}
	return state
}

// upstreams returns the connections to agents. The caller holds the host's mutex.
func (all agents) upstreams() (ups []*upstream) {
	for _, a := range all {
		if a.up != nil {
			ups = append(ups, a.up)
		}
	}
	return ups
}

// sources returns the agents' open sources. The caller holds the host's mutex.
func (all agents) sources() (open []core.Source) {
	for _, u := range all.upstreams() {
		if u.source != nil {
			open = append(open, u.source)
		}
	}
	return open
}

// lookUp reads the record of a channel's session from the journal. It returns nil if
// the session is not there.
func (all agents) lookUp(store journal.Store, channel string) *record {
	uri, is := ahp.SessionOfChat(channel)
	if !is {
		uri = channel
	}
	provider, id, ok := ahp.ParseSession(uri)
	if !ok || store == nil {
		return nil
	}
	found, err := store.Describe(id)
	if err != nil {
		return nil
	}
	for _, a := range all {
		if a.Key == found.Agent && (provider == "" || provider == a.Provider) {
			r := a.recordOf(found)
			return &r
		}
	}
	return nil
}

// listed reads the sessions in the journal. whole contains the agents whose sessions
// were all read.
func (all agents) listed(store journal.Store, log *slog.Logger) (found []record, whole map[*agent]bool) {
	whole = make(map[*agent]bool)
	if store == nil {
		return nil, whole
	}
	for _, a := range all {
		page, err := store.List(journal.Filter{Agent: a.Key, Limit: maxListed})
		if err != nil {
			log.Warn("the sessions cannot be listed", "provider", a.Provider, "error", err)
		}
		whole[a] = err == nil && page.Next == "" && len(page.Unread) == 0
		for _, s := range page.Sessions {
			found = append(found, a.recordOf(s))
		}
	}
	return found, whole
}
