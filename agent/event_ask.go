package agent

// ConfirmationRequested asks the user whether a tool may run. The agent waits
// for the tool_confirmation_response command.
//
// ConfirmationID identifies the request, and the answer repeats it. It is
// required if the agent asks again about the same call before the first answer.
// Two open requests that one answer could match are both refused. This happens
// if they have the same ConfirmationID, or the same ToolCallID and at least one
// has no ConfirmationID.
type ConfirmationRequested struct {
	ConfirmationID string `json:"confirmationId,omitempty" jsonschema:"description=The request's id, which the answer repeats. Default: the tool call's id."`
	ToolCallID     string `json:"toolCallId"`
	ToolName       string `json:"toolName,omitempty"`
	Args           Raw    `json:"args,omitempty"`
	Reason         string `json:"reason,omitempty" jsonschema:"description=Why the agent asks."`
	// Decisions lists the decisions that the agent understands. If it is empty,
	// they are allow_once and reject_once.
	Decisions []Decision `json:"decisions,omitempty" jsonschema:"description=The choices for the user. Default: allow_once and reject_once."`
	// Options are custom choices that replace Decisions. Several may have the
	// same kind.
	Options []ConfirmationOption `json:"options,omitempty" jsonschema:"description=Custom choices, shown in this order instead of decisions. Several may have the same kind. The answer contains the optionId of the chosen one."`
	// Partial means that the user may allow a part of the changes in Diffs. Only
	// code that decides itself, after the answer, what is written may set it. No
	// line of a program can.
	Partial bool `json:"-"`
	// Refusal says why the user can't be asked: the request could not be
	// decoded, or it belongs to no running turn. If it is set, the request is
	// refused.
	Refusal string `json:"-"`
	View
	Base
}

// A ConfirmationOption is a custom choice in a confirmation request. Choosing it
// permits the call if its Kind does.
type ConfirmationOption struct {
	ID   string   `json:"id" jsonschema:"description=The option's id in the answer. It is unique within the request."`
	Name string   `json:"name,omitempty" jsonschema:"description=The label. Default: the usual label for the kind."`
	Kind Decision `json:"kind" jsonschema:"description=The decision that this option stands for. The answer contains it."`
}

// ConfirmationResolved reports that a confirmation request was answered, by
// anyone. Without a ConfirmationID it settles all requests about the call.
type ConfirmationResolved struct {
	ConfirmationID string   `json:"confirmationId,omitempty"`
	ToolCallID     string   `json:"toolCallId"`
	Decision       Decision `json:"decision"`
	Reason         string   `json:"reason,omitempty"`
	Base
}

// QuestionAsked asks the user a question. The agent waits for the
// question_response command.
//
// If Fields is set, it asks for several values at once instead of one answer. If
// URL is set, it sends the user to a page, and the answer only says whether the
// user agreed to open it. [QuestionAnswered] later reports that the user is done
// there.
type QuestionAsked struct {
	QuestionID  string   `json:"questionId"`
	Question    string   `json:"question"`
	Header      string   `json:"header,omitempty"`
	Options     []string `json:"options,omitempty" jsonschema:"description=The choices. Default: free text."`
	Multiple    bool     `json:"multiple,omitempty" jsonschema:"description=The user can select several options."`
	AllowCustom bool     `json:"allowCustom,omitempty" jsonschema:"description=The user can also enter a custom answer."`
	Fields      []Field  `json:"fields,omitempty" jsonschema:"description=The fields of a form, instead of options. The answer contains their values."`
	URL         string   `json:"url,omitempty" jsonschema:"description=A web page (http or https) to send the user to, instead of options and fields."`
	ToolCallID  string   `json:"toolCallId,omitempty"`
	// Refusal works as in [ConfirmationRequested].
	Refusal string `json:"-"`
	Base
}

// QuestionAnswered reports that a question was answered, by anyone. For a
// question with a URL, it reports that the user is done on that page.
type QuestionAnswered struct {
	QuestionID string `json:"questionId"`
	Answer     string `json:"answer,omitempty"`
	Cancelled  bool   `json:"cancelled,omitempty"`
	Base
}

// ApprovalRequired announces that a tool call needs approval. As in Ethos,
// it is only an announcement: the agent does not wait for an answer.
type ApprovalRequired struct {
	ToolCallID string `json:"toolCallId"`
	ToolName   string `json:"toolName,omitempty"`
	Args       Raw    `json:"args,omitempty"`
	Base
}

// ApprovalResponse reports whether an approval announced by [ApprovalRequired]
// was given.
type ApprovalResponse struct {
	ToolCallID string `json:"toolCallId"`
	Approved   bool   `json:"approved"`
	Reason     string `json:"reason,omitempty"`
	Base
}

// CredentialRequired reports that a plug-in needs a credential to continue. Kind
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
