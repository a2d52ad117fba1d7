// Package dialects lists all dialects.
package dialects

import (
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	acp "github.com/turnwire/turnwire/internal/agent/acp/wire"
	agentao "github.com/turnwire/turnwire/internal/agent/agentao/wire"
	agentb "github.com/turnwire/turnwire/internal/agent/agentb/wire"
	agui "github.com/turnwire/turnwire/internal/agent/agui/wire"
	aisdk "github.com/turnwire/turnwire/internal/agent/aisdk/wire"
	awaken "github.com/turnwire/turnwire/internal/agent/awaken/wire"
	claude "github.com/turnwire/turnwire/internal/agent/claude/control"
	ethos "github.com/turnwire/turnwire/internal/agent/ethos/wire"
	glue "github.com/turnwire/turnwire/internal/agent/glue/wire"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

// All returns the dialects in the order in which they are tried. To add a
// dialect, add it here. The native dialect is last: it matches most streams,
// and is the default if none is recognised.
func All() []dialect.Dialect {
	return []dialect.Dialect{
		acp.Dialect,
		claude.Dialect,
		agui.Dialect,
		aisdk.Dialect,
		agentao.Dialect,
		agentb.Dialect,
		ethos.Dialect,
		awaken.Dialect,
		glue.Dialect,
		native.Dialect,
	}
}

// Named returns the dialect with this name.
func Named(name string) (dialect.Dialect, bool) {
	all := All()
	i := slices.IndexFunc(all, func(d dialect.Dialect) bool { return d.Name == name })
	if i < 0 {
		return dialect.Dialect{}, false
	}
	return all[i], true
}

// Auto returns a dialect that detects the actual dialect from the first lines.
func Auto() dialect.Dialect { return dialect.Auto(All()...) }

// Driven returns the dialects of programs that read Turnwire's commands, in the order of
// [All]. Claude Code is not among them, because it reads other commands. A program that
// prints its dialect was started in the wrong way.
func Driven() []dialect.Dialect {
	return slices.DeleteFunc(All(), func(d dialect.Dialect) bool { return d.Name == claude.Dialect.Name })
}

// AutoDriven is like Auto, for a program that reads Turnwire's commands.
func AutoDriven() dialect.Dialect { return dialect.Auto(Driven()...) }
