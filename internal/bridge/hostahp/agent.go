package hostahp

import (
	"reflect"

	"github.com/turnwire/turnwire/internal/bridge/mapahp"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// offers are what an agent lets its users choose. Those with which it has begun its
// last session stand for those of a session that it does not have yet.
type offers struct {
	Options  []v1.ConfigOption     `json:"options,omitempty"`
	Modes    *v1.SessionModeState  `json:"modes,omitempty"`
	Commands []v1.AvailableCommand `json:"commands,omitempty"`
}

// An agent is one of the host. The host's mutex guards what is below host.
type agent struct {
	Agent

	host   *Host
	up     *upstream // nil before the first use
	offers offers
}

// anyModel is the model that the agent has. VS Code chooses a model for a user who
// has not, and takes that whose name comes first where none is marked: this one comes
// before all with letters.
const (
	anyModel     = "default"
	anyModelName = "(default)"
)

// info is the agent as clients see it.
func (a *agent) info() ahp.Agent {
	models := []ahp.Model{{ID: anyModel, Provider: a.Provider, Name: anyModelName, Meta: map[string]any{"isDefault": true}}}
	chosen, _, _ := mapahp.Models(a.Provider, a.offers.Options)
	models = append(models, chosen...)
	return ahp.Agent{
		Provider: a.Provider, DisplayName: a.Title, Description: a.Description,
		Models: models, ProtectedResources: []string{},
	}
}

// offer notes what the agent offers now.
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
