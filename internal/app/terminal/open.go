package terminal

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// An initializeResult holds the used members of an initialize response.
type initializeResult struct {
	ProtocolVersion uint16 `json:"protocolVersion"`
	AgentInfo       struct {
		Name  string `json:"name"`
		Title string `json:"title"`
	} `json:"agentInfo"`
	Meta         json.RawMessage `json:"_meta"`
	AuthMethods  []authMethod    `json:"authMethods"`
	Capabilities struct {
		LoadSession bool                  `json:"loadSession"`
		Prompt      v1.PromptCapabilities `json:"promptCapabilities"`
		Sessions    struct {
			List   *struct{} `json:"list"`
			Resume *struct{} `json:"resume"`
		} `json:"sessionCapabilities"`
	} `json:"agentCapabilities"`
}

// name returns the agent's display name.
func (g *initializeResult) name() string { return cmp.Or(g.AgentInfo.Title, g.AgentInfo.Name) }

var errNotKept = errors.New("the agent's sessions are not saved, so none can be continued")

// open opens the turn's session and returns its id.
func (c *client) open(initialized *initializeResult, o Options) (string, error) {
	able := initialized.Capabilities
	again := o.Resume
	switch {
	case o.Resume == "" && !o.Continue:
		var session v1.NewSessionResponse
		err := c.call(2, v1.MethodSessionNew, v1.NewSessionRequest{Cwd: o.Cwd, MCPServers: v1.MCPServers{}}, &session)
		return session.SessionID, err
	case able.Sessions.Resume == nil && !able.LoadSession:
		return "", errNotKept
	case o.Resume == "":
		if able.Sessions.List == nil {
			return "", errors.New("the agent does not list its sessions: name one with --resume")
		}
		var err error
		if again, err = c.newest(o.Cwd); err != nil {
			return "", err
		}
	}
	method := v1.MethodSessionResume
	if able.Sessions.Resume == nil {
		// session/load replays the history first, which must not be shown.
		method = v1.MethodSessionLoad
		c.past.Store(true)
		defer c.past.Store(false)
	}
	var opened v1.LoadSessionResponse
	return again, c.call(3, method, v1.LoadSessionRequest{SessionID: again, Cwd: o.Cwd, MCPServers: v1.MCPServers{}}, &opened)
}

// newest returns the most recently changed session in a folder. Agents list it on the
// first page.
func (c *client) newest(cwd string) (string, error) {
	var list v1.ListSessionsResponse
	if err := c.call(2, v1.MethodSessionList, v1.ListSessionsRequest{Cwd: cwd}, &list); err != nil {
		return "", err
	}
	var newest *v1.SessionInfo
	for i, s := range list.Sessions {
		if s.Cwd == cwd && (newest == nil || s.UpdatedAt > newest.UpdatedAt) {
			newest = &list.Sessions[i]
		}
	}
	if newest == nil {
		return "", fmt.Errorf("this agent has no session in %s to continue", cleanLine(cwd))
	}
	return newest.SessionID, nil
}
