// Package agenttest has what the tests of agents share.
package agenttest
