// Package ethos connects to agents of the Ethos framework. Package
// wire decodes their output.
//
// [NewACP] runs `ethos acp` as a child process. It has neither approvals nor
// questions: Ethos itself refuses calls that would need one. [NewWeb] uses the
// web API of `ethos serve`, the only interface that has both. An approval
// always applies to a single call or to exactly the same arguments. Undecided
// approvals are denied, because Ethos would wait forever.
package ethos
