//go:build external

package sdk

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// limit is generous: it only ends a test that hangs, so that its output can be
// seen.
const limit = 8 * time.Minute

// run runs a program in a folder, and returns its output.
func run(t *testing.T, folder string, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s: %s", name, strings.Join(args, " "), out)
	return string(out)
}

// absolute returns the absolute path of a folder in the repository.
func absolute(t *testing.T, parts ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(append([]string{"..", ".."}, parts...)...))
	require.NoError(t, err)
	return path
}

func TestAgentsOfAllLanguagesBehindTheBuiltBinary(t *testing.T) {
	temporary := t.TempDir()
	binary := filepath.Join(temporary, "turnwire")
	run(t, ".", nil, "go", "build", "-o", binary, "github.com/turnwire/turnwire")
	run(t, absolute(t, "sdk", "typescript"), nil, "npm", "run", "--silent", "build")
	run(t, absolute(t, "sdk", "rust"), nil, "cargo", "build", "--quiet", "--locked", "--example", "everything")
	run(t, ".", []string{"TURNWIRE_BINARY=" + binary, "XDG_CACHE_HOME=" + filepath.Join(temporary, "cache"), "XDG_STATE_HOME=" + filepath.Join(temporary, "state")},
		"node", "--test-reporter=spec", "--test", "sdk.test.mjs")
}

func TestTheTypeScriptPackageHasOnlyTheProgramAndItsTypes(t *testing.T) {
	folder := absolute(t, "sdk", "typescript")
	archive := strings.TrimSpace(run(t, folder, nil, "npm", "pack", "--silent", "--pack-destination", t.TempDir()))
	require.Contains(t, archive, "turnwire-agent-")
	listed := run(t, folder, nil, "npm", "pack", "--dry-run", "--json")
	for _, name := range []string{"dist/index.js", "dist/index.d.ts", "dist/events.d.ts", "README.md", "LICENSE", "package.json"} {
		require.Contains(t, listed, `"`+name+`"`)
	}
	for _, name := range []string{`"src/`, `"test/`, `"node_modules/`} {
		require.NotContains(t, listed, name)
	}
}

// The examples in the libraries' READMEs work unchanged. The Rust one is
// compiled as a documentation test of its crate.
func TestTheReadmesExamplesWork(t *testing.T) {
	temporary := t.TempDir()
	binary := filepath.Join(temporary, "turnwire")
	run(t, ".", nil, "go", "build", "-o", binary, "github.com/turnwire/turnwire")
	run(t, absolute(t, "sdk", "typescript"), nil, "npm", "run", "--silent", "build")
	packages := filepath.Join(temporary, "node_modules")
	require.NoError(t, os.Mkdir(packages, 0o700))
	require.NoError(t, os.Symlink(absolute(t, "sdk", "typescript"), filepath.Join(packages, "turnwire-agent")))
	for _, c := range []struct{ language, block, file, program string }{
		{"python", "python", "notes.py", "python3"},
		{"typescript", "ts", "notes.mjs", "node"},
	} {
		readme, err := os.ReadFile(filepath.Join(absolute(t, "sdk", c.language), "README.md"))
		require.NoError(t, err)
		_, text, _ := strings.Cut(string(readme), "```"+c.block+"\n")
		text, _, _ = strings.Cut(text, "```")
		require.Contains(t, text, "notes.txt")
		file := filepath.Join(temporary, c.file)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		work := t.TempDir()
		out := run(t, work, []string{"PYTHONPATH=" + absolute(t, "sdk", "python", "src"), "XDG_STATE_HOME=" + temporary},
			binary, "run", "--yes", "buy milk", "--", c.program, file)
		require.Contains(t, out, "You said: buy milk")
		require.FileExists(t, filepath.Join(work, "notes.txt"))
	}
	run(t, absolute(t, "sdk", "rust"), nil, "cargo", "test", "--quiet", "--locked")
}

// The wheel is installed without other packages, and the oldest grammar that it
// promises parses its files.
func TestThePythonPackageIsATypedWheelWithoutDependencies(t *testing.T) {
	temporary := t.TempDir()
	python := venv(t, temporary)
	source := filepath.Join(temporary, "source") // a build writes next to its sources
	require.NoError(t, os.CopyFS(source, os.DirFS(absolute(t, "sdk", "python"))))
	run(t, temporary, nil, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", source)
	run(t, temporary, nil, python, "-c", `
import ast, importlib.metadata as m, pathlib, turnwire, turnwire.events
assert not m.requires("turnwire-agent"), m.requires("turnwire-agent")
folder = pathlib.Path(turnwire.__file__).parent
assert (folder / "py.typed").exists()
for file in folder.glob("*.py"):
    ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))
assert turnwire.__version__ == m.version("turnwire-agent")
`)
}

func TestTheRustPackageHasOnlyItsSources(t *testing.T) {
	listed := strings.Fields(run(t, absolute(t, "sdk", "rust"), nil, "cargo", "package", "--list", "--allow-dirty", "--quiet"))
	for _, name := range []string{"Cargo.toml", "README.md", "LICENSE", "src/lib.rs", "src/events.rs"} {
		require.Contains(t, listed, name)
	}
	for _, name := range listed {
		require.False(t, strings.HasPrefix(name, "target") || strings.HasPrefix(name, "tests"), name)
	}
}

// A library must be small enough to read.
func TestEmittersAreUnder450Lines(t *testing.T) {
	for language, pattern := range map[string]string{"python": "src/turnwire/*.py", "typescript": "src/*.ts", "rust": "src/*.rs"} {
		files, err := filepath.Glob(filepath.Join(absolute(t, "sdk", language), pattern))
		require.NoError(t, err)
		lines := 0
		for _, file := range files {
			if strings.HasPrefix(filepath.Base(file), "events.") {
				continue // generated
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			lines += strings.Count(string(text), "\n")
		}
		require.Less(t, lines, 450, language)
		require.NotZero(t, lines, language)
	}
}

// venv creates a Python environment in a folder, and returns its python.
func venv(t *testing.T, folder string) string {
	t.Helper()
	run(t, folder, nil, "python3", "-m", "venv", "venv")
	return filepath.Join(folder, "venv", "bin", "python")
}
