package bridge_test

import (
	"strconv"
	"testing"

	"github.com/turnwire/turnwire/agent"
)

// advice is what Steer adds to the commands.
type advice struct {
	Type   string `json:"type"`
	TurnID string `json:"turnId"`
	Text   string `json:"text"`
}

// Steer implements [agent.Steerer]. A puppet takes advice that it is told to take.
func (s *puppetSession) Steer(turnID, text string) bool {
	if text == "never" {
		return false
	}
	s.tell(advice{"steer", turnID, text})
	return true
}

func TestAdviceReachesTheTurnThatRuns(t *testing.T) {
	p := newPuppet()
	e, s := open(t, p, `{}`)
	e.write(promptS1("1", "one"))
	s.expect(`{"type":"prompt","text":"one"}`)
	e.write(promptS1("2", " /steer  use less salt"))
	e.stopped("2", "end_turn")
	s.expect(`{"type":"steer","turnId":"turn-1","text":"use less salt"}`)
	e.write(promptS1("3", "/steer never") + promptS1("4", "/steering") + promptS1("5", "/steer"))
	s.say(`{"type":"text_delta","text":"Less salt."}`, done)
	e.stopped("1", "end_turn")
	for i, text := range []string{"/steer never", "/steering", "/steer"} {
		s.expect(`{"type":"prompt","text":"` + text + `"}`)
		s.say(`{"type":"text_delta","text":"x"}`, done)
		e.stopped(strconv.Itoa(i+3), "end_turn")
	}
}

func TestAdviceBehindACancelIsAPrompt(t *testing.T) {
	p := newPuppet()
	e, s := open(t, p, `{}`)
	e.write(promptS1("1", "one"))
	s.expect(`{"type":"prompt","text":"one"}`)
	e.write(cancelS1 + promptS1("2", "/steer on"))
	s.expect(`{"type":"cancel"}`)
	s.say(done)
	e.stopped("1", "cancelled")
	s.expect(`{"type":"prompt","text":"/steer on"}`)
	s.say(`{"type":"text_delta","text":"x"}`, done)
	e.stopped("2", "end_turn")
}

var _ agent.Steerer = (*puppetSession)(nil)
