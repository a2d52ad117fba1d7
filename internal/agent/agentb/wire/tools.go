package wire

import "github.com/turnwire/turnwire/internal/agent/stream/toolview"

// tools lists the framework's own tools. All others belong to the host,
// usually come from OpenAPI documents, and have arbitrary names.
var tools = toolview.Table{
	{Name: "genericHttpRequest", Kind: "fetch", Verb: "Request", Subject: "path"},
	{Name: delegate, Kind: "think", Verb: "Delegate to", Subject: "specialistId"},
}
