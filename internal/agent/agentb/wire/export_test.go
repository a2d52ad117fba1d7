package wire

// Tools is the dialect's table.
var Tools = tools

// Remembered returns the number of calls and messages in a state.
func Remembered(s *State) int { return len(s.calls) + len(s.messages.text) + len(s.messages.whole) }
