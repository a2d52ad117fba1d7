package v1

// ConfigOption is `SessionConfigOption` of type "select".
type ConfigOption struct {
	ID           string         `json:"id"`
	Name         string         `json:"name"`
	Description  string         `json:"description,omitempty" jsonschema:"nullable"`
	Category     string         `json:"category,omitempty" jsonschema:"nullable"`
	Type         string         `json:"type" jsonschema:"enum=select"`
	CurrentValue string         `json:"currentValue"`
	Options      []ConfigChoice `json:"options"`
	Meta         Meta           `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ConfigChoice is `SessionConfigSelectOption`.
type ConfigChoice struct {
	Value       string `json:"value"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty" jsonschema:"nullable"`
	Meta        Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SetConfigOptionRequest is `SetSessionConfigOptionRequest`.
type SetConfigOptionRequest struct {
	SessionID string `json:"sessionId"`
	ConfigID  string `json:"configId"`
	Value     any    `json:"value"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SetConfigOptionResponse is `SetSessionConfigOptionResponse`.
type SetConfigOptionResponse struct {
	ConfigOptions []ConfigOption `json:"configOptions"`
	Meta          Meta           `json:"_meta,omitempty" jsonschema:"nullable"`
}
