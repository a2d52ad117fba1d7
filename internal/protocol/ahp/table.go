package ahp

// An actionKind describes a type of action: the first version that has it, and whether
// clients may send it. make creates the action, and is nil if this host does not accept
// it from clients.
type actionKind struct {
	since  string
	client bool
	make   func() Action
}

func host(since string) actionKind { return actionKind{since: since} }

func refused(since string) actionKind { return actionKind{since: since, client: true} }

func taken[T any, P interface {
	*T
	Action
}](since string) actionKind {
	return actionKind{since, true, func() Action { return P(new(T)) }}
}

// actions are the actions on this host's channels, up to version 1.0.
var actions = map[string]actionKind{
	"root/agentsChanged":         host("0.1.0"),
	"root/activeSessionsChanged": host("0.1.0"),
	"root/terminalsChanged":      host("0.1.0"),
	"root/configChanged":         refused("0.1.0"),

	"session/ready":                        host("0.1.0"),
	"session/creationFailed":               host("0.1.0"),
	"session/chatAdded":                    host("0.4.0"),
	"session/chatRemoved":                  host("0.4.0"),
	"session/chatUpdated":                  host("0.4.0"),
	"session/chatsReordered":               refused("0.9.0"),
	"session/defaultChatChanged":           host("0.4.0"),
	"session/titleChanged":                 taken[TitleChanged]("0.1.0"),
	"session/serverToolsChanged":           host("0.1.0"),
	"session/activeClientSet":              taken[ActiveClientSet]("0.5.0"),
	"session/activeClientRemoved":          taken[ActiveClientRemoved]("0.5.0"),
	"session/workingDirectorySet":          refused("0.7.0"),
	"session/workingDirectoryRemoved":      refused("0.7.0"),
	"session/workingDirectoryReplaced":     refused("0.8.0"),
	"session/inputNeededSet":               host("0.5.1"),
	"session/inputNeededRemoved":           host("0.5.1"),
	"session/customizationsChanged":        host("0.1.0"),
	"session/customizationToggled":         refused("0.1.0"),
	"session/customizationUpdated":         host("0.1.0"),
	"session/customizationRemoved":         host("0.2.0"),
	"session/mcpServerStateChanged":        host("0.3.0"),
	"session/mcpServerStartRequested":      refused("0.5.2"),
	"session/mcpServerStopRequested":       refused("0.5.2"),
	"session/mcpServerBackgroundRequested": refused("0.9.0"),
	"session/isReadChanged":                taken[SessionIsReadChanged]("0.1.0"),
	"session/isArchivedChanged":            taken[SessionIsArchivedChanged]("0.1.0"),
	"session/activityChanged":              host("0.1.0"),
	"session/changesetsChanged":            host("0.2.0"),
	"session/configChanged":                taken[ConfigChanged]("0.1.0"),
	"session/metaChanged":                  host("0.1.0"),

	"chat/turnStarted":             taken[TurnStarted]("0.4.0"),
	"chat/delta":                   host("0.4.0"),
	"chat/responsePart":            host("0.4.0"),
	"chat/toolCallStart":           host("0.4.0"),
	"chat/toolCallDelta":           host("0.4.0"),
	"chat/toolCallReady":           host("0.4.0"),
	"chat/toolCallConfirmed":       taken[ToolCallConfirmed]("0.4.0"),
	"chat/toolCallComplete":        refused("0.4.0"),
	"chat/toolCallResultConfirmed": refused("0.4.0"),
	"chat/toolCallContentChanged":  refused("0.4.0"),
	"chat/toolCallAuthRequired":    host("0.6.0"),
	"chat/toolCallAuthResolved":    host("0.6.0"),
	"chat/turnComplete":            host("0.4.0"),
	"chat/turnCancelled":           taken[TurnWasCancelled]("0.4.0"),
	"chat/error":                   host("0.4.0"),
	"chat/turnResume":              refused("0.9.0"),
	"chat/activityChanged":         host("0.5.0"),
	"chat/workingDirectorySet":     refused("0.7.0"),
	"chat/workingDirectoryRemoved": refused("0.7.0"),
	"chat/usage":                   host("0.4.0"),
	"chat/reasoning":               host("0.4.0"),
	"chat/pendingMessageSet":       taken[PendingMessageSet]("0.4.0"),
	"chat/pendingMessageRemoved":   taken[PendingMessageRemoved]("0.4.0"),
	"chat/queuedMessagesReordered": taken[QueuedMessagesReordered]("0.4.0"),
	"chat/draftChanged":            taken[DraftChanged]("0.5.0"),
	"chat/isReadChanged":           refused("0.9.0"),
	"chat/isArchivedChanged":       refused("0.9.0"),
	"chat/inputRequested":          host("0.4.0"),
	"chat/inputAnswerChanged":      taken[InputAnswerChanged]("0.4.0"),
	"chat/inputCompleted":          taken[InputCompleted]("0.4.0"),
	"chat/truncated":               taken[Truncated]("0.4.0"),
	"chat/turnsLoaded":             host("0.5.1"),
}
