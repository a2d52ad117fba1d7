package wire

import (
	"errors"
	"strconv"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// parse parses a line. It returns dialect.ErrNotObject if the line is not a
// message.
func parse(line []byte) (jsonrpc.Message, error) {
	m, err := jsonrpc.Parse(line)
	if err == nil && m.Method == "" && !m.IsResponse() {
		err = dialect.ErrNotObject
	}
	return m, err
}

var errNoParams = errors.New("the params are missing")

// label returns an event id for a request id, with a prefix for the kind of
// request.
func label(kind string, id []byte) string {
	body, err := rawjson.Parse(id)
	if err != nil {
		return kind + "-" + string(id)
	}
	if _, err := strconv.ParseFloat(string(body), 64); err == nil {
		return kind + "-" + string(id) // keep the quotes: "7" and 7 are different ids
	}
	return kind + "-" + body.String()
}
