package main

import (
	"fmt"
	"slices"
	"strings"
)

// A platform is what a program is built for.
type platform struct {
	os, arch string // in Go's terms
	registry string // in the terms of the registry of ACP agents
}

// platforms are all platforms of a release. The registry requires every system.
var platforms = []platform{
	{"darwin", "amd64", "darwin-x86_64"},
	{"darwin", "arm64", "darwin-aarch64"},
	{"linux", "amd64", "linux-x86_64"},
	{"linux", "arm64", "linux-aarch64"},
	{"windows", "amd64", "windows-x86_64"},
	{"windows", "arm64", "windows-aarch64"},
}

// String returns the platform as a user writes it.
func (p platform) String() string { return p.os + "/" + p.arch }

func (p platform) binary() string {
	if p.os == "windows" {
		return "turnwire.exe"
	}
	return "turnwire"
}

// stem is the beginning of the names of the platform's files.
func (p platform) stem(version string) string {
	return "turnwire_" + version + "_" + p.os + "_" + p.arch
}

// archive is a zip file where users can open it without an additional tool.
func (p platform) archive(version string) string {
	if p.os == "windows" {
		return p.stem(version) + ".zip"
	}
	return p.stem(version) + ".tar.gz"
}

func (p platform) bill(version string) string { return p.stem(version) + ".cdx.json" }

func parsePlatforms(list string) ([]platform, error) {
	var found []platform
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown platform %q; there are %v", name, platforms)
		}
		found = append(found, platforms[i])
	}
	return found, nil
}
