package child

import "strconv"

// ExitStatus says how a child ended.
type ExitStatus struct {
	Code   int    // exit code; -1 if a signal ended the child, or if unknown
	Signal string // the signal that ended it, such as "killed"
	Err    error  // why the status is unknown
}

// String describes the status in the words of shells and Go.
func (s ExitStatus) String() string {
	switch {
	case s.Err != nil:
		return "exit status unknown: " + s.Err.Error()
	case s.Signal != "":
		return "signal: " + s.Signal
	}
	return "exit status " + strconv.Itoa(s.Code)
}
