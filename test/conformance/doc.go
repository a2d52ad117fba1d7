// Package conformance compares Turnwire with the official definition of the
// Agent Client Protocol: the npm package @agentclientprotocol/sdk, its JSON
// Schema and its client. It contains only tests.
//
// Contract: the tests have the build tag external. They need node in PATH and
// the packages that package-lock.json names (make test-all runs npm ci).
// Without these they fail and say so.
package conformance
