// Package terminal is the front end of `turnwire run` and `turnwire chat`: an ACP v1
// client that runs one turn and shows it to a user, or writes it to a log ([Run]), or
// holds a conversation on the whole screen ([Chat]).
//
// Contract:
//
//   - One goroutine, the loop of a [Run] or a [Chat], owns everything that is shown
//     and asked. The reader of the connection hands it messages in the order of the
//     wire, and waits while it is busy. So a slow terminal slows the agent
//     down, and nothing is lost. The loop does not stop for the user: the
//     agent's output continues above an open question.
//   - A tool runs only after an explicit yes. An interrupt, the end of input, a
//     withdrawn request and the lack of a terminal all refuse.
//   - Nothing that an agent writes reaches the terminal as a control sequence.
//     Such sequences are removed from running text, and made visible in
//     anything that the user is asked to agree to.
//   - Both leave the terminal as they found it, on every way out.
//   - Importing the package does not query the terminal and costs 2 ms at most: it
//     is linked into a binary that editors start.
package terminal
