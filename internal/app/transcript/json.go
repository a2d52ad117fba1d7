package transcript

import (
	"bufio"
	"encoding/json"
	"io"
	"iter"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/visible"
)

// document is the head of a session as JSON. The records follow it.
type document struct {
	Turnwire string    `json:"turnwire"` // "session"
	Version  int       `json:"version"`
	ID       string    `json:"sessionId"`
	Agent    string    `json:"agent"`
	Cwd      string    `json:"cwd"`
	Roots    []string  `json:"roots,omitempty"`
	Title    string    `json:"title"`
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`
}

// record is a record in the document.
type record struct {
	Seq  int64           `json:"seq"`
	Time *time.Time      `json:"time,omitempty"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// version is the version of the document's format.
const version = 1

// JSON writes a session as one JSON object: its description, and the member "records". It
// reads one record at a time.
func JSON(w io.Writer, s journal.Summary, records iter.Seq2[journal.Record, error]) error {
	out := bufio.NewWriter(w)
	head, err := json.Marshal(document{"session", version, s.ID, s.Agent, s.Cwd, s.Roots, s.Title, s.Created.UTC(), s.Updated.UTC()})
	if err != nil {
		return err
	}
	// The writer keeps its first error, which Flush returns.
	_, _ = out.WriteString(visible.JSON(string(head[:len(head)-1])) + `,"records":[`)
	separator := "\n"
	for r, err := range records {
		if err != nil {
			return err
		}
		line := record{Seq: r.Seq, Type: r.Type, Data: r.Data}
		if !r.Time.IsZero() {
			line.Time = &r.Time
		}
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		_, _ = out.WriteString(separator + visible.JSON(string(text)))
		separator = ",\n"
	}
	_, _ = out.WriteString("\n]}\n")
	return out.Flush()
}
