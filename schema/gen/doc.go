// Command gen writes the JSON Schemas that the package schema embeds.
//
//	go generate ./schema
//
// Only this command knows the reflection library, which handles the structs.
// What reflection cannot see is added from the tables that the decoders use:
// unions ([agent.Variants], [v1.NewUpdates] and the like), the values of named
// strings, and the parameters of each method. Generating is separate from
// writing, so that tests can compare without changing the work tree.
//
// Every object allows unknown members, because the protocols grow. Only the
// objects of the configuration do not, because its reader does not either.
package main
