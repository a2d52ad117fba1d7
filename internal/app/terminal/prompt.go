package terminal

import "github.com/sourcegraph/jsonrpc2"

// A prompt is a question to the user. It does no input or output: it takes
// keys, and returns rows and an answer. [*confirm] asks for a permission,
// [*form] for the answers to questions.
type prompt interface {
	// request is the id of the agent's request.
	request() jsonrpc2.ID
	// header is the question, shown once and in full.
	header(st style) []string
	// rows show how to answer, and the answer so far. The keys are marked once
	// they answer.
	rows(st style, ready bool) []string
	press(k key) verdict
	// withdraw closes the prompt: its answer is no longer needed.
	withdraw()
	// answer is the result for the agent. Before a verdict it is a refusal.
	answer() any
	// outcome sums up the answer in a few words, for the transcript.
	outcome(st style) string
}

// A verdict is the effect of a key on a prompt.
type verdict uint8

const (
	ignored    verdict = iota // the prompt has no use for the key
	undecided                 // more keys are needed
	decided                   // answer returns the answer
	cancelTurn                // the user cancels the turn
)

// drop removes the last rune from text.
func drop(text []rune) []rune { return text[:max(0, len(text)-1)] }

// dropWord removes the last word and the spaces after it from text.
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
