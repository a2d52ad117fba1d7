// Command wrong must not compile: a text is not a list of bytes.
package main

import "github.com/turnwire/turnwire/agent"

func main() { _ = agent.TextDelta{Text: []byte(`"`)} }
