// Package run is a run of an Awaken agent as a client sees it, without the network.
//
// A [Run] knows which decisions the run waits for, whether it must still be cancelled, and
// what its record and its thread report beyond its events: servers need not store events,
// and stores keep no text and commit the end of a run late.
package run
