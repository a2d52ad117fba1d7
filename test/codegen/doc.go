// Package codegen runs code generators on the schemas, and compiles or runs
// their output: quicktype and json-schema-to-typescript with tsc,
// datamodel-code-generator with Python, and typify with cargo. It contains only
// tests.
//
// The tests have the build tag external. They need node, python3 with venv,
// cargo, and the packages in package-lock.json, requirements.txt and
// typify/Cargo.lock (make test-all installs the first of these). Without them
// they fail with a message that names what is missing.
package codegen
