package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/stretchr/testify/require"
)

const here = runtime.GOOS + "_" + runtime.GOARCH

// program returns the folder of this platform's archive.
func program(t *testing.T) string {
	t.Helper()
	return unpack(t, find(t, "turnwire_*_"+here+".tar.gz"))
}

func TestAnArchiveHoldsWhatBelongsToAProgram(t *testing.T) {
	for pattern, binary := range map[string]string{"turnwire_*_linux_arm64.tar.gz": "turnwire", "turnwire_*_windows_amd64.zip": "turnwire.exe"} {
		dir := unpack(t, find(t, pattern))
		inside := names(t, dir)
		require.Subset(t, inside, []string{
			binary, "LICENSE", "THIRD-PARTY-LICENSES", "README.md", "CHANGELOG.md", "docs/events.md", "man/man1/turnwire.1", "man/man1/turnwire-acp.1",
			"completions/bash/turnwire", "completions/fish/turnwire.fish", "completions/powershell/turnwire.ps1", "completions/zsh/_turnwire",
		})
		for _, name := range inside {
			info, err := os.Stat(filepath.Join(dir, name))
			require.NoError(t, err)
			require.NotZero(t, info.Size(), name)
			require.Equal(t, name == binary, info.Mode() == 0o755, "%s has mode %s", name, info.Mode())
		}
	}
}

func TestTheProgramSaysWhatItIs(t *testing.T) {
	commit := do(t, "../..", "git", "rev-parse", "--short=12", "HEAD")
	// Without the mark for uncommitted changes.
	require.Contains(t, do(t, program(t), "./turnwire", "version"), "turnwire "+version(t)+" ("+commit+") ")
}

// The registry's client starts the agent like this: from the archive's folder, with a new
// home directory. The registry requires a login method of the agent; one without a type
// counts.
func TestTheRegistrysCommandWorks(t *testing.T) {
	cmd := exec.Command("./turnwire", "acp")
	cmd.Dir = program(t)
	cmd.Env = []string{"HOME=" + t.TempDir(), "TERM=dumb"}
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}` + "\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	var answer struct {
		Result struct {
			ProtocolVersion int
			AuthMethods     []struct{ ID, Name, Type string }
		}
	}
	require.NoError(t, json.Unmarshal(out, &answer), "one line, and nothing before it")
	require.Equal(t, 1, answer.Result.ProtocolVersion)
	require.NotEmpty(t, answer.Result.AuthMethods)
	require.Empty(t, answer.Result.AuthMethods[0].Type)
	require.NotEmpty(t, answer.Result.AuthMethods[0].ID)
	require.NotEmpty(t, answer.Result.AuthMethods[0].Name)
	require.Empty(t, stderr.String())
}

func TestTheProgramsLicencesAndBillOfMaterialsAreComplete(t *testing.T) {
	for platform, binary := range map[string]string{"linux_amd64.tar.gz": "turnwire", "windows_amd64.zip": "turnwire.exe"} {
		dir := unpack(t, find(t, "turnwire_*_"+platform))
		info, err := buildinfo.ReadFile(filepath.Join(dir, binary))
		require.NoError(t, err)
		notices, err := os.ReadFile(filepath.Join(dir, "THIRD-PARTY-LICENSES"))
		require.NoError(t, err)
		want := map[string]string{"std": info.GoVersion}
		require.Contains(t, string(notices), "\nThe Go standard library "+info.GoVersion+": LICENSE\n\nCopyright")
		for _, dep := range info.Deps {
			want[dep.Path] = dep.Version
			require.Contains(t, string(notices), "\n"+dep.Path+" "+dep.Version+": ")
		}
		system, _, _ := strings.Cut(platform, ".")
		f, err := os.Open(find(t, "turnwire_*_"+system+".cdx.json"))
		require.NoError(t, err)
		defer f.Close()
		var bom cyclonedx.BOM
		require.NoError(t, cyclonedx.NewBOMDecoder(f, cyclonedx.BOMFileFormatJSON).Decode(&bom))
		got := map[string]string{}
		for _, c := range *bom.Components {
			got[c.Name] = c.Version
			require.NotEmpty(t, c.Licenses, "%s has no licence", c.Name)
		}
		require.Equal(t, want, got)
		require.Equal(t, "v"+version(t), bom.Metadata.Component.Version)
		require.NotEmpty(t, bom.SerialNumber)
		require.NotEmpty(t, bom.Metadata.Timestamp)
	}
}

func TestTheDebianPackageCanBeInstalledAndRemoved(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"info", "updates"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644))
	dpkg := func(args ...string) string {
		return do(t, root, "dpkg", append([]string{"--root=" + root, "--force-not-root", "--force-script-chrootless", "--log=" + os.DevNull}, args...)...)
	}
	dpkg("--install", find(t, "turnwire_*_"+here+".deb"))
	require.Empty(t, dpkg("--verify", "turnwire"))
	require.Contains(t, do(t, root, "usr/bin/turnwire", "version"), "turnwire "+version(t)+" ")
	require.Contains(t, dpkg("--status", "turnwire"), "Version: "+version(t)+"\n")
	for _, name := range []string{
		"man/man1/turnwire-acp.1.gz", "bash-completion/completions/turnwire", "zsh/vendor-completions/_turnwire", "fish/vendor_completions.d/turnwire.fish",
		"doc/turnwire/copyright", "doc/turnwire/changelog.gz", "doc/turnwire/docs/events.md", "doc/turnwire/THIRD-PARTY-LICENSES", "lintian/overrides/turnwire",
	} {
		require.FileExists(t, filepath.Join(root, "usr/share", name))
	}
	require.Contains(t, do(t, root, "gzip", "-dc", "usr/share/man/man1/turnwire.1.gz"), ".TH ")
	for line := range strings.SplitSeq(do(t, root, "dpkg-deb", "--contents", find(t, "turnwire_*_"+here+".deb")), "\n") {
		require.Regexp(t, `^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) root/root `, line)
	}
	dpkg("--purge", "turnwire")
	require.NoDirExists(t, filepath.Join(root, "usr/share"))
}

func TestThePackagesOfNPMStartTheProgram(t *testing.T) {
	node := do(t, ".", "node", "-p", "`${process.platform}-${process.arch}`")
	dir := npmInstall(t, find(t, "npm-turnwire-[0-9]*.tgz"), find(t, "npm-turnwire-"+node+"-*.tgz"))
	start := filepath.Join(dir, "node_modules/.bin/turnwire")
	require.Equal(t, do(t, program(t), "./turnwire", "version"), do(t, dir, start, "version"))
	var exit *exec.ExitError
	require.ErrorAs(t, exec.Command(start, "no-such-command").Run(), &exit)
	require.Equal(t, 2, exit.ExitCode(), "the exit code is that of the program")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "node_modules/@turnwire")))
	_, err := output(dir, nil, start, "version")
	require.ErrorContains(t, err, "@turnwire/"+node+" is not installed")
}

func TestTheFormulaInstallsWhatIsInTheArchives(t *testing.T) {
	text, err := os.ReadFile(find(t, "turnwire.rb"))
	require.NoError(t, err)
	for _, platform := range []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"} {
		archive := find(t, "turnwire_*_"+platform+".tar.gz")
		data, err := os.ReadFile(archive)
		require.NoError(t, err)
		require.Regexp(t, fmt.Sprintf(`url "https://github.com/turnwire/turnwire/releases/download/v%s/%s"\s+sha256 "%x"`, version(t), filepath.Base(archive), sha256.Sum256(data)), string(text))
	}
	inside := names(t, program(t))
	for _, name := range []string{"turnwire", "completions/bash/turnwire", "completions/zsh/_turnwire", "completions/fish/turnwire.fish", "README.md", "CHANGELOG.md", "THIRD-PARTY-LICENSES"} {
		require.Contains(t, string(text), `"`+name+`"`)
		require.Contains(t, inside, name)
	}
}

func TestTheImageHoldsTheProgram(t *testing.T) {
	dir := unpack(t, find(t, "turnwire_*_linux_"+runtime.GOARCH+".oci.tar"))
	index, err := layout.ImageIndexFromPath(dir)
	require.NoError(t, err)
	require.NoError(t, validate.Index(index))
	manifest, err := index.IndexManifest()
	require.NoError(t, err)
	require.Len(t, manifest.Manifests, 1)
	require.Equal(t, version(t), manifest.Manifests[0].Annotations["org.opencontainers.image.ref.name"])
	image, err := index.Image(manifest.Manifests[0].Digest)
	require.NoError(t, err)
	config, err := image.ConfigFile()
	require.NoError(t, err)
	require.Equal(t, here, config.OS+"_"+config.Architecture)
	layers, err := image.Layers()
	require.NoError(t, err)
	require.Len(t, layers, 1)
	digest, err := layers[0].Digest()
	require.NoError(t, err)
	root := unpack(t, filepath.Join(dir, "blobs", digest.Algorithm, digest.Hex))
	require.ElementsMatch(t, []string{"turnwire", "LICENSE", "THIRD-PARTY-LICENSES"}, names(t, root))
	text, err := output(root, []string{"PATH="}, filepath.Join(root, config.Config.Entrypoint[0]), "version")
	require.NoError(t, err)
	require.Contains(t, text, "turnwire "+version(t)+" ")
}
