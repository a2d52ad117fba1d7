package relay

import (
	"strconv"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// replay shows the session's records again. It ends a turn that was cut off, with the title of
// a notice. The caller must not hold the lock.
func (s *session) replay(shown bool, cutOff string) error {
	r := s.relay
	var times v1.Times
	show := func(body []byte) {
		if shown {
			n := updateNotification(s.id, body)
			n.At = times
			r.relay(n)
		}
	}
	running, behind := false, false // behind a user's message
	var decisions pastDecisions
	for rec, err := range r.archive.Store.Read(s.id, 1) {
		if err == nil {
			err = r.ctx.Err()
		}
		if err != nil {
			return err
		}
		if r.client.times {
			times = v1.TimesAt(rec.Time.UnixMilli())
		}
		switch rec.Type {
		case journal.TypePrompt:
			blocks, _, _ := rawmsg.Member(rec.Data, "prompt")
			showPrompt(blocks, func(body []byte) {
				if behind { // without ids, both would be one message
					body = rawmsg.Set(body, "messageId", rawjson.AppendString([]byte(nil), "prompt-"+strconv.FormatInt(rec.Seq, 10)))
				}
				show(body)
			})
			running, behind = true, true
		case journal.TypeUpdate:
			scanned := scan(rec.Data, nil)
			behind = string(scanned.kind) == kindUser
			isCall := scanned.wellMade && (string(scanned.kind) == kindCall || string(scanned.kind) == kindCallUpdate)
			if isCall {
				r.mu.Lock() // Stop may close the calls meanwhile
				s.calls.note(&scanned)
				r.mu.Unlock()
			}
			show(rec.Data)
			if isCall {
				decisions.announced(rec.Data, show)
			}
		case journal.TypeDecision:
			if body, ok := pastDecision(rec.Data); ok {
				decisions.add(body, show)
			}
		case journal.TypeAsk:
			if body, ok := pastQuestion(rec.Data, rec.Seq); ok {
				show(body)
			}
		case journal.TypeAnswer:
			running = false
			s.endPastCalls(shown, times)
			if body, ok := r.client.pastStop(rec.Data); ok {
				show(body)
				behind = false
			}
		}
	}
	s.endPastCalls(shown, times)
	if running {
		body := r.client.notice(cutOff)
		s.record.to.AddData(time.Now(), journal.TypeUpdate, body)
		s.record.to.AddData(time.Now(), journal.TypeAnswer, []byte(`{"result":{"stopReason":"cancelled"}}`))
		show(body)
	}
	r.view.Flush()
	return nil
}

// endPastCalls ends the calls that were open when their turn ended.
func (s *session) endPastCalls(shown bool, at v1.Times) {
	r := s.relay
	r.mu.Lock()
	ends := s.closeCalls()
	r.mu.Unlock()
	for _, n := range ends {
		if shown {
			n.At = at
			r.relay(n)
		}
	}
}

// showPrompt shows a prompt's blocks.
func showPrompt(blocks []byte, show func(body []byte)) {
	if len(blocks) == 0 || blocks[0] != '[' {
		return
	}
	for block := range rawjson.Elements(blocks) {
		body := append([]byte(`{"sessionUpdate":"`+kindUser+`","content":`), block...)
		show(append(body, '}'))
	}
}
