package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checked runs "turnwire check" of the release with an agent.
func checked(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	_, err := output(t.Context(), dir, env, program(t, here()), append([]string{"check", "--strict", "--"}, args...)...)
	require.NoError(t, err)
}

// versionOfRelease is what the program of the release says.
func versionOfRelease(t *testing.T) string {
	t.Helper()
	said, err := output(t.Context(), ".", nil, program(t, here()), "version")
	require.NoError(t, err)
	return strings.Fields(said)[1]
}

// extract unpacks a compressed tar file into a folder.
func extract(t *testing.T, path, dir string) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	compressed, err := gzip.NewReader(f)
	require.NoError(t, err)
	for r := tar.NewReader(compressed); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		require.True(t, filepath.IsLocal(h.Name))
		to := filepath.Join(dir, h.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, data, h.FileInfo().Mode()))
	}
}

// names lists the files below a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	files, err := readFiles(dir)
	require.NoError(t, err)
	var all []string
	for _, f := range files {
		all = append(all, f.name)
	}
	return all
}

const pythonAgent = `
from turnwire import Agent
agent = Agent("Test")
@agent.prompt
def reply(turn):
    turn.text("hello")
agent.run()
`

func TestTheWheelIsInstalledAndTakenOutAgain(t *testing.T) {
	wheel, dir := find(t, requireMade(t), "-py3-none-any.whl"), t.TempDir()
	tool := func(name string, args ...string) string {
		said, err := output(t.Context(), dir, []string{"PIP_DISABLE_PIP_VERSION_CHECK=1"}, name, args...)
		require.NoError(t, err)
		return said
	}
	tool("python3", "-m", "venv", "venv")
	python := filepath.Join(dir, "venv", "bin", "python")
	tool(python, "-m", "pip", "install", "--quiet", "--no-index", wheel)
	tool(python, "-m", "pip", "check")
	require.Equal(t, pyVersion(versionOfRelease(t)), tool(python, "-c", `
import importlib.metadata as m, pathlib, turnwire, turnwire.events
d = m.distribution("turnwire-agent")
assert not d.requires and d.version == turnwire.__version__
assert d.metadata["Requires-Python"] == ">=3.9" and d.metadata["Summary"] and "async def reply" in d.metadata.get_payload()
assert (pathlib.Path(turnwire.__file__).parent / "py.typed").exists()
for f in d.files:
    assert f.locate().exists(), f
    assert f.hash is None or f.size == f.locate().stat().st_size, f
print(d.version)`))
	agent := filepath.Join(dir, "agent.py")
	require.NoError(t, os.WriteFile(agent, []byte(pythonAgent), 0o600))
	checked(t, dir, nil, python, agent)
	tool(python, "-m", "pip", "uninstall", "--quiet", "--yes", "turnwire-agent")
	require.Empty(t, tool(python, "-c", `import importlib.util as u; print(u.find_spec("turnwire") or "")`))
}

// What Python's own tools make of the source distribution is the wheel.
func TestTheSourceDistributionIsBuiltToTheSameWheel(t *testing.T) {
	dir := t.TempDir()
	version := pyVersion(versionOfRelease(t))
	_, err := output(t.Context(), dir, nil, "python3", "-m", "venv", "venv")
	require.NoError(t, err)
	python := filepath.Join(dir, "venv", "bin", "python")
	_, err = output(t.Context(), dir, nil, python, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", "built",
		find(t, requireMade(t), "turnwire_agent-"+version+".tar.gz"))
	require.NoError(t, err)
	said, err := output(t.Context(), dir, nil, python, "-c", `
import email, sys, zipfile
def read(path):
    wheel = zipfile.ZipFile(path)
    package = {n: wheel.read(n) for n in wheel.namelist() if n.startswith("turnwire/")}
    about = email.message_from_bytes(wheel.read(next(n for n in wheel.namelist() if n.endswith("/METADATA"))))
    fields = sorted((k, v) for k, v in about.items() if k in ("Name", "Version", "Summary", "License", "Project-URL", "Keywords", "Classifier", "Requires-Python", "Description-Content-Type"))
    return package, fields, about.get_payload().strip()
ours, theirs = read(sys.argv[1]), read(sys.argv[2])
assert ours[0] == theirs[0], (ours[0].keys(), theirs[0].keys())
assert ours[1] == theirs[1], (ours[1], theirs[1])
assert ours[2] == theirs[2]
print(len(ours[0]))`, find(t, requireMade(t), "-py3-none-any.whl"), find(t, filepath.Join(dir, "built"), ".whl"))
	require.NoError(t, err)
	require.NotEqual(t, "0", said)
}

func TestThePackageOfTheTypeScriptLibraryIsInstalledAndUsed(t *testing.T) {
	dir := t.TempDir()
	env := []string{"HOME=" + dir, "npm_config_cache=" + filepath.Join(dir, "cache"), "npm_config_offline=true", "npm_config_update_notifier=false"}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true}`), 0o600))
	_, err := output(t.Context(), dir, env, "npm", "install", "--no-audit", "--no-fund", find(t, requireMade(t), "npm-turnwire-agent-"+versionOfRelease(t)+".tgz"))
	require.NoError(t, err)
	installed := names(t, filepath.Join(dir, "node_modules", "turnwire-agent"))
	require.Subset(t, installed, []string{"package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "dist/events.d.ts"})
	for _, name := range installed {
		require.False(t, strings.HasPrefix(name, "src/") || strings.HasPrefix(name, "node_modules/"), name)
	}
	agent := filepath.Join(dir, "agent.mjs")
	require.NoError(t, os.WriteFile(agent, []byte(`import { Agent } from "turnwire-agent";
await new Agent({ name: "Test" }).onPrompt((turn) => turn.text("hello")).run();
`), 0o600))
	checked(t, dir, nil, "node", agent)
}

// What Cargo itself would package is the crate, and it is built with what its lock
// file names.
func TestTheCrateIsWhatCargoWouldPackage(t *testing.T) {
	dir := t.TempDir()
	extract(t, find(t, requireMade(t), ".crate"), dir)
	root := filepath.Join(dir, "turnwire-agent-"+versionOfRelease(t))
	ours, target := names(t, root), filepath.Join(dir, "target")
	env := []string{"CARGO_TARGET_DIR=" + target}
	listed, err := output(t.Context(), root, env, "cargo", "package", "--list", "--allow-dirty", "--quiet")
	require.NoError(t, err)
	require.ElementsMatch(t, strings.Fields(listed), append(ours, "Cargo.toml.orig"))
	_, err = output(t.Context(), root, env, "cargo", "build", "--quiet", "--locked", "--example", "everything")
	require.NoError(t, err)
	checked(t, dir, nil, filepath.Join(target, "debug", "examples", "everything"))
}

func TestTheExtensionHoldsWhatItNeedsAndNothingElse(t *testing.T) {
	files := unzip(t, find(t, requireMade(t), ".vsix"), timeOfRelease(t))
	all := map[string][]byte{}
	for _, f := range files {
		all[f.name] = f.data
		require.NotEmpty(t, f.data, f.name)
		require.Equal(t, os.FileMode(0o644), f.mode.Perm(), f.name)
		for _, no := range []string{"node_modules/", "extension/src/", "extension/test/", ".ts", ".map"} {
			require.NotContains(t, f.name, no)
		}
	}
	for _, name := range []string{
		"[Content_Types].xml", "extension.vsixmanifest", "extension/package.json", "extension/dist/extension.cjs", "extension/dist/view.js",
		"extension/dist/view.css", "extension/readme.md", "extension/changelog.md", "extension/LICENSE.txt",
	} {
		require.Contains(t, all, name)
	}
	base, _, _ := strings.Cut(versionOfRelease(t), "-dev.")
	require.Contains(t, string(all["extension.vsixmanifest"]), fmt.Sprintf(`Id="turnwire" Version="%s" Publisher="turnwire"`, base))
}

func TestALibraryOfAnotherVersionIsAnError(t *testing.T) {
	s := &source{dir: t.TempDir(), version: "0.2.0"}
	for name, text := range map[string]string{
		"sdk/python/src/turnwire/__init__.py": "\n__version__ = \"0.1.0\"\n", "sdk/typescript/package.json": "{\n  \"version\": \"0.1.0\",\n}",
		"sdk/rust/Cargo.toml": "\nversion = \"0.1.0\"\n", "sdk/rust/Cargo.lock": "", "editors/vscode/package.json": "{\n  \"version\": \"0.1.0\",\n}",
	} {
		path := filepath.Join(s.dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	const says = "is it of another version?"
	require.ErrorContains(t, s.writePython(t.TempDir()), says)
	require.ErrorContains(t, s.writeTypeScript(t.Context(), t.TempDir()), says)
	require.ErrorContains(t, s.writeCrate(t.TempDir()), says)
	require.ErrorContains(t, s.writeExtension(t.Context(), t.TempDir()), says)
}
