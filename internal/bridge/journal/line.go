package journal

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// version is the version of the file format.
const version = 1

// headerLine is the first line of a file.
type headerLine struct {
	Turnwire string    `json:"turnwire"` // "session" marks our files
	Version  int       `json:"version"`
	ID       string    `json:"sessionId"`
	Agent    string    `json:"agent"`
	Cwd      string    `json:"cwd"`
	Roots    []string  `json:"roots,omitempty"`
	Created  time.Time `json:"created"`
	CopyOf   string    `json:"copyOf,omitempty"`
}

const mark = "session"

// AppendHeader appends a header's line, including its newline.
func AppendHeader(dst []byte, h Header) ([]byte, error) {
	line, err := json.Marshal(headerLine{mark, version, h.ID, h.Agent, h.Cwd, h.Roots, h.Created.UTC().Truncate(time.Millisecond), h.CopyOf})
	return append(append(dst, line...), '\n'), err
}

// ParseHeader parses a header's line. The error is [ErrForeign] or [ErrNewer].
func ParseHeader(line []byte) (Header, error) {
	var h headerLine
	switch err := exactjson.Unmarshal(line, &h); {
	case err != nil || h.Turnwire != mark || h.ID == "":
		return Header{}, ErrForeign
	case h.Version > version:
		return Header{}, ErrNewer
	}
	return Header{h.ID, h.Agent, h.Cwd, h.Roots, h.Created, h.CopyOf}, nil
}

// timeFormat is RFC 3339 with milliseconds, in UTC.
const timeFormat = "2006-01-02T15:04:05.000Z"

// AppendRecord appends a record's line, including its newline.
func AppendRecord(dst []byte, r Record) []byte {
	dst = append(appendHead(dst, r.Seq, r.Time, r.Type), r.Data...)
	return append(dst, lineEnd...)
}

// ParseRecord parses a record's line. The record's Data is a part of line. The error is
// [ErrDamaged].
func ParseRecord(line []byte) (r Record, err error) {
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "seq":
			r.Seq, err = strconv.ParseInt(string(value), 10, 64)
		case "time":
			err = r.Time.UnmarshalJSON(value)
		case "type":
			var s rawjson.String
			s, err = rawjson.Parse(value)
			r.Type = s.String()
		case "data":
			r.Data = value
		}
		if err != nil {
			return Record{}, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	if err := o.Err(); err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if r.Seq < 1 || r.Type == "" || len(r.Data) == 0 {
		return Record{}, fmt.Errorf("%w: a line is not a record", ErrDamaged)
	}
	return r, nil
}
