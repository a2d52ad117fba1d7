package hub

import (
	"bytes"
	"strconv"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A setup is the agent's response that opened a session, with the current modes and
// options. It is nil until then. Its bytes are never modified, only replaced. The hub's
// mutex guards it.
type setup []byte

// The kinds of updates that change a setup.
const (
	modeUpdate   = "current_mode_update"
	optionUpdate = "config_option_update"
)

// note applies an update of the session.
func (s *setup) note(update []byte) {
	// Most updates are texts: don't parse them.
	if *s == nil || !bytes.Contains(update, []byte(modeUpdate)) && !bytes.Contains(update, []byte(optionUpdate)) && !bytes.Contains(update, []byte(infoUpdate)) {
		return
	}
	switch rawmsg.MemberText(update, "sessionUpdate") {
	case modeUpdate:
		s.setMode(rawmsg.MemberText(update, "currentModeId"))
	case optionUpdate:
		options, _, _ := rawmsg.Member(update, "configOptions")
		s.setOptions(options)
	case infoUpdate:
		s.setSteering(object(update, "_meta"))
	}
}

// setSteering applies the _meta of an update that may say whether the agent reads messages
// during turns.
func (s *setup) setSteering(meta []byte) {
	if steering, _, _ := rawmsg.Member(meta, v1.SteeringMeta); steering != nil {
		*s = with(*s, "_meta", with(object(*s, "_meta"), v1.SteeringMeta, steering))
	}
}

func (s *setup) setMode(id string) {
	if modes, _, _ := rawmsg.Member(*s, "modes"); len(modes) > 0 && modes[0] == '{' && id != "" {
		*s = rawmsg.Replace(*s, "modes", rawmsg.Replace(modes, "currentModeId", rawmsg.Quote(id)))
	}
}

func (s *setup) setOptions(options []byte) {
	if len(options) > 0 && options[0] == '[' {
		*s = rawmsg.Replace(*s, "configOptions", options)
	}
}

// withTurns returns the setup for a client that shows other clients' turns, with the
// number of running prompts.
func (s setup) withTurns(prompts int) []byte {
	meta := with(object(s, "_meta"), turnsMeta, strconv.AppendInt(nil, int64(prompts), 10))
	return with(s, "_meta", meta)
}
