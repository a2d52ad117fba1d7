package terminal

import "github.com/sourcegraph/jsonrpc2"

// A prompt is a question to the user. It does no I/O: it receives keys, and returns rows
// and an answer. [*confirm] asks for permission; [*form] asks questions.
type prompt interface {
	// request returns the id of the agent's request.
	request() jsonrpc2.ID
	// header returns the question, which is shown once and in full.
	header(st style) []string
	// rows returns the possible keys and the answer so far. If ready is set, keys answer
	// the prompt, and are highlighted.
	rows(st style, ready bool) []string
	press(k key) verdict
	// withdraw closes the prompt, because its answer is no longer needed. over is set if
	// the turn ended, which the user already knows.
	withdraw(over bool)
	// answer returns the result for the agent. Before a verdict it is a refusal.
	answer() any
	// outcome summarises the answer in a few words, for the transcript. It returns "" if
	// the user need not know it.
	outcome(st style) string
}

// A verdict is the effect of a key on a prompt.
type verdict uint8

const (
	ignored    verdict = iota // the prompt doesn't use the key
	undecided                 // more keys are needed
	decided                   // answer returns the answer
	cancelTurn                // the user cancels the turn
)

// drop removes the last rune from text.
func drop(text []rune) []rune { return text[:max(0, len(text)-1)] }

// dropWord removes the last word and the spaces after it.
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
