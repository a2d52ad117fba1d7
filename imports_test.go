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
// itself. A part is a package and those below it that have no separate
// line. Imports run one way: any other import is wrong.
var layers = map[string][]string{
	"internal/rawjson":              {},
	"internal/exactjson":            {"internal/rawjson"},
	"internal/visible":              {},
	"agent":                         {"internal/exactjson", "internal/rawjson"},
	"agent/handler":                 {"agent", "internal/agent"},
	"agent/stream/dialect":          {"agent", "internal/agent/stream/lint", "internal/exactjson", "internal/rawjson"},
	"internal/agent":                {"agent", "agent/stream/dialect", "internal/agent/stream/lint", "internal/exactjson", "internal/lazyregexp", "internal/linediff", "internal/protocol/rawmsg", "internal/rawjson"},
	"internal/agent/stream/lint":    {"agent", "internal/exactjson", "internal/rawjson", "internal/suggest"},
	"internal/agent/acp":            {"agent", "agent/stream/dialect", "internal/agent", "internal/exactjson", "internal/protocol/rawmsg", "internal/protocol/v1", "internal/rawjson", "internal/stacktrace", "protocol"},
	"internal/agent/dialects":       {"agent/stream/dialect", "internal/agent", "internal/agent/acp"},
	"protocol":                      {"internal/exactjson", "internal/protocol/rawmsg", "internal/rawjson"},
	"internal/protocol/rawmsg":      {"internal/rawjson"},
	"internal/protocol/v1":          {"internal/exactjson", "internal/rawjson"},
	"internal/protocol/toolcall":    {"internal/protocol/rawmsg", "internal/protocol/v1", "internal/rawjson"},
	"internal/protocol/remote":      {"internal/exactjson", "internal/lazyregexp", "internal/protocol/rawmsg", "internal/rawjson"},
	"internal/agent/acptransport":   {"internal/agent", "internal/protocol/remote"},
	"internal/bridge/journal":       {"internal/atomicfile", "internal/exactjson", "internal/rawjson", "internal/visible"},
	"internal/bridge/consent":       {"internal/exactjson"},
	"internal/bridge/spool":         {},
	"bridge":                        {"agent", "internal/agent", "internal/bridge/core", "internal/bridge/acpmap", "internal/bridge/source/events", "internal/bridge/view/acp", "internal/protocol/v1", "internal/rawjson", "protocol"},
	"internal/bridge/core":          {"internal/bridge/consent", "internal/bridge/journal", "internal/exactjson", "internal/protocol/rawmsg", "internal/protocol/v1", "internal/rawjson", "internal/visible", "protocol"},
	"internal/bridge/partial":       {"agent", "internal/agent", "internal/bridge/consent", "internal/bridge/core", "internal/protocol/rawmsg", "internal/protocol/v1"},
	"internal/bridge/source/events": {"agent", "agent/stream/dialect", "internal/agent", "internal/agent/stream/lint", "internal/bridge/consent", "internal/bridge/core", "internal/bridge/journal", "internal/bridge/partial", "internal/bridge/acpmap", "internal/exactjson", "internal/protocol/rawmsg", "internal/protocol/v1", "internal/rawjson", "internal/textfile", "internal/visible", "protocol"},
	"internal/bridge/view/acp":      {"internal/bridge/consent", "internal/bridge/core", "internal/protocol/rawmsg", "internal/protocol/v1", "protocol"},
	"internal/bridge/acpmap":        {"agent", "internal/agent", "internal/exactjson", "internal/protocol/v1", "internal/rawjson", "internal/visible", "protocol"},
	"internal/protocol/ahp":         {"internal/exactjson", "internal/rawjson"},
	"internal/bridge/ahpmap":        {"internal/bridge/consent", "internal/exactjson", "internal/linediff", "internal/protocol/ahp", "internal/protocol/rawmsg", "internal/protocol/toolcall", "internal/protocol/v1", "internal/visible"},
	"internal/bridge/ahphost":       {"internal/bridge/consent", "internal/bridge/core", "internal/bridge/journal", "internal/bridge/ahpmap", "internal/bridge/spool", "internal/exactjson", "internal/protocol/ahp", "internal/protocol/rawmsg", "internal/protocol/v1", "internal/textfile", "protocol"},
	"internal/bridge/hub":           {"internal/bridge/consent", "internal/bridge/core", "internal/bridge/spool", "internal/exactjson", "internal/protocol/rawmsg", "internal/protocol/toolcall", "internal/protocol/v1", "internal/rawjson", "protocol"},
	"internal/bridge/source/relay":  {"agent", "internal/agent", "internal/agent/stream/lint", "internal/agent/acptransport", "internal/atomicfile", "internal/bridge/consent", "internal/bridge/core", "internal/bridge/journal", "internal/bridge/partial", "internal/exactjson", "internal/protocol/rawmsg", "internal/protocol/remote", "internal/protocol/toolcall", "internal/protocol/v1", "internal/rawjson", "internal/stacktrace", "protocol"},
	"internal/ansi":                 {},
	"internal/textwidth":            {},
	"internal/lazyregexp":           {},
	"internal/linediff":             {},
	"internal/markdown":             {"internal/ansi", "internal/syntax", "internal/textwidth"},
	"internal/syntax":               {"internal/ansi"},
	"internal/stacktrace":           {"internal/lazyregexp"},
	"internal/textfile":             {},
	"internal/app/policy":           {"internal/bridge/consent", "internal/suggest"},
	"internal/app/audit":            {"internal/bridge/consent", "internal/exactjson"},
	"internal/app/terminal":         {"internal/ansi", "internal/bridge/consent", "internal/exactjson", "internal/lazyregexp", "internal/linediff", "internal/markdown", "internal/protocol/rawmsg", "internal/protocol/toolcall", "internal/protocol/v1", "internal/syntax", "internal/textwidth", "internal/visible", "protocol"},
	"schema":                        {},
	"examples":                      {},
	"schema/gen":                    {"agent", "internal/agent/dialects", "internal/app/config", "internal/protocol/v1", "schema"},
	"internal/suggest":              {},
	"internal/atomicfile":           {},
	"internal/app/config":           {"agent", "internal/agent/dialects", "internal/app/policy", "internal/app/setup/jsonc", "internal/atomicfile", "internal/exactjson", "internal/lazyregexp", "internal/suggest"},
	"internal/app/notify":           {"internal/app/config", "internal/app/push", "internal/bridge/hub", "internal/visible"},
	"internal/app/push":             {"internal/atomicfile", "internal/exactjson", "internal/protocol/remote"},
	"internal/app/push/pushtest":    {"internal/app/push", "internal/exactjson"},
	"internal/app/registry":         {"internal/atomicfile", "internal/exactjson", "internal/lazyregexp", "internal/visible"},
	"internal/app/telemetry":        {"internal/bridge/core", "internal/protocol/rawmsg", "internal/protocol/v1", "internal/rawjson"},
	"internal/app/tokens":           {"internal/atomicfile", "internal/exactjson", "internal/lazyregexp"},
	"internal/app/localca":          {},
	"internal/app/serve":            {"internal/app/localca", "internal/app/page", "internal/exactjson", "internal/protocol/remote"},
	"internal/app/page":             {"internal/exactjson", "internal/protocol/remote"},
	"internal/app/agents":           {"agent", "internal/agent", "internal/agent/stream/lint", "internal/agent/dialects", "internal/app/config", "internal/atomicfile", "internal/bridge/source/relay", "internal/exactjson", "internal/suggest"},
	"internal/app/setup":            {"internal/app/setup/jsonc", "internal/atomicfile", "internal/exactjson", "internal/lazyregexp"},
	"sdk":                           {},
	"internal/app/scaffold":         {"examples", "internal/lazyregexp", "internal/suggest", "sdk"},
	"internal/app/doctor":           {"internal/agent", "internal/app/agents", "internal/app/config", "internal/app/setup", "internal/app/terminal", "internal/exactjson", "internal/protocol/ahp", "internal/protocol/v1", "protocol"},
	"internal/app/check":            {"agent", "agent/stream/dialect", "internal/agent", "internal/agent/stream/lint", "internal/ansi", "internal/exactjson", "internal/protocol/rawmsg", "internal/rawjson", "internal/textwidth", "internal/visible", "schema"},
	"internal/app/cli":              {"agent", "agent/stream/dialect", "bridge", "internal/agent", "internal/agent/stream/lint", "internal/agent/dialects", "internal/agent/transport/child", "internal/ansi", "internal/app/agents", "internal/app/audit", "internal/app/check", "internal/app/config", "internal/app/doctor", "internal/app/localca", "internal/app/notify", "internal/app/page", "internal/app/policy", "internal/app/push", "internal/app/registry", "internal/app/scaffold", "internal/app/serve", "internal/app/setup", "internal/app/telemetry", "internal/app/terminal", "internal/app/tokens", "internal/app/transcript", "internal/atomicfile", "internal/bridge/consent", "internal/bridge/core", "internal/bridge/ahphost", "internal/bridge/hub", "internal/bridge/journal", "internal/bridge/journal/natsstore", "internal/bridge/source/events", "internal/bridge/source/relay", "internal/bridge/view/acp", "internal/exactjson", "internal/lazyregexp", "internal/linediff", "internal/protocol/remote", "internal/suggest", "internal/textwidth", "internal/visible", "protocol", "schema"},
	"internal/test/agenttest":       {"agent", "agent/stream/dialect", "internal/test/limits"},
	"internal/test/failing":         {},
	"internal/test/golden":          {}, // registers a flag: only tests import it
	"test/compatibility":            {"internal/agent", "internal/app/agents", "internal/exactjson"},
	"test/conformance":              {},
	"test/consent":                  {},
	"internal/test/limits":          {},
	"internal/test/ahptest":         {"internal/exactjson", "internal/protocol/ahp"},
	"internal/test/badnet":          {},
	"internal/test/memdisk":         {"internal/bridge/journal"},
	"internal/test/memnet":          {},
	"internal/test/memnats":         {"internal/exactjson"},
	"internal/test/flaky":           {"internal/protocol/remote", "internal/test/badnet", "internal/test/memnet"},
	"test/outside":                  {},
	"test/dialects":                 {},
	"test/e2e":                      {},
	"test/sdk":                      {},
	"test/sim":                      {},
	"test/soak":                     {},
	"test/sim/mutations":            {},
	"test/codegen":                  {},
	"":                              {"internal/agent", "internal/app/cli"},

	"internal/bridge/journal/natsstore": {"internal/bridge/journal", "internal/exactjson"},
	"internal/bridge/journal/storetest": {"internal/bridge/journal"},
	"internal/app/setup/jsonc":          {"internal/exactjson"},
	"internal/app/transcript":           {"agent", "agent/stream/dialect", "internal/agent", "internal/bridge/consent", "internal/bridge/journal", "internal/bridge/acpmap", "internal/exactjson", "internal/lazyregexp", "internal/linediff", "internal/protocol/toolcall", "internal/protocol/v1", "internal/rawjson", "internal/visible"},
}

// reserved says which part alone may import a library, directly or not.
var reserved = map[string][]string{
	"github.com/invopop/jsonschema":          {"schema/gen"},
	"go.opentelemetry.io/":                   {"internal/app/telemetry", "internal/app/cli", ""},
	"github.com/yuin/goldmark":               {"internal/markdown", "internal/app/terminal", "internal/app/doctor", "internal/app/cli", ""},
	"github.com/SherClockHolmes/webpush-go":  {"internal/app/push", "internal/app/push/pushtest", "internal/app/notify", "internal/app/cli", ""},
	"github.com/spf13/cobra":                 {"internal/app/cli", ""},
	"github.com/sourcegraph/jsonrpc2":        {"protocol", "internal/protocol/v1", "internal/protocol/toolcall", "bridge", "internal/bridge/core", "internal/bridge/partial", "internal/bridge/source/events", "internal/bridge/view/acp", "internal/bridge/acpmap", "internal/bridge/ahpmap", "internal/bridge/source/relay", "internal/bridge/hub", "internal/bridge/ahphost", "internal/agent/acp", "internal/agent/dialects", "internal/app/agents", "internal/app/config", "internal/app/notify", "internal/app/telemetry", "internal/app/terminal", "internal/app/transcript", "internal/app/doctor", "internal/app/cli", "schema/gen", ""},
	"github.com/tailscale/hujson":            {"internal/app/config", "internal/app/agents", "internal/app/notify", "internal/app/setup", "internal/app/setup/jsonc", "internal/app/doctor", "internal/app/cli", "schema/gen", ""},
	"github.com/nats-io/":                    {"internal/bridge/journal/natsstore", "internal/app/cli", ""},
	"github.com/stretchr/testify":            {"internal/test/agenttest", "internal/test/golden", "internal/test/flaky", "internal/test/limits", "internal/test/memnet", "internal/bridge/journal/storetest", "internal/app/push/pushtest"},
	"github.com/santhosh-tekuri/jsonschema/": {},
}

// unlinked lists packages that the binary must not contain. Their initialization is
// slow, and an editor waits for it at each start of "turnwire acp".
var unlinked = []string{
	"encoding/xml",                       // tables of HTML's entities
	"github.com/yuin/goldmark/extension", // regular expressions; see internal/markdown/gfm
	"github.com/yuin/goldmark/renderer/html",
}

// pure are the parts and packages that do no I/O themselves.
var pure = []string{
	"internal/agent/acp/wire", "internal/agent/agentao/wire", "internal/agent/agentb/wire", "internal/agent/agui/thread", "internal/agent/agui/wire", "internal/agent/aisdk/chat", "internal/agent/aisdk/wire", "internal/agent/claude/wire", "internal/agent/claude/control", "internal/agent/conversation", "internal/agent/native/wire", "internal/agent/awaken/wire", "internal/agent/ethos/wire", "internal/agent/glue/wire",
	"internal/agent/stream/edit", "internal/agent/stream/lint", "internal/agent/stream/toolargs",
	"internal/agent/awaken/run", "internal/agent/ethos/chat", "internal/agent/transport/requests",
	"internal/bridge/acpmap", "internal/bridge/ahpmap", "internal/protocol/v1", "internal/protocol/ahp", "internal/protocol/rawmsg", "internal/protocol/toolcall", "internal/bridge/source/relay/quirks", "internal/rawjson", "internal/stacktrace", "internal/visible", "internal/exactjson", "internal/lazyregexp",
}

type goPackage struct {
	ImportPath string
	Name       string
	GoFiles    []string // without tests
	Imports    []string
	Deps       []string
}

// packages lists the packages of this module, without their tests.
func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Name,GoFiles,Imports,Deps", "./...").Output()
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

// public are the packages that other modules may import.
var public = []string{"agent", "agent/handler", "agent/stream/dialect", "bridge", "protocol"}

// data are packages that only embed the files of their folders. The folders cannot be
// internal, because their files are published.
var data = []string{"schema", "sdk", "examples"}

func TestEverythingElseIsInternal(t *testing.T) {
	var importable []string
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module+"/")
		suite := slices.Equal(p.GoFiles, []string{"doc.go"}) // nothing but tests
		if p.Name == "main" || suite || slices.Contains(strings.Split(path, "/"), "internal") {
			continue
		}
		importable = append(importable, path)
	}
	require.ElementsMatch(t, slices.Concat(public, data), importable)
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

func TestPurePackagesImportNothingWithEffects(t *testing.T) {
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
