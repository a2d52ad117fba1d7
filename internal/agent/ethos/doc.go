// Package ethos reaches agents of the Ethos framework (seed 000). Package wire
// decodes what they write.
//
// [NewACP] runs `ethos acp` as a child. It has neither approvals nor questions:
// Ethos itself refuses what would need one. [NewWeb] talks to the web API of
// `ethos serve`, the one surface that has both. An approval is only ever given
// for this call or for exactly these arguments; one that nobody decides is
// denied towards Ethos, which would wait for ever.
package ethos
