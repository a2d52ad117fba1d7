package ahp

// RootState is the state of [Root].
type RootState struct {
	Agents []Agent `json:"agents"`
}

// An Agent is an agent with which sessions can be created.
type Agent struct {
	Provider    string  `json:"provider"`
	DisplayName string  `json:"displayName"`
	Description string  `json:"description"`
	Models      []Model `json:"models"`
	// ProtectedResources is always sent: if it is absent, VS Code asks the user to sign
	// in to GitHub.
	ProtectedResources []string `json:"protectedResources"`
}

// A Model is a model that can be chosen for a message.
type Model struct {
	ID               string `json:"id"`
	Provider         string `json:"provider"`
	Name             string `json:"name"`
	MaxContextWindow uint64 `json:"maxContextWindow,omitempty"`
	// Meta contains isDefault, which VS Code uses if the user has not chosen a model.
	Meta map[string]any `json:"_meta,omitempty"`
}

// A ModelSelection is the model of a message.
type ModelSelection struct {
	ID     string            `json:"id"`
	Config map[string]string `json:"config,omitempty"`
}

// A SessionSummary is a session's entry in lists.
type SessionSummary struct {
	Resource           string   `json:"resource"`
	Provider           string   `json:"provider"`
	Title              string   `json:"title"`
	Status             Status   `json:"status"`
	CreatedAt          string   `json:"createdAt"`
	ModifiedAt         string   `json:"modifiedAt"`
	WorkingDirectories []string `json:"workingDirectories,omitempty"`
}

// A Snapshot is the state of a channel after the action with number FromSeq.
type Snapshot struct {
	Resource string `json:"resource"`
	State    any    `json:"state"`
	FromSeq  int64  `json:"fromSeq"`
}

// An Implementation names a program.
type Implementation struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Title   string `json:"title,omitempty"`
}
