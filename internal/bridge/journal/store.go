package journal

import (
	"errors"
	"fmt"
	"iter"
	"time"
)

// A Store stores journals. It is safe for concurrent use.
type Store interface {
	// Create creates a journal and owns it. The error is [ErrExists] if the id is in
	// use.
	Create(h Header) (Journal, error)
	// Own makes the caller the owner of a session. The error is [ErrNotFound], or an
	// [OwnedError] if the session has an owner.
	Own(id string) (Journal, error)
	// Read yields a session's records with numbers from from upwards, including all that
	// this process appended. An error ends the sequence. A record is valid until the next
	// iteration.
	Read(id string, from int64) iter.Seq2[Record, error]
	// Describe returns the summary of one session, after all that this process appended.
	Describe(id string) (Summary, error)
	// List returns a page of sessions, the most recently changed first.
	List(f Filter) (Page, error)
	// Delete deletes a session completely. It fails if the session has an owner.
	Delete(id string) error
}

// A Journal is a session that the caller owns. Only one goroutine may use it at a time,
// but Sync may be called at any time.
type Journal interface {
	Header() Header
	// Next returns the number of the next record.
	Next() int64
	// Append appends records, numbered from expected. Without records, it ensures that
	// the session exists. The error is [ErrConflict] if expected is not Next. After any
	// other error, nothing can be appended any more. Append does not retain the
	// records.
	Append(expected int64, records []Record) error
	// Sync waits until all records are on disk. After [ErrLate] they are still waiting
	// to be written.
	Sync() error
	// Retitle sets the title for lists. It is not a record. If byUser is false, it does
	// not replace a title that was set by the user.
	Retitle(title string, byUser bool) error
	// Close releases the session.
	Close() error
}

// A Header identifies a session. It never changes.
type Header struct {
	ID      string
	Agent   string // the agent's key; opaque
	Cwd     string // absolute
	Roots   []string
	Created time.Time
	// CopyOf is the session whose records are at the beginning, if the agent doesn't know
	// these; or "".
	CopyOf string
}

// A Record is one event of a session.
type Record struct {
	Seq  int64     // the number, from 1; set by Append
	Time time.Time // zero if it does not matter
	Type string    // the type of Data
	Data []byte    // a JSON object
}

// A Summary describes a session in a list.
type Summary struct {
	Header
	Title string
	Named bool // the user set the title
	// Empty is set if the session has no prompt. List omits such sessions.
	Empty   bool
	Updated time.Time
	Size    int64 // bytes
}

// A Filter selects sessions. An empty field selects all.
type Filter struct {
	Agent  string
	Cwd    string
	Cursor string // from the previous page
	Limit  int    // 0 means [DefaultLimit]
}

// DefaultLimit is the default length of a page.
const DefaultLimit = 50

// A Page is one page of a list.
type Page struct {
	Sessions []Summary
	Next     string // the cursor of the next page, or ""
	// Unread contains the errors about unreadable sessions that would, or might, be
	// among these.
	Unread []error
}

// Errors of a store.
var (
	ErrNotFound = errors.New("the session does not exist")
	ErrExists   = errors.New("the session already exists")
	ErrConflict = errors.New("the session's records are not the expected ones")
	ErrCursor   = errors.New("the cursor does not belong to this list")
	ErrNewer    = errors.New("it was written by a newer Turnwire")
	ErrForeign  = errors.New("it is not a Turnwire session")
	ErrDamaged  = errors.New("it is damaged")
	ErrLate     = errors.New("the store is unreachable; records are queued")
	ErrFenced   = errors.New("another server took over the session")
)

// An OwnedError says who owns a session.
type OwnedError struct {
	ID    string
	Owner string // such as "process 123"; "" if unknown
}

// Error implements error.
func (e *OwnedError) Error() string {
	owner := e.Owner
	if owner == "" {
		owner = "another process"
	}
	return fmt.Sprintf("the session %s is open in %s", e.ID, owner)
}
