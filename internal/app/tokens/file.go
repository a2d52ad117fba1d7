package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/turnwire/turnwire/internal/atomicfile"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxFile is the maximum size of the file, in bytes.
const maxFile = 256 << 10

// content is the file's JSON.
type content struct {
	Tokens []Token `json:"tokens"`
}

func (s *Store) read() ([]Token, error) {
	text, err := atomicfile.Read(s.path, maxFile)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 { // the first write was interrupted
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parse(s.path, text)
}

// parse parses the text of a file. A damaged file is an error, and is not treated as
// empty.
func parse(path string, text []byte) ([]Token, error) {
	var c content
	if err := exactjson.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	for _, t := range c.Tokens {
		if !nameForm().MatchString(t.Name) || len(t.Hash) != len(hash("")) {
			return nil, fmt.Errorf("%s is damaged: it contains an invalid token", path)
		}
	}
	return c.Tokens, nil
}

func (s *Store) write(all []Token) error {
	if all == nil {
		all = []Token{}
	}
	text, err := json.MarshalIndent(content{all}, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WritePrivate(s.path, append(text, '\n'))
}
