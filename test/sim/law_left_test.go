package sim

import (
	"errors"
	"strings"
)

// nothingLeftLaw: at the end, no goroutines are left, no files except saved sessions, and
// nothing of a deleted session.
type nothingLeftLaw struct{}

const nothingLeft = "nothing is left at the end"

func newNothingLeft() law { return nothingLeftLaw{} }

func (nothingLeftLaw) name() string { return nothingLeft }

func (nothingLeftLaw) see(*World, *event) error { return nil }

func (nothingLeftLaw) end(w *World) error {
	if len(w.leftovers) == 0 {
		return nil
	}
	return errors.New(strings.Join(w.leftovers, "\n"))
}
