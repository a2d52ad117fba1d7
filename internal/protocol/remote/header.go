package remote

// Path is where servers have their endpoint.
const Path = "/acp"

// The headers of the transport.
const (
	// HeaderConnection names the connection: the answer to "initialize" has it,
	// and every request after that.
	HeaderConnection = "Acp-Connection-Id"
	// HeaderSession names the session that a request or a stream belongs to.
	HeaderSession = "Acp-Session-Id"
)

// The types of content.
const (
	TypeJSON   = "application/json"
	TypeEvents = "text/event-stream"
)

// MaxMessage is the longest message that is taken, in bytes. It is the longest
// line of package protocol.
const MaxMessage = 32 << 20
