package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/turnwire/turnwire/internal/app/setup"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

const (
	// hostTimeout limits a handshake with a server that VS Code's chat would use.
	hostTimeout = 10 * time.Second
	// maxHostFrame is the largest accepted message from the server, in bytes.
	maxHostFrame = 4 << 20
	// desktopOrigin is the Origin header of VS Code's windows.
	desktopOrigin = "vscode-file://vscode-app"
)

// offered are the protocol versions that VS Code 1.139 to 1.142 offer.
var offered = []string{"1.0.0", "0.10.0", "0.9.0", "0.7.0", "0.6.0", "0.5.2", "0.5.1"}

// handshake performs a handshake like a VS Code window, and describes what VS Code would
// show.
func handshake(ctx context.Context, h setup.Host) (found string, err error) {
	ctx, cancel := context.WithTimeout(ctx, hostTimeout)
	defer cancel()
	u, err := hostURL(h)
	if err != nil {
		return "", err
	}
	c, answer, err := websocket.Dial(ctx, u, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {desktopOrigin}}}) //nolint:bodyclose // its body need not be closed
	switch {
	case err == nil:
	case answer != nil && answer.StatusCode != http.StatusSwitchingProtocols:
		return "", refusal(answer.StatusCode)
	default:
		return "", &unreachable{h.Token, err}
	}
	defer func() { _ = c.CloseNow() }()
	c.SetReadLimit(maxHostFrame)
	var initialize struct {
		ProtocolVersion string `json:"protocolVersion"`
		Snapshots       []struct {
			Resource string          `json:"resource"`
			State    json.RawMessage `json:"state"`
		} `json:"snapshots"`
	}
	err = call(ctx, c, 1, "initialize", map[string]any{
		"channel": ahp.Root, "protocolVersions": offered, "clientId": "turnwire-doctor",
		"initialSubscriptions": []string{ahp.Root},
	}, &initialize)
	if err != nil {
		return "", err
	}
	var names []string
	for _, s := range initialize.Snapshots {
		var root ahp.RootState
		if s.Resource == ahp.Root && exactjson.Unmarshal(s.State, &root) == nil {
			for _, a := range root.Agents {
				names = append(names, a.DisplayName)
			}
		}
	}
	if err := call(ctx, c, 2, "ping", map[string]any{"channel": ahp.Root}, nil); err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", errors.New("names no agents")
	}
	return fmt.Sprintf("shows %s (AHP %s)", strings.Join(names, ", "), initialize.ProtocolVersion), nil
}

// hostURL returns the URL that VS Code derives from an entry.
func hostURL(h setup.Host) (string, error) {
	u, err := url.Parse(h.Address)
	if err != nil || u.Host == "" || u.Scheme != "ws" && u.Scheme != "wss" {
		return "", errors.New("has an invalid address")
	}
	query := u.Query()
	if h.Token != "" {
		query.Set("tkn", h.Token)
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// unreachable is a connection error. Its cause's text may contain the URL with the token,
// which Error hides.
type unreachable struct {
	token string
	cause error
}

func (u *unreachable) Error() string {
	text := u.cause.Error()
	if u.token != "" {
		text = strings.NewReplacer(url.QueryEscape(u.token), "…", u.token, "…").Replace(text)
	}
	return "cannot be reached: " + text
}

func (u *unreachable) Unwrap() error { return u.cause }

// call sends a request and reads messages until its response.
func call(ctx context.Context, c *websocket.Conn, id int, method string, params, into any) error {
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		return err
	}
	if err := c.Write(ctx, websocket.MessageText, request); err != nil {
		return fmt.Errorf("%w: %w", errNotHost, err)
	}
	for {
		kind, frame, err := c.Read(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errNotHost, err)
		}
		var answer struct {
			ID     json.RawMessage `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if kind != websocket.MessageText || exactjson.Unmarshal(frame, &answer) != nil {
			return errNotHost
		}
		switch {
		case string(answer.ID) != strconv.Itoa(id):
			continue // a notification
		case answer.Error != nil:
			return fmt.Errorf("refuses %s: %.200q", method, answer.Error.Message)
		case into != nil && exactjson.Unmarshal(answer.Result, into) != nil:
			return errNotHost
		}
		return nil
	}
}
