package ahphost

import (
	"cmp"
	"reflect"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// offers are the choices that an agent offers its users. A session that was not opened
// yet uses the offers of the agent's latest session.
type offers struct {
	Name     string                `json:"name,omitempty"` // the agent's own
	Options  []v1.ConfigOption     `json:"options,omitempty"`
	Modes    *v1.SessionModeState  `json:"modes,omitempty"`
	Commands []v1.AvailableCommand `json:"commands,omitempty"`
}

// An agent is one of the host's agents. The host's mutex guards the fields after host.
type agent struct {
	Agent

	host   *Host
	up     *upstream // nil before the first use
	offers offers
}

// anyModel stands for the agent's own model. If the user has not chosen a model, VS
// Code takes the one marked as default, or else the one whose name comes first. This
// name sorts before all letters.
const (
	anyModel     = "default"
	anyModelName = "(default)"
)

// info returns the description of the agent for clients.
func (a *agent) info() ahp.Agent {
	models := []ahp.Model{{ID: anyModel, Provider: a.Provider, Name: anyModelName, Meta: map[string]any{"isDefault": true}}}
	chosen, _, _ := ahpmap.Models(a.Provider, a.offers.Options)
	models = append(models, chosen...)
	return ahp.Agent{
		Provider: a.Provider, DisplayName: cmp.Or(a.offers.Name, a.Title), Description: a.Description,
		Models: models, ProtectedResources: []string{},
	}
}

// offer records what the agent offers now.
func (a *agent) offer(o offers) {
	if reflect.DeepEqual(a.offers, o) {
		return
	}
	before := a.info()
	a.offers = o
	a.host.saver.keepOffers(a.Provider, a.Key, o)
	if !reflect.DeepEqual(before, a.info()) {
		a.host.feed.publish(ahp.Root, &ahp.AgentsChanged{Agents: a.host.agents.root().Agents}, nil)
	}
}
