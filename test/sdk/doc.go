// Package sdk tests the agent libraries in sdk/: agents written with them behind
// the built binary, the packages that would be published, and the types
// that code generators make from the schemas. It contains only tests.
//
// The tests have the build tag external. They need node, npm, python3 with venv,
// and cargo in PATH, and access to their package registries; make test-all lists
// what is missing. Without these they fail with a message that names what is
// missing.
package sdk
