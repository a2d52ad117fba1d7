// Package sdk tests the emitters of sdk/: what is written with them, behind the
// built binary; what would be published; and what generators of code make of the
// schemas. It contains only tests.
//
// Contract: the tests have the build tag external. They need node, npm, python3
// with venv, and cargo in PATH, and the registries of their packages: make
// test-all says what is missing. Without these they fail and say so.
package sdk
