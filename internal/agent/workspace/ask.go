package workspace

import (
	"github.com/turnwire/turnwire/agent"
)

// askStep asks the user a question.
type askStep struct {
	question string
	choices  []string
}

func (s askStep) run(t *turn) outcome {
	id := t.session.newID("question")
	answer, forget := t.session.questions.expect(id)
	defer forget()
	asked := t.emit(&agent.QuestionAsked{
		QuestionID:  id,
		Question:    s.question,
		Options:     s.choices,
		AllowCustom: len(s.choices) == 0,
	})
	r := agent.QuestionResponse{Cancelled: true}
	select {
	case r = <-answer:
	case <-t.ctx.Done():
	}
	// If a cancel arrived with the answer, the cancel wins.
	if t.ctx.Err() != nil {
		r = agent.QuestionResponse{Cancelled: true}
	}
	if asked {
		t.conclude(&agent.QuestionAnswered{QuestionID: id, Answer: r.Answer, Cancelled: r.Cancelled})
	}
	if r.Cancelled {
		t.sayText("You did not answer.")
		return refused
	}
	t.sayText("You answered: " + r.Answer)
	return succeeded
}
