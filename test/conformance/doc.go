// Package conformance holds Turnwire to the official definition of the Agent
// Client Protocol: the npm package @agentclientprotocol/sdk, its JSON Schema
// and its client. There is nothing here but tests.
//
// Contract: the packages that package-lock.json names are installed (make test
// runs npm ci), and node is in PATH; without them the tests fail and say so.
package conformance
