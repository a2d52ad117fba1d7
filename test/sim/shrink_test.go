package sim

import "slices"

// Shrink returns a smaller plan for which fails still returns true. It removes groups of
// steps, from large to small, makes the remaining agents polite, and takes their skills.
func Shrink(p *Plan, fails func(*Plan) bool) *Plan {
	p = p.clone()
	for size := max(len(p.Steps)/2, 1); ; size /= 2 {
		for from := 0; from < len(p.Steps); {
			smaller := p.clone()
			smaller.Steps = slices.Delete(smaller.Steps, from, min(from+size, len(p.Steps)))
			if fails(smaller) {
				p = smaller
			} else {
				from += size
			}
		}
		if size <= 1 {
			break
		}
	}
	for i := range p.Agents {
		gentler := p.clone()
		gentler.Agents[i].Manner = polite
		gentler.name(i)
		if p.Agents[i].Manner != polite && fails(gentler) {
			p = gentler
		}
		for skill := skills(1); skill < 1<<len(skillNames); skill *= 2 {
			simpler := p.clone()
			simpler.Agents[i].Skills &^= skill
			if p.Agents[i].Skills&skill != 0 && fails(simpler) {
				p = simpler
			}
		}
	}
	for i := range p.Steps {
		calmer := p.clone()
		calmer.Steps[i].Together = false
		if p.Steps[i].Together && fails(calmer) {
			p = calmer
		}
	}
	return p
}

func (p *Plan) clone() *Plan {
	return &Plan{Seed: p.Seed, storage: p.storage, ChatBytes: p.ChatBytes, Agents: slices.Clone(p.Agents), Steps: slices.Clone(p.Steps)}
}
