// Package registry reads registries of ACP agents, and installs what they name.
//
// A registry is one JSON document that lists agents: their versions, and how
// each is run: as a package of npm or of PyPI, or as a program in an archive.
//
// Contract: a registry is written by strangers. It is bounded, and an entry that
// breaks the rules of the format is refused alone, with the reason. Nothing of an
// entry can become an option of npx or uvx, or a path outside of the folder of
// the agent. The package downloads the registry and, in [Launch.Install] alone,
// an archive. It runs nothing.
package registry
