package journal

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a session in a list.
type entry struct {
	place   place
	info    fs.FileInfo
	changed time.Time
}

// newest compares entries; the most recently changed one is first.
func newest(a, b entry) int {
	return cmp.Or(b.changed.Compare(a.changed), strings.Compare(a.place.path, b.place.path))
}

// List implements [Store]. It reads the names of all files, but only the beginnings of
// the files that it returns.
func (f *Folder) List(q Filter) (Page, error) {
	entries, closed, err := f.entries(q)
	if err != nil {
		return Page{}, err
	}
	slices.SortFunc(entries, newest)
	if q.Cursor != "" {
		after, err := parseCursor(q.Cursor)
		if err != nil {
			return Page{}, err
		}
		i, _ := slices.BinarySearchFunc(entries, after, func(e, after entry) int {
			return cmp.Or(after.changed.Compare(e.changed), strings.Compare(f.name(e.place), after.place.path))
		})
		if i < len(entries) && f.name(entries[i].place) == after.place.path {
			i++
		}
		entries = entries[i:]
	}
	limit := cmp.Or(q.Limit, DefaultLimit)
	var page Page
	if q.Cursor == "" {
		page.Unread = closed
	}
	for i, e := range entries {
		s, err := e.place.describe(e.info)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // otherwise it is being deleted
			page.Unread = append(page.Unread, err)
		}
		if err != nil || s.Empty || q.Cwd != "" && s.Cwd != q.Cwd || q.Agent != "" && s.Agent != q.Agent {
			continue
		}
		page.Sessions = append(page.Sessions, s)
		if len(page.Sessions) == limit && i < len(entries)-1 {
			page.Next = cursor(e, f.name(e.place))
			break
		}
	}
	return page, nil
}

// entries returns the sessions that a filter may select, unsorted. closed contains the
// errors of folders that cannot be read and may contain others.
func (f *Folder) entries(q Filter) (found []entry, closed []error, err error) {
	rooms, err := f.files.ReadDir(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("list sessions: %w", err)
	}
	for _, r := range rooms {
		agent, cwd, ok := strings.Cut(r.Name(), "-")
		if !ok || r.Type().IsRegular() || q.Agent != "" && agent != hash(q.Agent, 8) || q.Cwd != "" && cwd != hash(q.Cwd, 16) {
			continue
		}
		dir := filepath.Join(f.path, r.Name())
		files, err := f.files.ReadDir(dir)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) { // otherwise it is being deleted
				closed = append(closed, fmt.Errorf("list sessions: %w", err))
			}
			continue
		}
		for _, file := range files {
			name, ok := strings.CutSuffix(file.Name(), recordsFile)
			if !ok {
				continue
			}
			if info, err := file.Info(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
				found = append(found, entry{place{f.files, filepath.Join(dir, name)}, info, info.ModTime()})
			}
		}
	}
	return found, closed, nil
}

// name returns a session's place relative to the folder.
func (f *Folder) name(p place) string { return strings.TrimPrefix(p.path, f.path) }

// cursor returns a cursor that consists of the time and name of a page's last session.
func cursor(e entry, name string) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s %s", e.changed.UTC().Format(time.RFC3339Nano), name))
}

func parseCursor(s string) (entry, error) {
	text, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return entry{}, ErrCursor
	}
	at, name, ok := strings.Cut(string(text), " ")
	changed, err := time.Parse(time.RFC3339Nano, at)
	if err != nil || !ok {
		return entry{}, ErrCursor
	}
	return entry{place: place{path: name}, changed: changed}, nil
}

// describe returns the summary of a session.
func (p place) describe(info fs.FileInfo) (Summary, error) {
	file, err := p.files.Open(p.records(), os.O_RDONLY, 0)
	if err != nil {
		return Summary{}, fmt.Errorf("read session: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	h, _, err := readHeader(file)
	if err == nil && fileName(h.ID) != filepath.Base(p.path) {
		err = ErrForeign // it can't be found by its id
	}
	if err != nil {
		return Summary{}, fmt.Errorf("read session: %s: %w", p.records(), err)
	}
	s := Summary{Header: h, Updated: info.ModTime(), Size: info.Size()}
	set := p.readTitle()
	s.Title, s.Named = set.Title, set.ByUser
	if s.Title == "" {
		var prompted bool
		s.Title, prompted = firstPrompt(file)
		s.Empty = !prompted && s.Size <= maxEmpty
	}
	return s, nil
}
