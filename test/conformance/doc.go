// Package conformance holds Turnwire to the official definition of the Agent
// Client Protocol: the npm package @agentclientprotocol/sdk, its JSON Schema
// and its client. There is nothing here but tests.
//
// Contract: the tests have the build tag external. Then node is in PATH, and the
// packages that package-lock.json names are installed (make test-all runs npm
// ci); without them the tests fail and say so.
package conformance
