package events

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// maxTrace bounds each member of a trace context, in bytes. The standard asks for no
// more than 512.
const maxTrace = 1024

// traceOf is the trace context in the `_meta` of a request: the protocol's document
// on extensibility names its members. It goes to agents as headers, so what could
// not be one is left out.
func traceOf(meta v1.Meta) agent.TraceContext {
	parent, _ := meta["traceparent"].(string)
	state, _ := meta["tracestate"].(string)
	if parent == "" || !fitsHeader(parent) {
		return agent.TraceContext{}
	}
	if !fitsHeader(state) {
		state = ""
	}
	return agent.TraceContext{TraceParent: parent, TraceState: state}
}

func fitsHeader(value string) bool {
	return len(value) <= maxTrace && !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
}
