// Package child runs other people's commands and leaves nothing of them behind.
//
// # Contract
//
// When a child ends, everything that it started ends too, even processes that
// left its process group, its session or its parent. The same happens on
// [Child.Kill], at the end of [Child.Stop] and, on Linux and Windows, when the
// process that called [Start] dies in any way, including SIGKILL. [Child.Done] is
// closed only when no process, goroutine or file descriptor is left.
//
// # The guard
//
// On Linux, a process can adopt orphaned descendants, but only its own. To avoid
// adopting and reaping for the whole program, Turnwire runs each child under a
// guard: the same binary, started again, which [RunGuard] detects. The guard
// becomes the adopter, starts the command on the pipes that it was given, closes
// its own copies, and waits. Data never flows through it. EOF on a pipe tells it
// that its parent is gone. It runs outside the parent's process group and
// session, so that whatever kills those does not kill the guard first.
//
// A guard itself can be killed or stopped. If it is killed, Turnwire adopts what
// it leaves behind and kills that. If it is stopped, Turnwire kills it. Turnwire
// distinguishes adopted processes from its own children by their session.
// Therefore, only guards may be started in a new session.
//
// Other systems have no guard. Windows has jobs, which the kernel enforces: each
// child is in its own job before its first instruction. Other Unix systems kill
// the process group, which a process can leave.
package child
