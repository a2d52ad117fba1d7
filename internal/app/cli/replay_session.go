package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/dialects"
	"github.com/turnwire/turnwire/internal/agent/replay"
	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// recordedSession creates an agent that answers each prompt with the next turn of a saved
// session, and starts over after the last turn. It returns [fs.ErrNotExist] if there is
// no such session.
func recordedSession(typed string) (agents.Choice, error) {
	store, err := sessionsFolder()
	if err != nil {
		return agents.Choice{}, err
	}
	s, err := findSession(store, typed)
	if _, none := errors.AsType[noSessionError](err); none {
		return agents.Choice{}, fs.ErrNotExist
	}
	if err != nil {
		return agents.Choice{}, fmt.Errorf("--replay: %w", err)
	}
	recording := recording{store, s.ID}
	dialect, turns := "native", 0
	err = recording.each(func(turn int, r journal.Record) bool {
		turns = turn + 1
		if r.Type == journal.TypeUpdate {
			dialect = "acp"
		}
		return true
	})
	if err != nil {
		return agents.Choice{}, fmt.Errorf("--replay: %w", err)
	}
	if turns == 0 {
		return agents.Choice{}, fmt.Errorf("--replay: the session %s is empty", inLine(s.ID))
	}
	d, _ := dialects.Named(dialect)
	agent := replay.NewTurns(func(n int) (io.ReadCloser, error) { return recording.turn(n % turns) }, d)
	return agents.Choice{Agent: agent, Key: agents.Key("", "", []string{"replay", s.ID})}, nil
}

// A recording is a saved session that is replayed.
type recording struct {
	store journal.Store
	id    string
}

// each calls take for every record, with the number of its turn, until take returns
// false. It skips records before the first prompt.
func (r recording) each(take func(turn int, record journal.Record) bool) error {
	turn, id := -1, ""
	for record, err := range r.store.Read(r.id, 1) {
		if err != nil {
			return err
		}
		if record.Type == journal.TypePrompt {
			var p agent.Prompt
			if err := exactjson.Unmarshal(record.Data, &p); err != nil {
				return fmt.Errorf("record %d: %w", record.Seq, err)
			}
			if turn < 0 || p.TurnID == "" || p.TurnID != id { // otherwise the prompt answers a question of the same turn
				turn++
			}
			id = p.TurnID
		}
		if turn >= 0 && !take(turn, record) {
			return nil
		}
	}
	return nil
}

// turn returns one turn as a stream of lines.
func (r recording) turn(wanted int) (io.ReadCloser, error) {
	var lines bytes.Buffer
	err := r.each(func(turn int, record journal.Record) bool {
		if turn == wanted {
			writeLine(&lines, record)
		}
		return turn <= wanted
	})
	return io.NopCloser(&lines), err
}

// writeLine writes a record of the agent's output as it was on the wire.
func writeLine(lines *bytes.Buffer, r journal.Record) {
	switch r.Type {
	case journal.TypeEvent:
		fmt.Fprintf(lines, "%s\n", r.Data)
	case journal.TypeUpdate:
		fmt.Fprintf(lines, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"recorded","update":%s}}`+"\n", r.Data)
	case journal.TypeAsk:
		var request struct {
			Method json.RawMessage `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if exactjson.Unmarshal(r.Data, &request) == nil && len(request.Method) > 0 && len(request.Params) > 0 {
			fmt.Fprintf(lines, `{"jsonrpc":"2.0","id":%d,"method":%s,"params":%s}`+"\n", r.Seq, request.Method, request.Params)
		}
	case journal.TypeAnswer:
		fmt.Fprintf(lines, `{"jsonrpc":"2.0","id":%d,%s`+"\n", r.Seq, bytes.TrimPrefix(r.Data, []byte("{")))
	}
}
