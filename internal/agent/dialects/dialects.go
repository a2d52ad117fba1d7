// Package dialects lists the dialects that there are.
package dialects

import (
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	acp "github.com/turnwire/turnwire/internal/agent/acp/wire"
	agentao "github.com/turnwire/turnwire/internal/agent/agentao/wire"
	agentb "github.com/turnwire/turnwire/internal/agent/agentb/wire"
	agui "github.com/turnwire/turnwire/internal/agent/agui/wire"
	awaken "github.com/turnwire/turnwire/internal/agent/awaken/wire"
	ethos "github.com/turnwire/turnwire/internal/agent/ethos/wire"
	glue "github.com/turnwire/turnwire/internal/agent/glue/wire"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

// All returns the dialects in the order in which they are tried. It is the one
// place to add a dialect. The native one is the last: most streams could be it,
// and where nothing is recognised it is taken.
func All() []dialect.Dialect {
	return []dialect.Dialect{
		acp.Dialect,
		agui.Dialect,
		agentao.Dialect,
		agentb.Dialect,
		ethos.Dialect,
		awaken.Dialect,
		glue.Dialect,
		native.Dialect,
	}
}

// Named returns the dialect of a name.
func Named(name string) (dialect.Dialect, bool) {
	all := All()
	i := slices.IndexFunc(all, func(d dialect.Dialect) bool { return d.Name == name })
	if i < 0 {
		return dialect.Dialect{}, false
	}
	return all[i], true
}

// Auto returns the dialect that finds out by the first lines which it is.
func Auto() dialect.Dialect { return dialect.Auto(All()...) }
