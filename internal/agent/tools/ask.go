package tools

import (
	"errors"

	"github.com/turnwire/turnwire/agent"
)

// An AskArgs is the arguments of [AskUser].
type AskArgs struct {
	Question string   `json:"question"`
	Options  []string `json:"options,omitempty"`
	FreeText bool     `json:"free_text,omitempty"` // other answers are possible too
}

type askTask AskArgs

func (askTask) view() agent.View { return agent.View{} }

// run asks a question. The user sees the question instead of a call.
func (k askTask) run(c *call) Result {
	if k.Question == "" {
		c.start()
		return c.fail(errors.New("the question is missing"))
	}
	id := c.box.newID("question")
	answer, forget := c.box.questions.expect(id)
	defer forget()
	asked := c.emit(&agent.QuestionAsked{
		QuestionID:  id,
		Question:    k.Question,
		Options:     k.Options,
		AllowCustom: k.FreeText || len(k.Options) == 0,
	})
	ctx := c.turn.Context()
	r := agent.QuestionResponse{Cancelled: true}
	select {
	case r = <-answer:
	case <-ctx.Done():
	}
	// If a cancel arrived with the answer, the cancel wins.
	if ctx.Err() != nil {
		r = agent.QuestionResponse{Cancelled: true}
	}
	if asked {
		c.conclude(&agent.QuestionAnswered{QuestionID: id, Answer: r.Answer, Cancelled: r.Cancelled})
	}
	switch {
	case ctx.Err() != nil:
		return Result{Text: "The user cancelled the turn.", Cancelled: true}
	case r.Cancelled:
		return Result{Text: "The user did not answer.", Refused: true}
	}
	return Result{Text: r.Answer, OK: true}
}
