package core

import (
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// NotPermitted is the answer to a permission request that permits nothing.
const NotPermitted = `{"outcome":{"outcome":"cancelled"}}`

// OptionsOf returns the options in the params of a permission request. It skips list
// elements that are not objects.
func OptionsOf(params []byte) (options []consent.Option) {
	list, _, _ := rawmsg.Member(params, "options")
	if len(list) == 0 || list[0] != '[' {
		return nil
	}
	for o := range rawjson.Elements(list) {
		if o[0] == '{' {
			options = append(options, consent.Option{
				ID: rawmsg.MemberText(o, "optionId"), Kind: rawmsg.MemberText(o, "kind"), Name: rawmsg.MemberText(o, "name"),
			})
		}
	}
	return options
}

// Reply passes a client's answer to the agent. Every answer passes through here. This
// is the only place that decides what the answer to a permission request permits: the
// option it names, if that option was offered, and a part of the changes, if the request
// allows that. If the answer can't be understood or names another option, it permits
// nothing, and Reply returns false.
func (a *Request) Reply(answer Answer) (understood bool) {
	understood = true
	if a.Method == v1.MethodRequestPermission && answer.Failure == nil {
		understood = answer.read(a)
	}
	if a.Answered != nil {
		a.Answered(answer)
	}
	return understood
}

// read interprets the answer to a permission request. It reports whether it understood
// the answer.
func (a *Answer) read(request *Request) (understood bool) {
	outcome := object(a.Result, "outcome")
	switch id := rawmsg.MemberText(outcome, "optionId"); rawmsg.MemberText(outcome, "outcome") {
	case v1.OutcomeSelected:
		for _, o := range request.Offered {
			if id != "" && o.ID == id {
				a.Chosen, understood = o, true
				break
			}
		}
	case v1.OutcomeCancelled:
		understood = true
	}
	meta := object(a.Result, "_meta")
	if texts, _, _ := rawmsg.Member(meta, v1.AcceptedMeta); understood && texts != nil {
		a.Accepted, understood = accepted(texts, a.Chosen, request.Params)
	}
	if !understood {
		a.Result, a.Chosen, a.Accepted = []byte(NotPermitted), consent.Option{}, nil
		return false
	}
	if a.Unasked = rawmsg.MemberText(meta, consent.Unasked); a.Unasked != "" { // it's not meant for the agent
		a.Result = rawmsg.Replace(a.Result, "_meta", rawmsg.Without(meta, consent.Unasked))
	}
	return true
}

// object returns the named member if it is an object, otherwise an empty object.
func object(of []byte, name string) []byte {
	if len(of) > 0 && of[0] == '{' {
		if value, _, _ := rawmsg.Member(of, name); len(value) > 0 && value[0] == '{' {
			return value
		}
	}
	return []byte("{}")
}
