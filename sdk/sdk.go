// Package sdk embeds the sources of the agent libraries for other languages.
// "turnwire new" copies one into a new agent's folder, so that the agent needs
// no package registry.
//
// The embedded files are those of the libraries' own folders. To write agents in
// Go, use package agent instead.
package sdk

import "embed"

// Files contains the sources: python/src/turnwire, typescript/src and rust/src.
//
//go:embed python/src/turnwire/*.py python/src/turnwire/py.typed typescript/src/*.ts rust/src/*.rs rust/Cargo.toml rust/README.md LICENSE
var Files embed.FS
