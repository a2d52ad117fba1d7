// Command gen writes the JSON Schemas that the package schema embeds.
//
//	go generate ./schema
//
// Only this command uses the reflection library, which handles the structs. Everything
// that reflection can't see comes from the decoders' tables: unions ([agent.Variants],
// [v1.NewUpdates] and the like), the values of named strings, and the params of each
// method. Generating is separate from writing, so that tests can compare the schemas
// without changing the work tree.
//
// Every object allows unknown members, because the protocols grow. The exceptions are the
// configuration's objects, because its reader rejects unknown members.
package main
