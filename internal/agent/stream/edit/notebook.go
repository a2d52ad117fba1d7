package edit

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/stream/toolargs"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// A cell is a change of one cell in a Jupyter notebook. Only the cell's text
// is shown, not the notebook's JSON.
type cell struct {
	id     string // the cell's id, or ""
	number int    // its position if it has no id; -1 if unset
	mode   string // replace, insert or delete
	source string
}

// notebook returns the change of a call that edits a notebook, or nil.
func notebook(a toolargs.Args) []Change {
	path, source := a.Text("notebook_path"), a.Text("new_source")
	if path == "" {
		return nil
	}
	c := &cell{id: a.Text("cell_id"), number: -1, mode: a.Text("edit_mode"), source: source}
	if n, ok := a.Int("cell_number", "cell_index"); ok && n >= 0 {
		c.number = n
	}
	switch c.mode {
	case "":
		c.mode = "replace"
	case "replace", "insert", "delete":
	default:
		return nil
	}
	if c.mode != "delete" && !a.Is("new_source") {
		return nil
	}
	return []Change{{Path: path, cell: c}}
}

func (c *cell) apply(old *string) (Result, error) {
	if old == nil {
		return Result{}, ErrMissing
	}
	if c.mode == "insert" {
		none := ""
		return Result{Old: &none, New: c.source}, nil
	}
	source, ok := c.find(*old)
	if !ok {
		return Result{}, ErrNotFound
	}
	return Result{Old: &source, New: c.source}, nil
}

// after looks up the cell again. That doesn't work for a new or removed cell,
// so for those it returns what the call proposed.
func (c *cell) after(old, now *string) (Result, bool) {
	if old == nil || now == nil || *old == *now {
		return Result{}, false
	}
	r, err := c.apply(old)
	if err != nil {
		return Result{}, false
	}
	if c.mode == "replace" {
		source, ok := c.find(*now)
		if !ok {
			return Result{}, false
		}
		r.New = source
	}
	return r, true
}

// find returns the text of the cell in a notebook.
func (c *cell) find(notebook string) (source string, ok bool) {
	var n struct {
		Cells []struct {
			ID     string          `json:"id"`
			Source json.RawMessage `json:"source"`
		} `json:"cells"`
	}
	if exactjson.Unmarshal([]byte(notebook), &n) != nil {
		return "", false
	}
	number := c.number
	if c.id != "" {
		for _, one := range n.Cells {
			if one.ID == c.id {
				return lines(one.Source)
			}
		}
		// Notebooks in older formats have no ids; tools number their cells.
		at, err := strconv.Atoi(strings.TrimPrefix(c.id, "cell-"))
		if err != nil {
			return "", false
		}
		number = at
	}
	if number < 0 || number >= len(n.Cells) {
		return "", false
	}
	return lines(n.Cells[number].Source)
}

// lines returns a cell's text, which is a string or a list of lines.
func lines(raw json.RawMessage) (string, bool) {
	var text string
	if exactjson.Unmarshal(raw, &text) == nil {
		return text, true
	}
	var list []string
	if exactjson.Unmarshal(raw, &list) != nil {
		return "", false
	}
	return strings.Join(list, ""), true
}
