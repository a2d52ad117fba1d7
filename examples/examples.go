// Package examples embeds the example that "turnwire new --model" copies. The examples
// themselves are programs of their users, not parts of this module.
package examples

import _ "embed"

// Ollama is an agent in Python with a model and Turnwire's tools.
//
//go:embed ollama.py
var Ollama string
