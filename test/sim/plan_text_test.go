package sim

import (
	"fmt"
	"strings"
)

// A plan's text has a line for its seed, one for the servers that share their sessions, one for the sessions that are already saved, one for the size of chats, one for each agent, and one for each step, as in
// testdata/*.txt. It describes the same world even after seeds produce different plans.

// String returns the plan's text.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d\n", p.Seed)
	if p.Servers > 0 {
		fmt.Fprintf(&b, "servers %d\n", p.Servers)
	}
	if p.Saved > 0 {
		fmt.Fprintf(&b, "saved %d\n", p.Saved)
	}
	if p.ChatBytes > 0 {
		fmt.Fprintf(&b, "chat %d\n", p.ChatBytes)
	}
	for _, a := range p.Agents {
		fmt.Fprintf(&b, "agent %s %s greets=%v", a.Manner, a.Kind, a.Greets)
		if a.Skills != 0 {
			b.WriteString(" " + a.Skills.String())
		}
		b.WriteByte('\n')
	}
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "step %s %d %d %d", strings.ReplaceAll(ops[s.Op].name, " ", "-"), s.A, s.B, s.C)
		if s.Together {
			b.WriteString(" together")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// ParsePlan parses a plan's text. Lines that start with # are comments.
func ParsePlan(text string) (*Plan, error) {
	p := new(Plan)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		kind, rest, _ := strings.Cut(line, " ")
		var err error
		switch kind {
		case "", "#":
		case "seed":
			_, err = fmt.Sscanf(rest, "%d", &p.Seed)
		case "servers":
			_, err = fmt.Sscanf(rest, "%d", &p.Servers)
		case "saved":
			_, err = fmt.Sscanf(rest, "%d", &p.Saved)
		case "chat":
			_, err = fmt.Sscanf(rest, "%d", &p.ChatBytes)
		case "agent":
			err = p.parseAgent(rest)
		case "step":
			err = p.parseStep(rest)
		default:
			err = fmt.Errorf("unknown word %q", kind)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
	}
	return p, nil
}

func (p *Plan) parseAgent(text string) error {
	var a agentSpec
	var name, can string
	n, err := fmt.Sscanf(text, "%s %s greets=%t %s", &name, &a.Kind, &a.Greets, &can)
	if n < 3 {
		return err
	}
	if a.Skills, err = parseSkills(can); err != nil {
		return err
	}
	if _, known := possible[a.Kind]; !known {
		return fmt.Errorf("unknown kind %q", a.Kind)
	}
	for a.Manner = 0; a.Manner.String() != name; a.Manner++ {
		if a.Manner+1 == manners {
			return fmt.Errorf("unknown manner %q", name)
		}
	}
	p.addAgent(a)
	return nil
}

func (p *Plan) parseStep(text string) error {
	s := Step{}
	text, s.Together = strings.CutSuffix(text, " together")
	var name string
	if _, err := fmt.Sscanf(text, "%s %d %d %d", &name, &s.A, &s.B, &s.C); err != nil {
		return err
	}
	for op, known := range ops {
		if strings.ReplaceAll(known.name, " ", "-") == name {
			s.Op = op
			p.Steps = append(p.Steps, s)
			return nil
		}
	}
	return fmt.Errorf("unknown step %q", name)
}
