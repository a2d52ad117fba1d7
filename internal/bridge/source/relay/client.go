package relay

import (
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A client holds what the client sent with "initialize". The relay's mutex guards it.
type client struct {
	initialize []byte     // the params of "initialize"; nil until then
	introduced *core.Call // the last "initialize" that was answered with a result
	version    string     // the negotiated protocol version, as JSON; "" until the agent has answered
	notices    bool       // it shows notices
	forks      bool       // it wants to fork sessions
	cursors    bool       // it wants to know where
	times      bool       // it wants the times of replayed updates
	files      v1.FileSystemCapabilities
}

// initialized reads the params of "initialize".
func (c *client) initialized(params []byte) {
	c.initialize = params
	if c.initialize == nil {
		c.initialize = []byte("{}")
	}
	able, _, _ := rawmsg.Member(c.initialize, "clientCapabilities")
	c.files = v1.FileSystemCapabilities{}
	if files, _, _ := rawmsg.Member(able, "fs"); files != nil && exactjson.Unmarshal(files, &c.files) != nil {
		c.files = v1.FileSystemCapabilities{}
	}
	session, _, _ := rawmsg.Member(able, "session")
	notices, _, _ := rawmsg.Member(session, "notices")
	c.notices = len(notices) > 0 && notices[0] == '{'
	cursors, _, _ := rawmsg.Member(session, "cursors")
	c.cursors = len(cursors) > 0 && cursors[0] == '{'
	meta, _, _ := rawmsg.Member(able, "_meta")
	forks, _, _ := rawmsg.Member(meta, v1.ForkMeta)
	c.forks = string(forks) == "true"
	times, _, _ := rawmsg.Member(meta, v1.TimesMeta)
	c.times = string(times) == "true"
}

// mends reports whether the relay repairs messages. It only does that for the protocol
// version whose rules it knows. It expects that version until the agent has answered.
func (c *client) mends() bool { return c.version == "1" || c.version == "" }

// negotiated reads the protocol version in a response to "initialize".
func (c *client) negotiated(result []byte) {
	version, _, _ := rawmsg.Member(result, "protocolVersion")
	c.version = string(version)
}

// amend passes on the response of an agent that answered after the client's "initialize" was
// answered. The client can't change the protocol version any more.
func (c *client) amend(result []byte) {
	version, _, _ := rawmsg.Member(result, "protocolVersion")
	if c.introduced != nil && string(version) == c.version {
		c.introduced.Amend(result)
	}
}
