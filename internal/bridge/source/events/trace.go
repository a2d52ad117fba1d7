package events

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// maxTrace bounds each member of a trace context, in bytes. The W3C standard asks for
// at most 512.
const maxTrace = 1024

// traceOf returns the trace context in a request's `_meta`. ACP's page on extensibility
// names the members. Agents get them as HTTP headers, so values that don't fit a header
// are dropped.
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
