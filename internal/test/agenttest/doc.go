// Package agenttest has shared helpers for the tests of agents.
package agenttest
