// Package terminal is the client of `turnwire run`, `turnwire attach` and `turnwire chat`. It
// is an ACP v1 client that runs a turn, or follows a session, and shows it to a user or
// writes it to a log ([Run]), or holds a full-screen conversation ([Chat]).
//
// Contract:
//
//   - One goroutine, the loop of a [Run] or a [Chat], owns everything that is shown
//     and asked. The connection's reader passes it messages in wire order, and
//     waits while the loop is busy. So a slow terminal slows the agent down, and
//     nothing is lost. The loop does not stop for the user: the agent's output
//     continues above an open question.
//   - A tool runs only after an explicit yes. An interrupt, EOF, a withdrawn
//     request and a missing terminal all refuse.
//   - Nothing that an agent writes reaches the terminal as a control sequence.
//     Such sequences are removed from running text, and made visible in
//     anything that the user is asked to agree to.
//   - Both restore the terminal on every way out.
//   - Importing the package does not query the terminal and costs at most 2 ms,
//     because it is linked into a binary that editors start.
package terminal
