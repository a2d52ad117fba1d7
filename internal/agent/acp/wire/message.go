package wire

import (
	"errors"
	"strconv"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// parse takes a line apart. The error is dialect.ErrNotObject where the line
// is no message.
func parse(line []byte) (jsonrpc.Message, error) {
	m, err := jsonrpc.Parse(line)
	if err == nil && m.Method == "" && !m.IsResponse() {
		err = dialect.ErrNotObject
	}
	return m, err
}

var errNoParams = errors.New("the params are missing")

// label makes of a request's id something to know what it asks by.
func label(kind string, id []byte) string {
	body, err := rawjson.Parse(id)
	if err != nil {
		return kind + "-" + string(id)
	}
	if _, err := strconv.ParseFloat(string(body), 64); err == nil {
		return kind + "-" + string(id) // "7" is another id than 7
	}
	return kind + "-" + body.String()
}
