package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

// bill writes the bill of materials of a program. It is read from the program
// itself, so that it names exactly what is in it.
func (s *source) bill(ctx context.Context, binary, path string) error {
	dir := filepath.Join(s.dir, "tools", "release")
	// The tool itself may have to be downloaded and built; -n does only that.
	if _, err := output(ctx, dir, s.environment(), "go", "tool", "-n", "cyclonedx-gomod"); err != nil {
		return err
	}
	// The network is off, because what can be downloaded differs from place to
	// place. The modules are present since their licences were read, and were
	// checked against go.sum then. The tool asks from outside of that module,
	// and cannot reach the checksum database either.
	env := append(s.environment(), "GOPROXY=off", "GOSUMDB=off")
	out, err := output(ctx, dir, env,
		"go", "tool", "cyclonedx-gomod", "bin", "-json", "-noserial", "-notimestamp", "-std",
		"-licenses", "-assert-licenses", "-version", "v"+s.version, binary)
	if err != nil {
		return err
	}
	var bom cyclonedx.BOM
	if err := cyclonedx.NewBOMDecoder(bytes.NewReader([]byte(out)), cyclonedx.BOMFileFormatJSON).Decode(&bom); err != nil {
		return fmt.Errorf("read what cyclonedx-gomod printed: %w", err)
	}
	s.complete(&bom, filepath.Base(path))
	var text bytes.Buffer
	encoder := cyclonedx.NewBOMEncoder(&text, cyclonedx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
	if err := encoder.Encode(&bom); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}

// complete adds what the tool cannot know, and removes what differs on every
// machine: the checksums of the tool's own binary.
func (s *source) complete(bom *cyclonedx.BOM, name string) {
	bom.SerialNumber = uuid.NewSHA1(uuid.NameSpaceURL, []byte(repositoryURL+"/"+s.commit+"/"+name)).URN()
	bom.Metadata.Timestamp = s.time.Format(time.RFC3339)
	if tools := bom.Metadata.Tools; tools != nil && tools.Tools != nil {
		for i := range *tools.Tools {
			(*tools.Tools)[i].Hashes = nil
		}
	}
	bom.Metadata.Component.Licenses = licence("Apache-2.0")
	if bom.Components == nil {
		return
	}
	for i, c := range *bom.Components {
		// The code of the Go authors is under one licence. The tool does not
		// find it in the standard library, and takes it for another one
		// elsewhere.
		if c.Name == "std" || strings.HasPrefix(c.Name, "golang.org/x/") {
			(*bom.Components)[i].Licenses = licence("BSD-3-Clause")
		}
	}
}

func licence(id string) *cyclonedx.Licenses {
	return &cyclonedx.Licenses{{License: &cyclonedx.License{ID: id}}}
}
