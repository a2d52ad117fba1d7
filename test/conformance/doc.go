// Package conformance compares Turnwire with the official definition of the
// Agent Client Protocol: the npm package @agentclientprotocol/sdk, with its
// JSON Schema and its client. It contains only tests.
//
// The tests have the build tag external. They need node in PATH and the
// packages in package-lock.json (make test-all runs npm ci). Without these they
// fail with a message that names what is missing.
package conformance
