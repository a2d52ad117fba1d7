package acpmap

import (
	"cmp"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// AnswerText returns the answer to a question as text.
func AnswerText(q *agent.QuestionAsked, r *agent.QuestionResponse) string {
	if len(q.Fields) == 0 {
		return r.Answer
	}
	var lines []string
	for _, f := range q.Fields {
		value, ok := r.Values[f.Name]
		if !ok {
			continue
		}
		text := string(value)
		if s, err := rawjson.Parse(value); err == nil {
			text = s.String()
		}
		lines = append(lines, cmp.Or(f.Title, f.Name)+": "+text)
	}
	return strings.Join(lines, "\n")
}
