// Command gen writes the JSON Schemas that the package schema embeds.
//
//	go generate ./schema
//
// It is the only place that knows the reflection library, which gives the
// structs; what reflection cannot see is added from the tables that the
// decoders themselves use: unions ([agent.Variants], [v1.NewUpdates] and its
// like), the values of named strings, and which method has which parameters.
// Generating is apart from writing, so that tests can compare without touching
// the work tree.
//
// Every object allows members that it does not name, for the protocols grow;
// but those of the configuration do not, as its reader does not.
package main
