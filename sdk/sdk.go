// Package sdk holds the sources of the emitters for other languages, so that
// "turnwire new" can put one beside a new agent, which then needs nothing from a
// registry of packages.
//
// Contract: the files are those of the emitters' own folders, embedded. Nothing
// here is Go to write agents with: that is package agent.
package sdk

import "embed"

// Files are the sources: python/src/turnwire, typescript/src and rust/src.
//
//go:embed python/src/turnwire/*.py python/src/turnwire/py.typed typescript/src/*.ts rust/src/*.rs rust/Cargo.toml rust/README.md LICENSE
var Files embed.FS
