package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/lazyregexp"
)

// maxAgents limits the number of entries in a registry.
const maxAgents = 10_000

var (
	entryID = lazyregexp.New(`^[a-z][a-z0-9-]{0,63}$`)
	version = lazyregexp.New(`^[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}(?:[-+.][0-9A-Za-z.+-]{0,40})?$`)
)

// A Registry is the content of a registry.json.
type Registry struct {
	Agents []Entry // in the order of their ids
	// Wrong has the reasons why entries were refused, by id, or by position if the id is
	// invalid too.
	Wrong map[string]error
}

// An Entry describes an agent. Its texts are untrusted: code that shows them must make
// hidden characters visible.
type Entry struct {
	ID           string       `json:"id"`
	Name         string       `json:"name"`
	Version      string       `json:"version"`
	Description  string       `json:"description"`
	Repository   string       `json:"repository"`
	License      string       `json:"license"`
	Distribution Distribution `json:"distribution"`
}

// A Distribution holds the ways to run an agent.
type Distribution struct {
	Binary map[string]Target `json:"binary"` // by platform, such as linux-x86_64
	NPX    *Package          `json:"npx"`
	UVX    *Package          `json:"uvx"`
}

// A Target is a program in an archive.
type Target struct {
	Archive string            `json:"archive"`
	SHA256  string            `json:"sha256"` // "" if unknown
	Cmd     string            `json:"cmd"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

// A Package is an npm or PyPI package.
type Package struct {
	Package string            `json:"package"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

// IsID reports whether id is a valid entry id.
func IsID(id string) bool { return entryID().MatchString(id) }

// Parse parses a registry.json. Invalid entries are reported in Wrong; any other mistake
// is an error.
func Parse(text []byte) (*Registry, error) {
	var document struct {
		Version string            `json:"version"`
		Agents  []json.RawMessage `json:"agents"`
	}
	if err := exactjson.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("not an agent registry: %w", err)
	}
	switch {
	case document.Version == "" || document.Agents == nil:
		return nil, errors.New("not an agent registry: the version or the agents are missing")
	case !strings.HasPrefix(document.Version, "1."):
		return nil, fmt.Errorf("the registry has the format %.20q, but this version supports only 1", document.Version)
	case len(document.Agents) > maxAgents:
		return nil, fmt.Errorf("the registry has more than %d agents", maxAgents)
	}
	r := &Registry{Wrong: map[string]error{}}
	seen := map[string]bool{}
	for i, raw := range document.Agents {
		var e Entry
		err := exactjson.Unmarshal(raw, &e)
		key := e.ID
		if !IsID(key) {
			key = fmt.Sprintf("agents[%d]", i)
		}
		if err == nil {
			err = e.check()
		}
		if err == nil && seen[key] {
			err = errors.New("the ID appears twice")
			r.Agents = slices.DeleteFunc(r.Agents, func(o Entry) bool { return o.ID == key })
		}
		seen[key] = true
		if err != nil {
			r.Wrong[key] = err
			continue
		}
		r.Agents = append(r.Agents, e)
	}
	slices.SortFunc(r.Agents, func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
	return r, nil
}

// check validates an entry, except for its distribution: each way to run the agent is
// checked separately.
func (e *Entry) check() error {
	switch {
	case !IsID(e.ID):
		return errors.New("the ID must be at most 64 lower-case letters, digits and dashes")
	case !version().MatchString(e.Version):
		return errors.New("the version must be three numbers separated by dots")
	case e.Name == "":
		return errors.New("it has no name")
	case len(e.Distribution.Binary) == 0 && e.Distribution.NPX == nil && e.Distribution.UVX == nil:
		return errors.New("it has no supported distribution")
	}
	return nil
}

// Find returns the entry with the given id. It returns an error if the entry is missing
// or invalid. If it is missing, known has the existing ids.
func (r *Registry) Find(id string) (e Entry, known []string, err error) {
	for _, e := range r.Agents {
		if e.ID == id {
			return e, nil, nil
		}
		known = append(known, e.ID)
	}
	if wrong, ok := r.Wrong[id]; ok {
		return Entry{}, nil, fmt.Errorf("invalid registry entry for %s: %w", id, wrong)
	}
	return Entry{}, known, ErrUnknown
}

// ErrUnknown is returned if a registry doesn't contain an agent.
var ErrUnknown = errors.New("the registry has no such agent")

// Search returns the entries that contain word in their id, name or description, ignoring
// case. The empty word matches all.
func (r *Registry) Search(word string) []Entry {
	word = strings.ToLower(word)
	var found []Entry
	for _, e := range r.Agents {
		if strings.Contains(strings.ToLower(e.ID+"\n"+e.Name+"\n"+e.Description), word) {
			found = append(found, e)
		}
	}
	return found
}

// Older reports whether version a is older than b, comparing their three numbers.
func Older(a, b string) bool {
	var x, y [3]int
	_, errA := fmt.Sscanf(a, "%d.%d.%d", &x[0], &x[1], &x[2])
	_, errB := fmt.Sscanf(b, "%d.%d.%d", &y[0], &y[1], &y[2])
	return errA == nil && errB == nil && slices.Compare(x[:], y[:]) < 0
}
