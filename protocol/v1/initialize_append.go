package v1

import (
	"strconv"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// AppendJSON appends the response: what encoding/json makes of it, without
// escapes for HTML.
func (r InitializeResponse) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendUint(append(dst, `{"protocolVersion":`...), uint64(r.ProtocolVersion), 10)
	dst = objectMember(dst, "agentCapabilities", r.AgentCapabilities.append)
	if r.AgentInfo != nil {
		dst = append(r.AgentInfo.append(append(member(dst, "agentInfo"), '{')), '}')
	}
	dst = member(dst, "authMethods")
	if len(r.AuthMethods) == 0 {
		dst = append(dst, "[]"...)
	} else {
		dst = AppendValue(dst, r.AuthMethods)
	}
	return append(metaMember(dst, r.Meta), '}')
}

// objectMember appends an object to whose members fill appends, unless it has
// none.
func objectMember(dst []byte, key string, fill func(dst []byte) []byte) []byte {
	without := len(dst)
	dst = append(member(dst, key), '{')
	empty := len(dst)
	if dst = fill(dst); len(dst) == empty {
		return dst[:without]
	}
	return append(dst, '}')
}

func trueMember(dst []byte, key string, is bool) []byte {
	if !is {
		return dst
	}
	return append(member(dst, key), "true"...)
}

func markerMember(dst []byte, key string, m *Marker) []byte {
	if m == nil {
		return dst
	}
	return append(metaMember(append(member(dst, key), '{'), m.Meta), '}')
}

func (i *Implementation) append(dst []byte) []byte {
	dst = rawjson.AppendString(member(dst, "name"), i.Name)
	dst = stringMember(dst, "title", i.Title)
	dst = rawjson.AppendString(member(dst, "version"), i.Version)
	return metaMember(dst, i.Meta)
}

func (c *AgentCapabilities) append(dst []byte) []byte {
	dst = trueMember(dst, "loadSession", c.LoadSession)
	dst = objectMember(dst, "promptCapabilities", c.PromptCapabilities.append)
	dst = objectMember(dst, "mcpCapabilities", c.MCPCapabilities.append)
	dst = objectMember(dst, "sessionCapabilities", c.SessionCapabilities.append)
	return metaMember(dst, c.Meta)
}

func (c *PromptCapabilities) append(dst []byte) []byte {
	dst = trueMember(dst, "image", c.Image)
	dst = trueMember(dst, "audio", c.Audio)
	dst = trueMember(dst, "embeddedContext", c.EmbeddedContext)
	return metaMember(dst, c.Meta)
}

func (c *MCPCapabilities) append(dst []byte) []byte {
	dst = trueMember(dst, "http", c.HTTP)
	dst = trueMember(dst, "sse", c.SSE)
	return metaMember(dst, c.Meta)
}

func (c *SessionCapabilities) append(dst []byte) []byte {
	dst = markerMember(dst, "close", c.Close)
	dst = markerMember(dst, "additionalDirectories", c.AdditionalDirectories)
	return metaMember(dst, c.Meta)
}
