package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// npmInstall installs packages without the network, and returns the folder.
func npmInstall(t *testing.T, packages ...string) string {
	t.Helper()
	dir := t.TempDir()
	env := []string{"HOME=" + dir, "npm_config_cache=" + filepath.Join(dir, "cache"), "npm_config_offline=true", "npm_config_update_notifier=false"}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true}`), 0o600))
	_, err := output(dir, env, "npm", append([]string{"install", "--no-audit", "--no-fund"}, packages...)...)
	require.NoError(t, err)
	return dir
}

// check runs the release's "turnwire check" with an agent.
func check(t *testing.T, dir string, agent ...string) {
	t.Helper()
	do(t, dir, filepath.Join(program(t), "turnwire"), append([]string{"check", "--strict", "--"}, agent...)...)
}

const pythonAgent = `
from turnwire import Agent
agent = Agent("Test")
@agent.prompt
def reply(turn):
    turn.text("hello")
agent.run()
`

// The source distribution must build the same wheel.
func TestTheWheelCanBeInstalledAndRemoved(t *testing.T) {
	dir := t.TempDir()
	do(t, dir, "python3", "-m", "venv", "venv")
	python := filepath.Join(dir, "venv", "bin", "python")
	pip := func(args ...string) {
		do(t, dir, python, append([]string{"-m", "pip", "--quiet", "--disable-pip-version-check"}, args...)...)
	}
	wheel := find(t, "*-py3-none-any.whl")
	pip("wheel", "--no-deps", "--wheel-dir", "built", find(t, "turnwire_agent-*.tar.gz"))
	again := wheelSums(t, filepath.Join(dir, "built", filepath.Base(wheel)), python)
	require.Equal(t, wheelSums(t, wheel, python), again)
	pip("install", "--no-index", wheel)
	pip("check")
	require.Equal(t, version(t), do(t, dir, python, "-c", `
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
	check(t, dir, python, agent)
	pip("uninstall", "--yes", "turnwire-agent")
	require.Empty(t, do(t, dir, python, "-c", `import importlib.util as u; print(u.find_spec("turnwire") or "")`))
}

// wheelSums lists the checksums of the files in a wheel, except for those that name its
// builder.
func wheelSums(t *testing.T, wheel, python string) string {
	t.Helper()
	return do(t, ".", python, "-c", `
import hashlib, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
for name in sorted(wheel.namelist()):
    if name.startswith("turnwire/") or name.endswith(("/METADATA", "/LICENSE")):
        print(hashlib.sha256(wheel.read(name)).hexdigest(), name)`, wheel)
}

func TestThePackageOfTheTypeScriptLibraryIsInstalledAndUsed(t *testing.T) {
	dir := npmInstall(t, find(t, "npm-turnwire-agent-*.tgz"))
	installed := names(t, filepath.Join(dir, "node_modules", "turnwire-agent"))
	require.Subset(t, installed, []string{"package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "dist/events.d.ts"})
	for _, name := range installed {
		require.False(t, strings.HasPrefix(name, "src/") || strings.HasPrefix(name, "node_modules/"), name)
	}
	agent := filepath.Join(dir, "agent.mjs")
	require.NoError(t, os.WriteFile(agent, []byte(`import { Agent } from "turnwire-agent";
await new Agent({ name: "Test" }).onPrompt((turn) => turn.text("hello")).run();
`), 0o600))
	check(t, dir, "node", agent)
}

// The crate is what Cargo itself would package, and builds with the versions in its lock
// file.
func TestTheCrateIsWhatCargoWouldPackage(t *testing.T) {
	dir := unpack(t, find(t, "*.crate"))
	root := filepath.Join(dir, "turnwire-agent-"+version(t))
	ours, target := names(t, root), filepath.Join(dir, "target")
	env := []string{"CARGO_TARGET_DIR=" + target}
	listed, err := output(root, env, "cargo", "package", "--list", "--allow-dirty", "--quiet")
	require.NoError(t, err)
	require.ElementsMatch(t, strings.Fields(listed), append(ours, "Cargo.toml.orig"))
	_, err = output(root, env, "cargo", "build", "--quiet", "--locked", "--example", "everything")
	require.NoError(t, err)
	check(t, dir, filepath.Join(target, "debug", "examples", "everything"))
}

func TestTheExtensionHoldsWhatItNeedsAndNothingElse(t *testing.T) {
	dir := unpack(t, find(t, "turnwire-vscode-"+version(t)+".vsix"))
	inside := names(t, dir)
	for _, name := range inside {
		for _, no := range []string{"node_modules/", "extension/src/", "extension/test/", ".ts", ".map"} {
			require.NotContains(t, name, no)
		}
	}
	require.Subset(t, inside, []string{
		"[Content_Types].xml", "extension.vsixmanifest", "extension/package.json", "extension/dist/extension.cjs", "extension/dist/view.js",
		"extension/dist/view.css", "extension/dist/maths.js", "extension/dist/diagrams.js", "extension/dist/licenses.txt", "extension/readme.md", "extension/changelog.md", "extension/LICENSE.txt",
	})
	manifest, err := os.ReadFile(filepath.Join(dir, "extension.vsixmanifest"))
	require.NoError(t, err)
	require.Contains(t, string(manifest), fmt.Sprintf(`Id="turnwire" Version="%s" Publisher="turnwire"`, version(t)))
}

// The extension for a platform is the one for all platforms, with the program.
func TestTheExtensionForAPlatformHasTheProgram(t *testing.T) {
	common := names(t, unpack(t, find(t, "turnwire-vscode-"+version(t)+".vsix")))
	for platform, program := range map[string]string{"linux-x64": "turnwire", "win32-arm64": "turnwire.exe"} {
		dir := unpack(t, find(t, "turnwire-vscode-"+platform+"-*.vsix"))
		require.ElementsMatch(t, append([]string{"extension/THIRD-PARTY-LICENSES", "extension/bin/" + program}, common...), names(t, dir))
		manifest, err := os.ReadFile(filepath.Join(dir, "extension.vsixmanifest"))
		require.NoError(t, err)
		require.Contains(t, string(manifest), ` TargetPlatform="`+platform+`"`)
	}
	node := map[string]string{"linux_amd64": "linux-x64", "linux_arm64": "linux-arm64", "darwin_amd64": "darwin-x64", "darwin_arm64": "darwin-arm64"}[here]
	require.NotEmpty(t, node)
	dir := unpack(t, find(t, "turnwire-vscode-"+node+"-*.vsix"))
	require.Contains(t, do(t, dir, "extension/bin/turnwire", "version"), "turnwire "+version(t))
}
