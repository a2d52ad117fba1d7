package main

import (
	"reflect"

	"github.com/invopop/jsonschema"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A call holds the types of a method. A nil result means that it is a notification.
type call struct {
	method         string
	params, result reflect.Type
}

// toAgent lists the methods that a client calls, and toClient those that Turnwire calls.
var (
	toAgent = []call{
		{v1.MethodInitialize, reflect.TypeFor[v1.InitializeRequest](), reflect.TypeFor[v1.InitializeResponse]()},
		{v1.MethodAuthenticate, reflect.TypeFor[v1.AuthenticateRequest](), reflect.TypeFor[v1.AuthenticateResponse]()},
		{v1.MethodSessionNew, reflect.TypeFor[v1.NewSessionRequest](), reflect.TypeFor[v1.NewSessionResponse]()},
		{v1.MethodSessionPrompt, reflect.TypeFor[v1.PromptRequest](), reflect.TypeFor[v1.PromptResponse]()},
		{v1.MethodSessionClose, reflect.TypeFor[v1.CloseSessionRequest](), reflect.TypeFor[v1.CloseSessionResponse]()},
		{v1.MethodSessionLoad, reflect.TypeFor[v1.LoadSessionRequest](), reflect.TypeFor[v1.LoadSessionResponse]()},
		{v1.MethodSessionResume, reflect.TypeFor[v1.ResumeSessionRequest](), reflect.TypeFor[v1.ResumeSessionResponse]()},
		{v1.MethodSessionList, reflect.TypeFor[v1.ListSessionsRequest](), reflect.TypeFor[v1.ListSessionsResponse]()},
		{v1.MethodSessionDelete, reflect.TypeFor[v1.DeleteSessionRequest](), reflect.TypeFor[v1.DeleteSessionResponse]()},
		{v1.MethodSessionFork, reflect.TypeFor[v1.ForkSessionRequest](), reflect.TypeFor[v1.ForkSessionResponse]()},
		{v1.MethodSetTitle, reflect.TypeFor[v1.SetSessionTitleRequest](), reflect.TypeFor[v1.SetSessionTitleResponse]()},
		{v1.MethodSetConfig, reflect.TypeFor[v1.SetConfigOptionRequest](), reflect.TypeFor[v1.SetConfigOptionResponse]()},
		{v1.MethodSetMode, reflect.TypeFor[v1.SetModeRequest](), reflect.TypeFor[v1.SetModeResponse]()},
		{v1.MethodSessionCancel, reflect.TypeFor[v1.CancelNotification](), nil},
	}
	toClient = []call{
		{v1.MethodRequestPermission, reflect.TypeFor[v1.RequestPermissionRequest](), reflect.TypeFor[v1.RequestPermissionResponse]()},
		{v1.MethodElicitationCreate, reflect.TypeFor[v1.ElicitationRequest](), reflect.TypeFor[v1.ElicitationResponse]()},
		{v1.MethodReadTextFile, reflect.TypeFor[v1.ReadTextFileRequest](), reflect.TypeFor[v1.ReadTextFileResponse]()},
		{v1.MethodWriteTextFile, reflect.TypeFor[v1.WriteTextFileRequest](), reflect.TypeFor[v1.WriteTextFileResponse]()},
		{v1.MethodTerminalCreate, reflect.TypeFor[v1.CreateTerminalRequest](), reflect.TypeFor[v1.CreateTerminalResponse]()},
		{v1.MethodTerminalOutput, reflect.TypeFor[v1.TerminalOutputRequest](), reflect.TypeFor[v1.TerminalOutputResponse]()},
		{v1.MethodTerminalWait, reflect.TypeFor[v1.WaitForTerminalExitRequest](), reflect.TypeFor[v1.WaitForTerminalExitResponse]()},
		{v1.MethodTerminalKill, reflect.TypeFor[v1.KillTerminalRequest](), reflect.TypeFor[v1.KillTerminalResponse]()},
		{v1.MethodTerminalRelease, reflect.TypeFor[v1.ReleaseTerminalRequest](), reflect.TypeFor[v1.ReleaseTerminalResponse]()},
		{v1.MethodElicitationComplete, reflect.TypeFor[v1.CompleteElicitationNotification](), nil},
		{v1.MethodSessionUpdate, reflect.TypeFor[v1.SessionNotification](), nil},
	}
)

// messages defines the JSON-RPC messages of both sides: each method with its own params.
func (ts *types) messages() error {
	ts.defs["RequestId"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "integer"}, {Type: "string"}, {Type: "null"}}}
	failure := object(member{"code", &jsonschema.Schema{Type: "integer"}}, member{"message", &jsonschema.Schema{Type: "string"}})
	failure.Properties.Set("data", &jsonschema.Schema{})
	ts.defs["Error"] = failure

	if err := ts.side("Agent", toClient, toAgent); err != nil {
		return err
	}
	if err := ts.side("Client", toAgent, toClient); err != nil {
		return err
	}
	// Turnwire only sends this one to a client that asked for it.
	event := notification(v1.MethodEvent, object(
		member{"sessionId", &jsonschema.Schema{Type: "string"}},
		member{"event", &jsonschema.Schema{Type: "object", Description: "An event, as defined by the schema agent-event."}}))
	ts.defs["AgentNotification"].OneOf = append(ts.defs["AgentNotification"].OneOf, event)
	return nil
}

// side defines the messages of one side: its own calls, and its responses to the other
// side's calls.
func (ts *types) side(name string, calls, answered []call) error {
	requests, notifications := &jsonschema.Schema{}, &jsonschema.Schema{}
	for _, c := range calls {
		if _, err := ts.add(c.params); err != nil {
			return err
		}
		message := notification(c.method, ref(ts.name(c.params)))
		if c.result == nil {
			notifications.OneOf = append(notifications.OneOf, message)
			continue
		}
		message.Properties.Set("id", ref("RequestId"))
		message.Required = append(message.Required, "id")
		requests.OneOf = append(requests.OneOf, message)
	}
	if _, err := ts.add(reflect.TypeFor[v1.CancelRequestNotification]()); err != nil {
		return err
	}
	notifications.OneOf = append(notifications.OneOf, notification("$/cancel_request", ref("CancelRequestNotification")))

	results := &jsonschema.Schema{}
	for _, c := range answered {
		if c.result == nil {
			continue
		}
		if _, err := ts.add(c.result); err != nil {
			return err
		}
		results.AnyOf = append(results.AnyOf, ref(ts.name(c.result)))
	}
	ts.defs[name+"Request"] = requests
	ts.defs[name+"Notification"] = notifications
	ts.defs[name+"Response"] = &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		object(version, member{"id", ref("RequestId")}, member{"result", results}),
		object(version, member{"id", ref("RequestId")}, member{"error", ref("Error")}),
	}}
	return nil
}

var version = member{"jsonrpc", constant("2.0")}

func notification(method string, params *jsonschema.Schema) *jsonschema.Schema {
	return object(version, member{"method", constant(method)}, member{"params", params})
}
