package ahphost

import (
	"path/filepath"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

const (
	// seqsPerMilli is the average number of actions per millisecond up to which the clock
	// gives unused numbers after a restart. All numbers fit into a float64.
	seqsPerMilli = 1000
	// numberBlock is how many numbers are reserved, or skipped, at once.
	numberBlock = 1 << 20
	// maxNumber bounds the saved number. A larger one is no number of a host.
	maxNumber = 1 << 52
	// maxAhead bounds how far a client's number may be ahead of the clock: a year.
	maxAhead = 365 * 24 * 3600 * 1000 * seqsPerMilli
)

// keptNumbers are the saved numbers of actions. The clock may be set back, and then it would
// give numbers that clients have already seen.
type keptNumbers struct {
	Unused int64 `json:"unused"` // no host has used it, or a larger one
}

func (s *saver) numbersFile() string { return filepath.Join(s.folder, "numbers"+suffix) }

// firstNumber returns a number that no earlier host has used.
func (h *Host) firstNumber() int64 {
	if h.cfg.FirstSeq > 0 {
		return h.cfg.FirstSeq
	}
	byClock, s := h.cfg.Now().UnixMilli()*seqsPerMilli, h.saver
	if s.folder == "" {
		return byClock
	}
	var kept keptNumbers
	text, err := s.files.ReadWhole(s.numbersFile(), maxRecord)
	if err != nil || exactjson.Unmarshal(text, &kept) != nil || kept.Unused > maxNumber {
		return byClock
	}
	return max(byClock, kept.Unused)
}

// pass skips the numbers up to one that a client got from another machine, and many more: that
// machine may use the next ones meanwhile, and the client may return to it. No client can have
// missed an action before that.
func (h *Host) pass(seen int64) {
	if f := h.feed; seen > f.last && seen < h.cfg.Now().UnixMilli()*seqsPerMilli+maxAhead {
		f.last = seen + numberBlock
		f.next()
		f.first = f.last
	}
}

// next takes the next number.
func (f *feed) next() {
	if f.last++; f.last > f.reserved-numberBlock/2 {
		f.reserve()
	}
}

// reserve saves a number that is far ahead.
func (f *feed) reserve() {
	f.reserved = f.last + numberBlock
	f.saver.enqueue(f.saver.numbersFile(), rawmsg.Encode(keptNumbers{f.reserved}))
}
