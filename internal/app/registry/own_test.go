package registry_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/registry"
)

// own returns the path of a file of our registry entry.
func own(name string) string { return filepath.Join("..", "..", "..", "editors", "registry", name) }

// A release contains this file. The registry requires a version of three numbers and an
// archive for every system. The tests of tools/release start the programs that it names.
func TestOurEntryNamesTheArchivesOfTheNextRelease(t *testing.T) {
	text, err := os.ReadFile(own("agent.json"))
	require.NoError(t, err)
	read, err := registry.Parse(document(string(text)))
	require.NoError(t, err)
	require.Empty(t, read.Wrong)
	e, _, err := read.Find("turnwire")
	require.NoError(t, err)
	require.Regexp(t, `^\d+\.\d+\.\d+$`, e.Version)
	require.NotEmpty(t, e.Name)
	require.NotEmpty(t, e.Description)
	require.Equal(t, "https://github.com/turnwire/turnwire", e.Repository)
	require.Equal(t, "Apache-2.0", e.License)
	require.Nil(t, e.Distribution.NPX)
	require.Nil(t, e.Distribution.UVX)

	var platforms []string
	for _, goos := range []string{"darwin", "linux", "windows"} {
		kind, command := "tar.gz", "turnwire"
		if goos == "windows" {
			kind, command = "zip", "turnwire.exe"
		}
		for _, goarch := range []string{"amd64", "arm64"} {
			platform := registry.Platform(goos, goarch)
			platforms = append(platforms, platform)
			launch, err := e.Launch(platform, registry.Binary)
			require.NoError(t, err)
			require.Equal(t, &registry.Launch{
				Way: registry.Binary, Command: command, Args: []string{"acp"},
				Archive: fmt.Sprintf("%s/releases/download/v%[2]s/turnwire_%[2]s_%[3]s_%[4]s.%[5]s", e.Repository, e.Version, goos, goarch, kind),
			}, launch)
		}
	}
	require.ElementsMatch(t, platforms, slices.Collect(maps.Keys(e.Distribution.Binary)))
}

func TestTheIconFitsIntoEveryTheme(t *testing.T) {
	f, err := os.Open(own("icon.svg"))
	require.NoError(t, err)
	defer f.Close()
	painted := 0
	first := true
	for d := xml.NewDecoder(f); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attributes := map[string]string{}
		for _, a := range element.Attr {
			attributes[a.Name.Local] = a.Value
		}
		if first {
			require.Equal(t, "svg", element.Name.Local)
			require.Equal(t, []string{"16", "16", "0 0 16 16"}, []string{attributes["width"], attributes["height"], attributes["viewBox"]})
			first = false
		}
		require.NotContains(t, attributes, "style")
		for _, paint := range []string{"fill", "stroke"} {
			if value, ok := attributes[paint]; ok {
				require.Contains(t, []string{"currentColor", "none"}, value)
				painted++
			}
		}
	}
	require.Positive(t, painted)
}
