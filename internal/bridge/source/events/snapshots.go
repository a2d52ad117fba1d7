package events

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/edit"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/agent/stream/toolargs"
)

const (
	// lookTime bounds how long the session waits for the files that a call writes.
	// askTime applies instead if the agent waits for the user, who takes longer.
	lookTime = 400 * time.Millisecond
	askTime  = time.Second
	// lookGrace is the extra time for reading the disk after an editor used up that
	// time.
	lookGrace = 100 * time.Millisecond
	// maxFileSize bounds one file, and maxKept all files held in memory, in bytes.
	maxFileSize = 1 << 20
	maxKept     = 8 << 20
	// maxFiles bounds the number of files of one call.
	maxFiles = 32
)

// snapshots holds copies of the files that running calls write, taken before the calls.
// It implements [normalize.Files], and belongs to the session's goroutine.
type snapshots struct {
	peers *peers
	loop  *loop
	queue *queue
	turn  *turn
	ctx   context.Context // of the source
	files *fileReader
	calls map[*normalize.Tool]*snapshot
	bytes int         // of all snapshots
	busy  atomic.Bool // a snapshot is in progress, perhaps an abandoned one
}

// A snapshot holds the files of one call.
type snapshot struct {
	name  string
	args  agent.Raw
	asked bool // the agent waits for consent
	files []fileSnapshot
	view  agent.View
	size  int
}

// A fileSnapshot is a file that a call writes.
type fileSnapshot struct {
	change   edit.Change
	before   version
	known    bool         // before is the content that the call started from
	expected *edit.Result // the result of the call; nil if the change does not apply
}

func newSnapshots(ctx context.Context, p *peers, l *loop, q *queue, t *turn, roots []string) *snapshots {
	return &snapshots{
		peers: p, loop: l, queue: q, turn: t, ctx: ctx,
		files: &fileReader{cwd: p.cwd, dirs: append([]string{p.cwd}, roots...), editor: p.files()},
		calls: make(map[*normalize.Tool]*snapshot),
	}
}

// CaptureBefore implements [normalize.Files].
func (k *snapshots) CaptureBefore(tool *normalize.Tool) agent.View {
	if l := k.calls[tool]; l != nil && l.name == tool.Name && bytes.Equal(l.args, tool.Args) && l.asked == tool.Asked {
		return l.view
	}
	k.forget(tool)
	var room [8]toolargs.Member
	changes := edit.Of(tool.Name, toolargs.Parse(room[:0], tool.Args))
	if len(changes) == 0 || len(changes) > maxFiles || k.bytes > maxKept {
		return agent.View{}
	}
	asked := tool.Asked && tool.Status == normalize.Pending
	files, ok := await(k, tool.Asked, func(ctx context.Context) []fileSnapshot { return k.files.captureBefore(ctx, changes, asked) })
	if !ok {
		return agent.View{}
	}
	l := &snapshot{name: tool.Name, args: tool.Args, asked: tool.Asked, files: files}
	l.view.Diffs, l.view.Locations = k.shown(files)
	for _, f := range files {
		l.size += f.before.size()
	}
	k.calls[tool] = l
	k.bytes += l.size
	return l.view
}

// CaptureAfter implements [normalize.Files].
func (k *snapshots) CaptureAfter(tool *normalize.Tool) (diffs []agent.Diff, ok bool) {
	l := k.calls[tool]
	if l == nil || !slices.ContainsFunc(l.files, func(f fileSnapshot) bool { return f.known }) {
		return nil, false
	}
	defer k.forget(tool)
	results, ok := await(k, l.asked, func(ctx context.Context) []*edit.Result { return k.files.captureAfter(ctx, l.files, l.asked) })
	if !ok {
		return nil, false
	}
	diffs = []agent.Diff{}
	left := edit.MaxDiffs
	for i, f := range l.files {
		one := k.stated(f.change, left)
		if r := results[i]; r != nil {
			if real, _ := edit.Diffs(k.files.path(f.change.Target()), *r, left); real != nil {
				one = real
			}
		}
		diffs, left = append(diffs, one...), left-sizeOf(one)
	}
	return diffs, true
}

// shown returns the diffs of pending changes, and where they begin. It returns none if
// no file is known: then the call's own arguments are shown.
func (k *snapshots) shown(files []fileSnapshot) (diffs []agent.Diff, places []agent.Location) {
	known := false
	left := edit.MaxDiffs
	for _, f := range files {
		one, line := k.stated(f.change, left), 0
		if f.expected != nil {
			if real, first := edit.Diffs(k.files.path(f.change.Target()), *f.expected, left); real != nil {
				one, line, known = real, first, true
			}
		}
		diffs, left = append(diffs, one...), left-sizeOf(one)
		places = append(places, agent.Location{Path: k.files.path(f.change.Target()), Line: line})
	}
	if !known {
		return nil, nil
	}
	return diffs, places
}

// stated returns the diffs that the call's arguments contain.
func (k *snapshots) stated(c edit.Change, limit int) (diffs []agent.Diff) {
	for _, r := range c.Stated() {
		diffs = append(diffs, agent.Diff{Path: k.files.path(c.Target()), OldText: r.Old, NewText: r.New})
	}
	if sizeOf(diffs) > limit {
		return nil
	}
	return diffs
}

func sizeOf(diffs []agent.Diff) int {
	n := 0
	for _, d := range diffs {
		n += len(d.NewText)
		if d.OldText != nil {
			n += len(*d.OldText)
		}
	}
	return n
}

// forget drops the snapshot of a call.
func (k *snapshots) forget(tool *normalize.Tool) {
	if l := k.calls[tool]; l != nil {
		k.bytes -= l.size
		delete(k.calls, tool)
	}
}

// forgetAll drops all snapshots.
func (k *snapshots) forgetAll() {
	clear(k.calls)
	k.bytes = 0
}

// await calls f in a goroutine, because the file system and the editor may be slow. It
// waits for f, but not long, and not after a cancel. ok is false if it stopped waiting.
func await[T any](k *snapshots, asked bool, f func(ctx context.Context) T) (result T, ok bool) {
	stopped := func() bool { return k.queue.isCancelled() || k.loop.isStopping() }
	if stopped() || !k.busy.CompareAndSwap(false, true) {
		return result, false
	}
	k.peers.view.Flush()
	limit := lookTime
	if asked {
		limit = askTime
	}
	ctx, cancel := context.WithTimeout(k.ctx, limit)
	defer cancel()
	done := make(chan T, 1)
	go func() {
		r := f(ctx)
		k.busy.Store(false)
		done <- r
	}()
	timer := time.NewTimer(limit + lookGrace)
	defer timer.Stop()
	for {
		select {
		case result = <-done:
			return result, true
		case <-timer.C:
			k.turn.logger().Warn("stopped reading the files that a tool call changes")
			return result, false
		case <-k.loop.woken:
			defer k.loop.wake() // serve must see it too
			if stopped() {
				return result, false
			}
		}
	}
}

// A version is a file's content at some moment. text is the content to show, and disk
// the content on disk; each is nil if the file does not exist.
type version struct{ text, disk *string }

func (v version) size() int {
	n := 0
	for _, s := range []*string{v.text, v.disk} {
		if s != nil {
			n += len(*s)
		}
	}
	return n
}

// absolute returns path as an absolute, clean path. A relative path is in cwd.
func absolute(cwd, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cwd, path)
}
