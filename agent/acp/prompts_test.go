package acp_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

const call = `"toolCallId":"c1","title":"Pour","kind":"edit","status":"pending","rawInput":{"cup":1}`

const offered = `[{"optionId":"yes-1","name":"Allow","kind":"allow_once"},{"optionId":"yes-2","name":"Always allow","kind":"allow_always"},{"optionId":"no-1","name":"Reject","kind":"reject_once"}]`

// permit is a permission request about call.
func (s *standin) permit() string {
	return fmt.Sprintf(`{"sessionId":"tea-%d","toolCall":{%s},"options":%s}`, s.sessions, call, offered)
}

// prompts are what the stand-in can be told to do; the result is the stop
// reason, "" where the prompt is not to be answered.
var prompts map[string]func(s *standin, rest string, m message) string

func init() {
	prompts = map[string]func(s *standin, rest string, m message) string{
		"say": func(s *standin, rest string, _ message) string {
			s.say(rest)
			return "end_turn"
		},
		"set": func(s *standin, _ string, _ message) string {
			s.say(s.set)
			return "end_turn"
		},
		"tell-twice": func(s *standin, _ string, _ message) string {
			s.careful = "do"
			s.update(`{"sessionUpdate":"current_mode_update","currentModeId":"do"}`)
			s.update(`{"sessionUpdate":"config_option_update","configOptions":%s}`, compact(s.options()))
			return "end_turn"
		},
		"late": func(*standin, string, message) string { return "end_turn" },
		"told": func(s *standin, _ string, m message) string {
			s.say(string(s.hello))
			s.say(string(s.opened))
			s.say(string(m.Params))
			return "end_turn"
		},
		"permit": func(s *standin, _ string, _ message) string {
			s.update(`{"sessionUpdate":"tool_call",%s}`, call)
			s.told("session/request_permission", s.permit())
			return "end_turn"
		},
		"permit-unknown": func(s *standin, _ string, _ message) string {
			s.told("session/request_permission", strings.ReplaceAll(s.permit(), `"kind":"allow_once"`, `"kind":"perhaps"`))
			return "end_turn"
		},
		"permit-twice": func(s *standin, _ string, _ message) string {
			_, first := s.ask("session/request_permission", s.permit())
			_, second := s.ask("session/request_permission", s.permit())
			s.say("both")
			s.sayAnswer(<-first)
			s.sayAnswer(<-second)
			return "end_turn"
		},
		"permit-withdraw": func(s *standin, _ string, _ message) string {
			id, answer := s.ask("session/request_permission", s.permit())
			s.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":%s}}`, id)
			s.sayAnswer(<-answer)
			return "end_turn"
		},
		"permit-malformed": func(s *standin, _ string, _ message) string {
			s.told("session/request_permission", `{"toolCall":7}`)
			return "end_turn"
		},
		// Agentao does not hear a cancel while it waits for a permission, and
		// ends the turn as if nothing had been.
		"permit-deaf": func(s *standin, _ string, _ message) string {
			s.told("session/request_permission", s.permit())
			<-s.cancelled
			s.told("session/request_permission", s.permit())
			return "end_turn"
		},
		"malform": (*standin).malform,
		"permit-glue": func(s *standin, _ string, _ message) string {
			s.say("· small pot\n")
			s.update(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"bash","kind":"execute","status":"pending"}`)
			s.told("session/request_permission", `{"sessionId":"tea-1","toolCallId":"c1","title":"bash","kind":"execute","options":[{"optionId":"allow","label":"Allow"},{"optionId":"deny","label":"Deny"}]}`)
			return "end_turn"
		},
		"form": func(s *standin, property string, _ message) string {
			s.told("elicitation/create", `{"sessionId":"tea-1","mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{`+property+`}}}`)
			return "end_turn"
		},
		"ask": func(s *standin, rest string, _ message) string {
			method, params, _ := strings.Cut(rest, " ")
			s.told(method, params)
			return "end_turn"
		},
		"hang": func(s *standin, _ string, _ message) string {
			s.say("hanging")
			<-s.cancelled
			return "end_turn"
		},
		"deaf": func(s *standin, _ string, _ message) string {
			s.say("deaf")
			return ""
		},
		"exit": func(s *standin, rest string, _ message) string {
			s.say("going")
			code, err := strconv.Atoi(rest)
			if err != nil {
				panic(err)
			}
			fmt.Fprintln(os.Stderr, "the kettle burst")
			os.Exit(code)
			return ""
		},
		"flood": func(s *standin, rest string, _ message) string {
			n, err := strconv.Atoi(rest)
			if err != nil {
				panic(err)
			}
			for i := range n {
				s.say(fmt.Sprint(i, " "))
			}
			return "end_turn"
		},
		"forget": func(s *standin, _ string, m message) string {
			if s.sessions == 1 {
				s.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"Unknown session"}}`, m.ID)
				return ""
			}
			s.say("here again")
			return "end_turn"
		},
		"fail": func(s *standin, rest string, m message) string {
			s.send(`{"jsonrpc":"2.0","id":%s,"error":%s}`, m.ID, rest)
			return ""
		},
		"noise": func(s *standin, _ string, _ message) string {
			s.say("a")
			s.send("kettle: whistling")
			s.send(`{"jsonrpc":"2.0","id":777,"result":{"stopReason":"end_turn"}}`)
			s.send(`{"jsonrpc":"2.0","id":"x","result":null}`)
			s.send(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"another","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"not mine"}}}}`)
			s.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":[]}`)
			s.say("b")
			return "end_turn"
		},
	}
}
