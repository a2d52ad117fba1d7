// Package sdk embeds the sources of the emitter libraries for other languages, so that
// "turnwire new" can copy one into a new agent. The agent then needs nothing from a
// package registry.
//
// Contract: the files are embedded from the emitters' own folders. To write agents in Go,
// use package agent instead.
package sdk

import "embed"

// Files are the sources: python/src/turnwire, typescript/src and rust/src.
//
//go:embed python/src/turnwire/*.py python/src/turnwire/py.typed typescript/src/*.ts rust/src/*.rs rust/Cargo.toml rust/README.md LICENSE
var Files embed.FS
