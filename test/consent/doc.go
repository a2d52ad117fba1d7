// Package consent tests what an agent receives when its permission request is
// answered, on every path that an answer can take: from each kind of client, through
// each view and server, to each source.
package consent
