package remote

// Path is the path of a server's endpoint.
const Path = "/acp"

// The headers of the transport.
const (
	// HeaderConnection identifies the connection. It is in the response to "initialize"
	// and in every later request.
	HeaderConnection = "Acp-Connection-Id"
	// HeaderSession identifies the session that a request or a stream belongs to.
	HeaderSession = "Acp-Session-Id"
	// HeaderResumable confirms [Resumable] in the response to a WebSocket request, because
	// some servers accept every subprotocol.
	HeaderResumable = "Acp-Resumable"
	// HeaderOperation numbers the requests with messages on a resumable connection, from
	// 1. A request that is repeated with the same number is accepted, but has no effect.
	HeaderOperation = "Acp-Operation-Id"
	// HeaderInstance identifies the server's process, in the responses to "initialize" and
	// to requests for an unknown connection, so that a client knows of a restart.
	HeaderInstance = "Turnwire-Instance"
	// HeaderLastEvent has the id of the last event that a client received on a stream.
	HeaderLastEvent = "Last-Event-ID"
)

// Cursor is the name in _meta of a message's position in its stream, which is also its
// event's id. The messages of resumable streams have it.
const Cursor = "acp/cursor"

// The content types.
const (
	TypeJSON   = "application/json"
	TypeEvents = "text/event-stream"
)

// MaxMessage is the maximum length of a message, in bytes. It equals the longest line
// of package protocol.
const MaxMessage = 32 << 20
