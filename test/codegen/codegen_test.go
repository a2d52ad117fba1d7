//go:build external

package codegen

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/schema"
)

// limit is generous: it only ends a generator that hangs, so that its output can
// be seen.
const limit = 8 * time.Minute

func run(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s: %s", name, strings.Join(args, " "), out)
	return string(out)
}

// file returns the path of a schema.
func file(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "schema", schema.FileName(name)))
	require.NoError(t, err)
	return path
}

// open are the schemas from which a program would generate types.
var open = []string{schema.AgentEvent, schema.AgentCommand, schema.ACPv1, schema.Config}

func TestTypeScriptOfTheSchemasCompiles(t *testing.T) {
	bin, err := filepath.Abs(filepath.Join("node_modules", ".bin"))
	require.NoError(t, err)
	require.DirExists(t, bin, "its packages are not installed: run make test-all, or npm ci in this folder")
	folder := t.TempDir()
	generated := filepath.Join(folder, "generated")
	require.NoError(t, os.Mkdir(generated, 0o700))
	sources := []string{"use.ts"}
	for _, name := range open {
		run(t, folder, filepath.Join(bin, "json2ts"), "--input", file(t, name), "--output", filepath.Join(generated, name+".ts"))
		quick := filepath.Join(folder, "quick-"+name+".ts")
		run(t, folder, filepath.Join(bin, "quicktype"), "--src-lang", "schema", "--lang", "typescript", "--out", quick, file(t, name))
		sources = append(sources, filepath.Base(quick), filepath.Join("generated", name+".ts"))
	}
	use, err := os.ReadFile("use.ts")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "use.ts"), use, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "package.json"), []byte(`{"type":"module"}`), 0o600))
	run(t, folder, filepath.Join(bin, "tsc"), append([]string{"--noEmit", "--strict", "--target", "es2022", "--module", "nodenext"}, sources...)...)
}

func TestPythonOfTheSchemasTakesEveryEvent(t *testing.T) {
	folder := t.TempDir()
	run(t, folder, "python3", "-m", "venv", "venv")
	bin := filepath.Join(folder, "venv", "bin")
	run(t, ".", filepath.Join(bin, "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", "requirements.txt")
	for _, name := range append([]string{schema.AgentEventStrict}, open...) {
		run(t, folder, filepath.Join(bin, "datamodel-codegen"), "--input", file(t, name), "--input-file-type", "jsonschema",
			"--output-model-type", "pydantic_v2.BaseModel", "--output", filepath.Join(folder, strings.ReplaceAll(name, "-", "_")+".py"))
	}
	run(t, ".", filepath.Join(bin, "python"), "use.py", folder)
}

func TestRustOfTheSchemasTakesEveryEvent(t *testing.T) {
	out := run(t, "typify", "cargo", "test", "--quiet", "--locked")
	require.Contains(t, out, "3 passed")
}
