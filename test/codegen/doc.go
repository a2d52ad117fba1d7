// Package codegen runs generators of code over the schemas, and compiles what
// they make: quicktype and json-schema-to-typescript by tsc, what
// datamodel-code-generator makes by running it, and what typify makes by cargo.
// It contains only tests.
//
// Contract: the tests have the build tag external. They need node, python3 with
// venv, cargo, and the packages that package-lock.json, requirements.txt and
// typify/Cargo.lock name (make test-all installs the first of these). Without
// them they fail and say so.
package codegen
