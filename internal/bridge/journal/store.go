package journal

import (
	"errors"
	"fmt"
	"iter"
	"time"
)

// A Store keeps journals. It is safe for concurrent use.
type Store interface {
	// Create begins a journal and owns it. The error is [ErrExists] if there is
	// one with that id.
	Create(h Header) (Journal, error)
	// Own makes the caller the owner of a session. The error is [ErrNotFound],
	// or an [OwnedError] if somebody else is.
	Own(id string) (Journal, error)
	// Read yields the records of a session with the number from and above. An
	// error ends the sequence. A record is valid until the next one.
	Read(id string, from int64) iter.Seq2[Record, error]
	// Describe returns what a list says of one session.
	Describe(id string) (Summary, error)
	// List returns the sessions that were changed last, the newest first.
	List(f Filter) (Page, error)
	// Delete removes a session. Nothing of it is left. It fails if somebody owns
	// it.
	Delete(id string) error
}

// A Journal is a session that the caller owns. It belongs to one goroutine at a
// time, except that Sync may be called at any time.
type Journal interface {
	Header() Header
	// Next is the number that the next record gets.
	Next() int64
	// Append adds records, the first of which gets the number expected. Without
	// any it sees to it that the session is there. The error is [ErrConflict] if that is not Next. After any other error nothing
	// can be appended any more. It does not keep the records.
	Append(expected int64, records []Record) error
	// Sync returns when all records are on the disk. After [ErrLate] they still
	// wait to be brought there.
	Sync() error
	// Retitle sets the title that lists show. It is not a record. A title that
	// was set by the user is changed by the user alone.
	Retitle(title string, byUser bool) error
	// Close gives the session up.
	Close() error
}

// A Header says what a session is. It never changes.
type Header struct {
	ID      string
	Agent   string // names the agent that has the session; opaque
	Cwd     string // absolute
	Roots   []string
	Created time.Time
}

// A Record is one thing that happened in a session.
type Record struct {
	Seq  int64     // its number, from 1; Append sets it
	Time time.Time // zero if it does not matter
	Type string    // what Data is
	Data []byte    // a JSON object
}

// A Summary is what a list says of a session.
type Summary struct {
	Header
	Title string
	// Empty says that nothing was said in it. Such a session is in no list.
	Empty   bool
	Updated time.Time
	Size    int64 // bytes
}

// A Filter selects sessions. Empty members select all.
type Filter struct {
	Agent  string
	Cwd    string
	Cursor string // that of the page before
	Limit  int    // 0 means [DefaultLimit]
}

// DefaultLimit is the length of a page.
const DefaultLimit = 50

// A Page is a part of a list.
type Page struct {
	Sessions []Summary
	Next     string // the cursor of the next page, or ""
	// Unread says which sessions would be among these, or may be, and cannot be
	// read, and why.
	Unread []error
}

// Errors of a store.
var (
	ErrNotFound = errors.New("there is no such session")
	ErrExists   = errors.New("there is such a session already")
	ErrConflict = errors.New("the session has other records than expected")
	ErrCursor   = errors.New("the cursor is not one of this list")
	ErrNewer    = errors.New("it was written by a newer Turnwire")
	ErrForeign  = errors.New("it is not a session of Turnwire")
	ErrDamaged  = errors.New("it is damaged")
	ErrLate     = errors.New("the store cannot be reached, and what is recorded waits")
	ErrFenced   = errors.New("another server has taken the session over")
)

// An OwnedError says who has a session.
type OwnedError struct {
	ID    string
	Owner string // such as "process 123"; "" if that is not known
}

// Error implements error.
func (e *OwnedError) Error() string {
	owner := e.Owner
	if owner == "" {
		owner = "another process"
	}
	return fmt.Sprintf("the session %s is open in %s", e.ID, owner)
}
