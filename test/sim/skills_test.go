package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// skills are what an agent does besides what all agents do.
type skills int

const (
	edits   skills = 1 << iota // changes files, if it is permitted
	odd                        // makes mistakes of real agents; ACP only
	listens                    // takes messages during a turn in several ways
	helps                      // has sub-agents; native only
	asks                       // uses the client's files and terminals; native only
	forgets                    // is told the conversation when it starts, and can go back to an earlier message; native only
)

// skillNames are the names of skills in a plan's text.
var skillNames = []string{"edits", "odd", "listens", "helps", "asks", "forgets"}

func (k skills) String() string {
	var names []string
	for i, name := range skillNames {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// parseSkills parses the names of skills.
func parseSkills(text string) (k skills, err error) {
	for i, name := range skillNames {
		if strings.Contains(","+text+",", ","+name+",") {
			k |= 1 << i
		}
	}
	if k.String() != text {
		return 0, fmt.Errorf("unknown skills %q", text)
	}
	return k, nil
}

// possible are the skills of each kind of agent.
var possible = map[agentKind]skills{nativeAgent: edits | listens | helps | asks | forgets, acpAgent: edits | odd | listens}

// teach gives some agents skills.
func (p *Plan) teach(r *rand.Rand) {
	for i := range p.Agents {
		n := skills(r.IntN(1 << len(skillNames)))
		if r.IntN(3) == 0 {
			p.Agents[i].Skills = n & possible[p.Agents[i].Kind]
		}
	}
}

// practise uses one of the agent's skills, or none.
func (t *turn) practise() {
	var able []func()
	for _, one := range []struct {
		skill skills
		do    func()
	}{{edits, t.edit}, {odd, t.err}, {helps, t.help}, {asks, t.useEditor}} {
		if t.actor.agent.Skills&one.skill != 0 {
			able = append(able, one.do)
		}
	}
	if _, is := t.actor.language.(*nativeLanguage); is && t.actor.agent.Skills&listens != 0 && !t.isOver() {
		t.listen()
	}
	if len(able) > 0 && t.skilled.IntN(3) == 0 && !t.isOver() {
		able[t.skilled.IntN(len(able))]()
	}
}
