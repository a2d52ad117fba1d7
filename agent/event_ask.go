package agent

// ConfirmationRequested asks the user whether a tool may run. The agent
// waits for the command tool_confirmation_response.
//
// ConfirmationID names the request, and the answer repeats it. An agent that
// asks again about a call before the first answer must set it. If one answer
// could belong to either of two open requests, both are refused: that is so if
// they have the same ConfirmationID, or the same ToolCallID and not both a
// ConfirmationID.
type ConfirmationRequested struct {
	ConfirmationID string `json:"confirmationId,omitempty" jsonschema:"description=Names this request; the answer repeats it. Absent: the call's id names it."`
	ToolCallID     string `json:"toolCallId"`
	ToolName       string `json:"toolName,omitempty"`
	Args           Raw    `json:"args,omitempty"`
	Reason         string `json:"reason,omitempty" jsonschema:"description=Why the agent asks."`
	// Decisions lists the decisions that the agent understands. Empty means
	// allow_once and reject_once.
	Decisions []Decision `json:"decisions,omitempty" jsonschema:"description=What the user can choose. Absent: allow_once and reject_once."`
	// Options are choices of the agent's own, in place of Decisions. Several may
	// be of one kind.
	Options []ConfirmationOption `json:"options,omitempty" jsonschema:"description=Choices of the agent's own, in their order and in place of decisions. Several may be of one kind. The answer has the optionId of the chosen one."`
	// Refusal says why the user cannot be asked: the request could not be read,
	// or belongs to no running turn. Then it is refused.
	Refusal string `json:"-"`
	View
	Base
}

// A ConfirmationOption is a choice that an agent offers in a request for
// confirmation. Choosing it permits the call if its Kind does.
type ConfirmationOption struct {
	ID   string   `json:"id" jsonschema:"description=Names the option in the answer. No other option of the request has it."`
	Name string   `json:"name,omitempty" jsonschema:"description=What the user reads. Absent: the usual words for the kind."`
	Kind Decision `json:"kind" jsonschema:"description=What choosing it means. It is the decision of the answer."`
}

// ConfirmationResolved says that a request for confirmation was answered, by
// anyone. Without a ConfirmationID it settles all requests about the call.
type ConfirmationResolved struct {
	ConfirmationID string   `json:"confirmationId,omitempty"`
	ToolCallID     string   `json:"toolCallId"`
	Decision       Decision `json:"decision"`
	Reason         string   `json:"reason,omitempty"`
	Base
}

// QuestionAsked asks the user a question. The agent waits for the command
// question_response.
//
// With Fields it asks for several values at once, in place of one answer. With a
// URL it sends the user to a page, and the answer says only whether the user
// agreed to go there; [QuestionAnswered] says later that the page has what it
// asked for.
type QuestionAsked struct {
	QuestionID  string   `json:"questionId"`
	Question    string   `json:"question"`
	Header      string   `json:"header,omitempty"`
	Options     []string `json:"options,omitempty" jsonschema:"description=Choices. Absent: any text."`
	Multiple    bool     `json:"multiple,omitempty" jsonschema:"description=More than one choice may be taken."`
	AllowCustom bool     `json:"allowCustom,omitempty" jsonschema:"description=An answer beside the choices is welcome."`
	Fields      []Field  `json:"fields,omitempty" jsonschema:"description=Several values to ask for, in place of options. The answer has them in values."`
	URL         string   `json:"url,omitempty" jsonschema:"description=A page (http or https) to send the user to, in place of options and fields."`
	ToolCallID  string   `json:"toolCallId,omitempty"`
	// Refusal is like that of a [ConfirmationRequested].
	Refusal string `json:"-"`
	Base
}

// QuestionAnswered says that a question was answered, by anyone. Of a question
// with a URL it says that the user is done there.
type QuestionAnswered struct {
	QuestionID string `json:"questionId"`
	Answer     string `json:"answer,omitempty"`
	Cancelled  bool   `json:"cancelled,omitempty"`
	Base
}

// ApprovalRequired announces that a tool call needs approval. It is only an
// announcement (seed 000 at its head): the agent does not wait for an answer.
type ApprovalRequired struct {
	ToolCallID string `json:"toolCallId"`
	ToolName   string `json:"toolName,omitempty"`
	Args       Raw    `json:"args,omitempty"`
	Base
}

// ApprovalResponse says whether such an approval was given.
type ApprovalResponse struct {
	ToolCallID string `json:"toolCallId"`
	Approved   bool   `json:"approved"`
	Reason     string `json:"reason,omitempty"`
	Base
}

// CredentialRequired says that a plug-in needs a credential to continue. Kind
// is oauth, api_key or text.
type CredentialRequired struct {
	PluginID           string `json:"pluginId"`
	CredentialKey      string `json:"credentialKey,omitempty"`
	Kind               string `json:"kind,omitempty"`
	Label              string `json:"label,omitempty"`
	Description        string `json:"description,omitempty"`
	AuthURL            string `json:"authUrl,omitempty"`
	SessionKey         string `json:"sessionKey,omitempty"`
	PendingUserMessage string `json:"pendingUserMessage,omitempty"`
	Base
}

// Type implements [Event].
func (*ConfirmationRequested) Type() string { return "tool_confirmation_request" }

// Type implements [Event].
func (*ConfirmationResolved) Type() string { return "tool_confirmation_resolved" }

// Type implements [Event].
func (*QuestionAsked) Type() string { return "question" }

// Type implements [Event].
func (*QuestionAnswered) Type() string { return "question_answered" }

// Type implements [Event].
func (*ApprovalRequired) Type() string { return "tool_approval_required" }

// Type implements [Event].
func (*ApprovalResponse) Type() string { return "tool_approval_response" }

// Type implements [Event].
func (*CredentialRequired) Type() string { return "credential_required" }
