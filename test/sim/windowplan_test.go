package sim

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// The kinds of steps of AHP clients that do what editors' windows do.
const (
	opCreate    op = 200 + iota // an AHP client creates a session
	opDispose                   // … disposes of a session
	opFollow                    // … subscribes to a session in addition to its chat
	opUnfollow                  // … unsubscribes from a chat
	opRefresh                   // … subscribes again to what it mirrors
	opReconnect                 // … loses its connection, or connects again
	opNap                       // … reads nothing, or reads again
	opEnqueue                   // … queues a message, or sends it to the running turn
	opArrange                   // … removes, edits or reorders queued messages
	opBring                     // … prompts with attachments
	opReturn                    // … goes back to an earlier turn
	opBrowse                    // … reads files and older turns
	opTell                      // … answers a question
	opErr                       // … sends what no client should send
)

// windowOps are these kinds of steps, with their actions.
var windowOps = map[op]stepKind{
	opCreate:    {"create", (*World).create},
	opDispose:   {"dispose", withChat(dispose)},
	opFollow:    {"follow", withChat(follow)},
	opUnfollow:  {"unfollow", withChat(unfollow)},
	opRefresh:   {"refresh", withMirror(refresh)},
	opReconnect: {"reconnect", (*World).reconnect},
	opNap:       {"nap", withMirror(nap)},
	opEnqueue:   {"enqueue", withChat(enqueue)},
	opArrange:   {"arrange", withChat(arrange)},
	opBring:     {"bring", withChat(bring)},
	opReturn:    {"return", withChat(goBack)},
	opBrowse:    {"browse", withChat(browse)},
	opTell:      {"tell", withChat(tell)},
	opErr:       {"err", withChat(mistake)},
}

func init() { //nolint:gochecknoinits // each file has its own kinds of steps
	maps.Copy(ops, windowOps)
}

// windowFrequencies says how often the steps are added.
var windowFrequencies = [...]struct {
	op     op
	weight int
}{
	{opCreate, 4}, {opDispose, 1}, {opFollow, 4}, {opUnfollow, 2}, {opRefresh, 3}, {opReconnect, 6}, {opNap, 3}, {opEnqueue, 9}, {opArrange, 5},
	{opBring, 4}, {opReturn, 4}, {opBrowse, 5}, {opTell, 5}, {opErr, 4}, {opReflect, 3}, {opSay, 5}, {opConfirm, 5}, {opStop, 2}, {opAct, 5}, {opQuery, 3}, {opWait, 12}, {opRestart, 1}, {opSlow, 3}, {opKill, 1},
}

// openWindows adds steps of AHP clients to some worlds. In some of these, a chat has only few
// turns that needn't be fetched.
func (p *Plan) openWindows(r *rand.Rand) {
	if r.IntN(5) > 0 {
		return
	}
	if r.IntN(2) == 0 {
		p.ChatBytes = 300 + r.IntN(3000)
	}
	total := 0
	for _, f := range windowFrequencies {
		total += f.weight
	}
	const begin = 3
	p.Steps = slices.Insert(p.Steps, begin, randomStep(r, opCreate), randomStep(r, opCreate))
	for range 15 + r.IntN(30) {
		n := r.IntN(total)
		for _, f := range windowFrequencies {
			if n -= f.weight; n < 0 {
				p.Steps = slices.Insert(p.Steps, begin+2+r.IntN(len(p.Steps)-begin-1), randomStep(r, f.op))
				break
			}
		}
	}
}

func randomStep(r *rand.Rand, kind op) Step {
	return Step{Op: kind, A: r.Uint32(), B: r.Uint32(), C: r.Uint32(), Together: r.IntN(5) == 0}
}
