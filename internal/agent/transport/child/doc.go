// Package child runs commands of other people and leaves nothing of them
// behind.
//
// # Contract
//
// When a child ends, everything that it started ends with it, also what left
// its process group, its session or its parent. The same happens on
// [Child.Kill], at the end of [Child.Stop], and (on Linux and Windows) when the
// process that called [Start] goes away in whatever way, SIGKILL included. No
// process, goroutine or file descriptor is left, and [Child.Done] is closed only
// then.
//
// # The guard
//
// On Linux a process can adopt the orphans among its descendants, and only
// itself. So that Turnwire need not adopt (and reap) for the whole program,
// each child runs under a guard: this very binary, started again, which
// [RunGuard] recognises. The guard adopts, starts the command on the pipes
// that it was given, lets go of them, and waits. Data never flows through it.
// It learns from the end of a pipe that its parent is gone, and it stands
// outside the parent's process group and session, so that what kills these
// does not kill it first.
//
// A guard can be killed or stopped too. Turnwire adopts what a guard that is
// killed leaves behind, and kills it; a guard that is stopped it kills. What it
// has started itself is told from what it has adopted by the session: nothing but
// a guard may be started in a session of its own.
//
// On other systems there is no guard. Windows has jobs, which the kernel guards:
// each child is in one of its own before its first instruction. Other kinds of
// Unix kill the process group, which a process can leave.
package child
