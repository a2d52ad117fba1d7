package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

// completeBill adds the information that cyclonedx-gomod can't know to a bill of
// materials. It removes the checksums of the tool's own binary, which differ on every
// machine.
func (c commit) completeBill(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	var bom cyclonedx.BOM
	if err := cyclonedx.NewBOMDecoder(f, cyclonedx.BOMFileFormatJSON).Decode(&bom); err != nil {
		return err
	}
	bom.SerialNumber = uuid.NewSHA1(uuid.NameSpaceURL, []byte(repository+"/"+c.hash+"/"+filepath.Base(file))).URN()
	bom.Metadata.Timestamp = c.time.Format(time.RFC3339)
	if tools := bom.Metadata.Tools; tools != nil && tools.Tools != nil {
		for i := range *tools.Tools {
			(*tools.Tools)[i].Hashes = nil
		}
	}
	bom.Metadata.Component.Licenses = licence("Apache-2.0")
	for i, component := range *bom.Components {
		// All code of the Go authors has one licence. The tool doesn't detect it in the
		// standard library, and misidentifies it elsewhere.
		if component.Name == "std" || strings.HasPrefix(component.Name, "golang.org/x/") {
			(*bom.Components)[i].Licenses = licence("BSD-3-Clause")
		}
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := cyclonedx.NewBOMEncoder(out, cyclonedx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).Encode(&bom); err != nil {
		return err
	}
	return out.Close()
}

func licence(id string) *cyclonedx.Licenses {
	return &cyclonedx.Licenses{{License: &cyclonedx.License{ID: id}}}
}
