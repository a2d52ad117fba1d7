package wire

import "github.com/turnwire/turnwire/agent/stream/toolview"

// tools are those that the framework brings along; all others are made by the
// host, mostly out of OpenAPI documents, and have any names.
var tools = toolview.Table{
	{Name: "genericHttpRequest", Kind: "fetch", Verb: "Request", Subject: "path"},
	{Name: delegate, Kind: "think", Verb: "Delegate to", Subject: "specialistId"},
}
