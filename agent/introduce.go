package agent

// An Introducer is a [Session] whose agent may introduce itself before the first
// prompt; see [Introduction].
type Introducer interface {
	// Introduced is closed when there is no reason to wait any longer: the agent
	// has introduced itself, or won't do so soon.
	Introduced() <-chan struct{}
}

// Introduced returns the channel of an [Introducer], or a closed channel for any
// other session.
func Introduced(s Session) <-chan struct{} {
	if i, ok := s.(Introducer); ok {
		return i.Introduced()
	}
	return closed
}

var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// OfSession reports whether an event is about the session rather than a turn,
// and so may come at any time.
func OfSession(e Event) bool {
	switch e.(type) {
	case *Introduction, *SessionTitle, *AvailableCommands, *ModeChanged, *ModelChanged, *ConfigOptions, *OptionRefused,
		*Notice, *Notification, *CredentialRequired, *Telemetry, *Unknown, *Hint, *Usage,
		*State, *StateSnapshot, *StateDelta, *ActivitySnapshot, *ActivityDelta,
		*ContextCompacted, *ContextMeta, *DryRunSummary, *EvaluatorsComplete, *QuestionAnswered:
		return true
	}
	return false
}
