// Package agenttest has helpers that the tests of agents share.
package agenttest
