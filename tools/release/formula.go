package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// formulaName is the file of the formula in a tap of Homebrew.
const formulaName = "turnwire.rb"

// writeFormula writes the formula of a complete release, from its archives.
func writeFormula(s *source, list []platform, dir string) error {
	if !s.tagged || len(list) < len(platforms) {
		return nil
	}
	text := bytes.NewBufferString(`class Turnwire < Formula
  desc "Connects agents to editors that speak the Agent Client Protocol"
  homepage "` + repositoryURL + `"
  version "` + s.version + `"
  license "Apache-2.0"

`)
	for _, system := range []struct{ os, name string }{{"darwin", "macos"}, {"linux", "linux"}} {
		fmt.Fprintf(text, "  on_%s do\n", system.name)
		for _, cpu := range []struct{ arch, name string }{{"arm64", "arm"}, {"amd64", "intel"}} {
			archive := platform{os: system.os, arch: cpu.arch}.archive(s.version)
			data, err := os.ReadFile(filepath.Join(dir, archive))
			if err != nil {
				return err
			}
			fmt.Fprintf(text, "    on_%s do\n      url \"%s/releases/download/v%s/%s\"\n      sha256 \"%x\"\n    end\n",
				cpu.name, repositoryURL, s.version, archive, sha256.Sum256(data))
		}
		text.WriteString("  end\n\n")
	}
	text.WriteString(`  def install
    bin.install "turnwire"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/bash/turnwire"
    zsh_completion.install "completions/zsh/_turnwire"
    fish_completion.install "completions/fish/turnwire.fish"
    doc.install "README.md", "CHANGELOG.md", "THIRD-PARTY-LICENSES", Dir["docs/*.md"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/turnwire version")
  end
end
`)
	return os.WriteFile(filepath.Join(dir, formulaName), text.Bytes(), 0o644)
}
