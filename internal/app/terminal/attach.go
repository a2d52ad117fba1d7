package terminal

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

const (
	// maxEmbedded is the largest file whose text is sent, in bytes. Larger files are
	// linked.
	maxEmbedded = 1 << 20
	// maxImage limits the size of an image, in bytes, so that it fits into one line of
	// the protocol.
	maxImage = 16 << 20
)

// promptBlocks returns the prompt in a form that the agent accepts.
func promptBlocks(initialized *initializeResult, o *Options) (v1.Blocks, error) {
	takes := initialized.Capabilities.Prompt
	var out v1.Blocks
	if o.Prompt != "" {
		out = append(out, &v1.TextBlock{Text: v1.NewText(o.Prompt)})
	}
	if o.Input != "" {
		out = append(out, textBlock(o.Input, "stdin:", takes.EmbeddedContext))
	}
	for _, file := range o.Attach {
		b, err := attached(file, takes.EmbeddedContext)
		if err != nil {
			return nil, fmt.Errorf("--attach: %w", err)
		}
		out = append(out, b)
	}
	for _, file := range o.Images {
		if !takes.Image {
			return nil, errors.New("--image: the agent does not accept images")
		}
		b, err := image(file)
		if err != nil {
			return nil, fmt.Errorf("--image: %w", err)
		}
		out = append(out, b)
	}
	return out, nil
}

// textBlock returns the block for attached text. If the agent accepts resources, it is a
// resource, so that the agent can tell it from the prompt.
func textBlock(text, uri string, resources bool) v1.Block {
	if !resources {
		return &v1.TextBlock{Text: v1.NewText(text)}
	}
	return &v1.EmbeddedResource{Resource: v1.ResourceContents{URI: uri, MIMEType: "text/plain", Text: &text}}
}

// attached returns the block for a file: the text of a text file if the agent accepts
// resources, or else a link.
func attached(file string, resources bool) (v1.Block, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	uri := fileURI(path)
	if resources && info.Mode().IsRegular() && info.Size() <= maxEmbedded {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if utf8.Valid(text) {
			return textBlock(string(text), uri, true), nil
		}
	}
	return &v1.ResourceLink{URI: uri, Name: filepath.Base(path)}, nil
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/folder
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

func image(file string) (v1.Block, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxImage+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxImage {
		return nil, fmt.Errorf("%s is longer than %d MB", file, maxImage>>20)
	}
	kind := http.DetectContentType(data)
	if !strings.HasPrefix(kind, "image/") {
		return nil, fmt.Errorf("%s is not a supported image: it looks like %s", file, kind)
	}
	return &v1.ImageBlock{Data: base64.StdEncoding.EncodeToString(data), MIMEType: kind}, nil
}
