package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/turnwire/turnwire"

// layers says which parts of this module each part may import, in addition to
// itself. A part is a package and those below it that have no line of their
// own. Imports run one way: any other import is wrong.
var layers = map[string][]string{
	"internal/rawjson":       {},
	"internal/exactjson":     {"internal/rawjson"},
	"internal/visible":       {},
	"agent":                  {"protocol/rawmsg", "internal/lazyregexp", "internal/rawjson", "internal/exactjson", "internal/linediff", "internal/suggest"},
	"agent/acp":              {"internal/stacktrace", "agent", "protocol", "protocol/rawmsg", "protocol/v1", "internal/rawjson", "internal/exactjson"},
	"agent/dialects":         {"agent", "agent/acp"},
	"protocol":               {"protocol/rawmsg", "internal/rawjson", "internal/exactjson"},
	"protocol/rawmsg":        {"internal/rawjson"},
	"protocol/v1":            {"internal/rawjson", "internal/exactjson"},
	"protocol/toolcall":      {"protocol/rawmsg", "protocol/v1", "internal/rawjson"},
	"protocol/remote":        {"protocol/rawmsg", "internal/lazyregexp", "internal/rawjson"},
	"agent/transport/link":   {"agent", "protocol/remote"},
	"bridge/journal":         {"internal/rawjson", "internal/exactjson", "internal/atomicfile", "internal/visible"},
	"bridge/kept":            {"bridge/journal", "internal/visible", "protocol", "protocol/v1"},
	"bridge/consent":         {"internal/exactjson"},
	"bridge/spool":           {},
	"bridge":                 {"bridge/core", "bridge/source/events", "bridge/view/acp", "bridge/mapv1", "bridge/consent", "bridge/journal", "agent", "protocol", "protocol/v1", "internal/rawjson"},
	"bridge/core":            {"bridge/consent", "protocol", "protocol/rawmsg", "protocol/v1", "internal/rawjson", "internal/exactjson"},
	"bridge/source/events":   {"bridge/core", "bridge/mapv1", "bridge/consent", "bridge/journal", "bridge/kept", "agent", "protocol", "protocol/rawmsg", "protocol/v1", "internal/rawjson", "internal/visible", "internal/exactjson", "internal/textfile"},
	"bridge/view/acp":        {"bridge/core", "bridge/consent", "protocol", "protocol/rawmsg", "protocol/v1"},
	"bridge/mapv1":           {"agent", "protocol", "protocol/v1", "internal/rawjson", "internal/visible", "internal/exactjson"},
	"protocol/ahp":           {"internal/rawjson", "internal/exactjson"},
	"bridge/mapahp":          {"protocol/ahp", "protocol/rawmsg", "protocol/toolcall", "protocol/v1", "internal/exactjson", "internal/linediff"},
	"bridge/hostahp":         {"bridge/core", "bridge/spool", "bridge/consent", "bridge/journal", "bridge/kept", "bridge/mapahp", "protocol", "protocol/ahp", "protocol/rawmsg", "protocol/v1", "internal/exactjson", "internal/atomicfile", "internal/textfile"},
	"bridge/hub":             {"bridge/core", "bridge/spool", "bridge/consent", "protocol", "protocol/rawmsg", "protocol/toolcall", "protocol/v1", "internal/rawjson", "internal/exactjson"},
	"bridge/source/relay":    {"internal/stacktrace", "bridge/core", "bridge/journal", "bridge/consent", "bridge/kept", "agent", "agent/transport/link", "protocol", "protocol/rawmsg", "protocol/toolcall", "protocol/v1", "internal/rawjson", "internal/atomicfile"},
	"internal/ansi":          {},
	"internal/textwidth":     {},
	"internal/lazyregexp":    {},
	"internal/linediff":      {},
	"internal/markdown":      {"internal/ansi", "internal/textwidth"},
	"internal/stacktrace":    {"internal/lazyregexp"},
	"internal/textfile":      {},
	"internal/app/policy":    {"bridge/consent", "internal/suggest"},
	"internal/app/audit":     {"bridge/consent", "internal/exactjson"},
	"internal/app/terminal":  {"internal/lazyregexp", "internal/markdown", "bridge/consent", "protocol", "protocol/rawmsg", "protocol/toolcall", "protocol/v1", "internal/rawjson", "internal/ansi", "internal/textwidth", "internal/linediff", "internal/visible", "internal/exactjson"},
	"schema":                 {},
	"schema/gen":             {"schema", "internal/app/policy", "agent", "agent/dialects", "protocol", "protocol/v1", "internal/rawjson", "internal/app/config"},
	"internal/suggest":       {},
	"internal/atomicfile":    {},
	"internal/app/config":    {"internal/lazyregexp", "internal/app/policy", "agent", "agent/dialects", "internal/suggest", "internal/atomicfile", "internal/exactjson", "internal/app/setup/jsonc"},
	"internal/app/registry":  {"internal/lazyregexp", "internal/atomicfile", "internal/exactjson", "internal/visible"},
	"internal/app/telemetry": {"bridge/core", "protocol/rawmsg", "protocol/v1", "internal/rawjson"},
	"internal/app/tokens":    {"internal/lazyregexp", "internal/atomicfile", "internal/exactjson"},
	"internal/app/serve":     {"protocol/remote", "internal/exactjson", "internal/app/page"},
	"internal/app/page":      {"protocol/remote", "internal/exactjson"},
	"internal/app/agents":    {"agent", "agent/dialects", "bridge/source/relay", "internal/app/config", "internal/suggest", "internal/atomicfile", "internal/exactjson"},
	"internal/app/setup":     {"internal/lazyregexp", "internal/atomicfile", "internal/exactjson", "internal/app/setup/jsonc"},
	"sdk":                    {},
	"internal/app/scaffold":  {"internal/lazyregexp", "internal/suggest", "sdk"},
	"internal/app/doctor":    {"agent", "internal/app/terminal", "protocol", "protocol/v1", "internal/app/agents", "internal/app/config", "internal/app/setup", "internal/exactjson", "protocol/ahp"},
	"internal/app/check":     {"agent", "protocol/rawmsg", "schema", "internal/exactjson", "internal/rawjson", "internal/ansi", "internal/textwidth", "internal/visible"},
	"internal/app/cli":       {"internal/lazyregexp", "internal/app/telemetry", "internal/atomicfile", "internal/app/serve", "internal/app/page", "internal/app/tokens", "protocol/remote", "internal/app/policy", "internal/app/audit", "bridge/consent", "internal/app/check", "bridge", "bridge/journal", "bridge/journal/natsstore", "bridge/hub", "bridge/hostahp", "bridge/core", "bridge/source/relay", "bridge/view/acp", "agent", "agent/dialects", "internal/app/terminal", "internal/app/transcript", "internal/app/agents", "internal/app/config", "internal/app/registry", "internal/app/setup", "internal/app/scaffold", "internal/app/doctor", "internal/suggest", "internal/ansi", "internal/textwidth", "internal/linediff", "internal/visible", "internal/exactjson", "schema", "protocol"},
	"test/agenttest":         {"agent", "test/limits"},
	"test/failing":           {},
	"test/golden":            {}, // registers a flag: only tests import it
	"test/conformance":       {"schema"},
	"test/consent":           {},
	"test/limits":            {},
	"test/memnet":            {},
	"test/outside":           {},
	"test/dialects":          {},
	"test/e2e":               {},
	"test/sdk":               {},
	"test/codegen":           {"schema"},
	"":                       {"internal/app/cli", "agent"},

	"bridge/journal/natsstore": {"bridge/journal", "internal/exactjson"},
	"bridge/journal/storetest": {"bridge/journal"},
	"internal/app/setup/jsonc": {"internal/exactjson"},
	"internal/app/transcript":  {"internal/lazyregexp", "bridge/journal", "bridge/consent", "bridge/mapv1", "agent", "protocol/toolcall", "protocol/v1", "internal/rawjson", "internal/exactjson", "internal/linediff", "internal/visible"},
}

// reserved says which part alone may import a library, directly or not.
var reserved = map[string][]string{
	"github.com/invopop/jsonschema":          {"schema/gen"},
	"go.opentelemetry.io/":                   {"internal/app/telemetry", "internal/app/cli", ""},
	"github.com/yuin/goldmark":               {"internal/markdown", "internal/app/terminal", "internal/app/doctor", "internal/app/cli", ""},
	"github.com/spf13/cobra":                 {"internal/app/cli", ""},
	"github.com/sourcegraph/jsonrpc2":        {"protocol", "protocol/v1", "protocol/toolcall", "bridge", "bridge/core", "bridge/source/events", "bridge/view/acp", "bridge/mapv1", "bridge/mapahp", "bridge/source/relay", "bridge/kept", "bridge/hub", "bridge/hostahp", "agent/acp", "agent/dialects", "internal/app/agents", "internal/app/config", "internal/app/telemetry", "internal/app/terminal", "internal/app/transcript", "internal/app/doctor", "internal/app/cli", "schema/gen", ""},
	"github.com/tailscale/hujson":            {"internal/app/config", "internal/app/agents", "internal/app/setup", "internal/app/setup/jsonc", "internal/app/doctor", "internal/app/cli", "schema/gen", ""},
	"github.com/nats-io/":                    {"bridge/journal/natsstore", "internal/app/cli", ""},
	"github.com/stretchr/testify":            {"test/agenttest", "test/golden", "test/limits", "test/memnet", "bridge/journal/storetest"},
	"github.com/santhosh-tekuri/jsonschema/": {},
}

// unlinked lists packages that the binary must not contain. Their initialization is
// slow, and an editor waits for it at each start of "turnwire acp".
var unlinked = []string{
	"encoding/xml",                       // tables of HTML's entities
	"github.com/yuin/goldmark/extension", // regular expressions; see internal/markdown/gfm
	"github.com/yuin/goldmark/renderer/html",
}

// pure are the parts and packages without input and output of their own.
var pure = []string{
	"agent/acp/wire", "agent/agentao/wire", "agent/agentb/wire", "agent/agui/wire", "agent/native/wire", "agent/awaken/wire", "agent/ethos/wire", "agent/glue/wire",
	"agent/stream/edit", "agent/stream/lint", "agent/stream/toolargs",
	"bridge/mapv1", "bridge/mapahp", "protocol/v1", "protocol/ahp", "protocol/rawmsg", "protocol/toolcall", "bridge/source/relay/quirks", "internal/rawjson", "internal/stacktrace", "internal/visible", "internal/exactjson", "internal/lazyregexp",
}

type goPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// packages lists the packages of this module, without their tests.
func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Imports,Deps", "./...").Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		require.NoError(t, err, "%s", failed.Stderr)
	}
	require.NoError(t, err)
	var list []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			require.NoError(t, err)
		}
		if p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/") {
			list = append(list, p)
		}
	}
	require.NotEmpty(t, list)
	return list
}

// part returns the part that a package of this module belongs to.
func part(importPath string) (string, bool) {
	path := strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
	for name := path; name != ""; {
		if _, ok := layers[name]; ok {
			return name, true
		}
		cut := strings.LastIndexByte(name, '/')
		if cut < 0 {
			break
		}
		name = name[:cut]
	}
	return "", path == ""
}

func TestImportsRunOneWay(t *testing.T) {
	for _, p := range packages(t) {
		from, ok := part(p.ImportPath)
		require.True(t, ok, "%s belongs to no part", p.ImportPath)
		for _, i := range p.Imports {
			if i != module && !strings.HasPrefix(i, module+"/") {
				continue
			}
			to, ok := part(i)
			require.True(t, ok, "%s belongs to no part", i)
			require.True(t, from == to || slices.Contains(layers[from], to), "%s imports %s", p.ImportPath, i)
		}
	}
}

func TestLibrariesStayWhereTheyBelong(t *testing.T) {
	for _, p := range packages(t) {
		from, _ := part(p.ImportPath)
		for library, parts := range reserved {
			for _, d := range p.Deps {
				if strings.HasPrefix(d, library) {
					require.Contains(t, parts, from, "%s needs %s", p.ImportPath, d)
				}
			}
		}
	}
}

func TestSlowPackagesAreNotLinked(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath != module {
			continue
		}
		for _, slow := range unlinked {
			require.NotContains(t, p.Deps, slow)
		}
	}
}

func TestPureParts(t *testing.T) {
	for _, p := range packages(t) {
		from, _ := part(p.ImportPath)
		if !slices.Contains(pure, from) && !slices.Contains(pure, strings.TrimPrefix(p.ImportPath, module+"/")) {
			continue
		}
		for _, effect := range []string{"os", "net", "net/http", "os/exec", "time", "log/slog"} {
			require.NotContains(t, p.Imports, effect, "%s has effects", p.ImportPath)
		}
	}
}
