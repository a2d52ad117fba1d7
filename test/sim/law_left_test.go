package sim

import (
	"errors"
	"strings"
)

// nothingLeftLaw: after the end no goroutine is left, no file but saved sessions, and nothing
// of a deleted session.
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
