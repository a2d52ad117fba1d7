package wire

// Tools is the dialect's table.
var Tools = tools

// Remembered is how many calls and messages a state knows.
func Remembered(s *State) int { return len(s.calls) + len(s.messages.text) + len(s.messages.whole) }
