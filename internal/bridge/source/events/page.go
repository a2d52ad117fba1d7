package events

import (
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// maxPages bounds the pages that the user may still be visiting. An agent need not
// report that the user is done.
const maxPages = 64

// pages are the URL elicitations that the editor still considers open. The keys are the
// agent's question ids.
type pages map[string]string

// sendPage asks the user to visit a page. The answer only says whether the user agreed.
func (qs *questions) sendPage(a *pendingRequest, q *question) {
	// Only the editor gets this id. It is unique because the call's id is unique within
	// the session.
	id := qs.peers.id + ":" + q.event.ToolCallID
	if len(qs.pages) >= maxPages {
		clear(qs.pages)
	}
	qs.pages[q.event.QuestionID] = id
	var answer v1.ElicitationResponse
	qs.pending.editor(a, v1.MethodElicitationCreate, acpmap.Page(&q.event, qs.out.sessionOf(q.asker), id), &answer, func(err error) {
		accepted := err == nil && answer.Action == v1.ElicitAccept
		if !accepted {
			delete(qs.pages, q.event.QuestionID)
		}
		qs.answer(q, reply{given: accepted, declined: err == nil && answer.Action == v1.ElicitDecline})
	})
}

// leavePage tells the editor that the user is done at a question's page, if the page is
// still open.
func (qs *questions) leavePage(questionID string) {
	id, ok := qs.pages[questionID]
	if !ok {
		return
	}
	delete(qs.pages, questionID)
	params := rawmsg.Encode(v1.CompleteElicitationNotification{ElicitationID: id})
	qs.peers.view.Send(core.Notification{Line: rawmsg.Request(nil, v1.MethodElicitationComplete, params), Session: qs.peers.id})
}
