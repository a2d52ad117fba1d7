// Package terminal is the front end of `turnwire run`: an ACP v1 client that
// runs one turn and shows it to a user, or writes it to a log.
//
// Contract:
//
//   - One goroutine, the loop of a [Run], owns everything that is shown and
//     asked. The reader of the connection hands it messages in the order of the
//     wire and waits while it is busy, so a slow terminal slows the agent down
//     and nothing is lost. The loop never waits for a user alone: what the
//     agent says goes on being shown above an open question.
//   - A tool runs only after an explicit yes. An interrupt, the end of input, a
//     withdrawn request and a terminal that nobody sits at all refuse.
//   - Nothing an agent says reaches the terminal as a control sequence. Running
//     text loses such sequences; what a user is asked to agree to shows them.
//   - Run leaves the terminal as it found it, on every way out.
//   - Importing the package asks the terminal nothing and costs no time: it is
//     linked into a binary that editors start.
package terminal
