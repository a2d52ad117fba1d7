// Package registry reads registries of ACP agents, and installs agents from them.
//
// A registry is one JSON document that lists agents with their versions, and how to run
// each: as an npm package, as a PyPI package, or as a program in an archive.
//
// Contract: registries are written by strangers. Their size is limited. An entry that
// violates the format is refused with a reason, without affecting other entries. Nothing
// in an entry can become an option of npx or uvx, or a path outside the agent's folder.
// The package downloads the registry and, only in [Launch.Install], an archive. It runs
// nothing.
package registry
