package terminal

import "github.com/sourcegraph/jsonrpc2"

// A prompt is something a user is asked. It is pure: keys go in, rows and an
// answer come out. [*confirm] asks for a permission, [*form] for the answers
// to questions.
type prompt interface {
	// request is the id of the agent's request.
	request() jsonrpc2.ID
	// header is what is asked about, shown once and whole.
	header(st style) []string
	// rows is how to answer, and the answer so far.
	rows(st style) []string
	press(k key) verdict
	// answer is the result for the agent. Before a verdict it is a refusal.
	answer() any
	// outcome says in a few words what was answered, for the record.
	outcome(st style) string
}

// A verdict is what a key made of a prompt.
type verdict uint8

const (
	undecided  verdict = iota // more keys are needed
	decided                   // answer tells
	cancelTurn                // the user wants out of the turn
)

// drop takes the last rune from text.
func drop(text []rune) []rune { return text[:max(0, len(text)-1)] }

// dropWord takes the last word and the spaces behind it from text.
func dropWord(text []rune) []rune {
	for len(text) > 0 && text[len(text)-1] == ' ' {
		text = drop(text)
	}
	for len(text) > 0 && text[len(text)-1] != ' ' {
		text = drop(text)
	}
	return text
}

// edit applies a key to a line of text.
func edit(text []rune, k key) []rune {
	switch k.code {
	case keyChar:
		return append(text, k.char)
	case keyErase:
		return drop(text)
	case keyEraseWord:
		return dropWord(text)
	case keyEraseAll:
		return nil
	}
	return text
}
