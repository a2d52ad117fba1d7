package v1

import (
	"encoding/json"
	"fmt"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Block is a `ContentBlock`: [*TextBlock], [*ImageBlock], [*AudioBlock],
// [*ResourceLink] or [*EmbeddedResource].
type Block interface {
	BlockType() string
	appendJSON(dst []byte) []byte
}

// TextBlock is `TextContent`.
type TextBlock struct {
	Text Text `json:"text"`
	Meta Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ImageBlock is `ImageContent`.
type ImageBlock struct {
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri,omitempty" jsonschema:"nullable"`
	Meta     Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// AudioBlock is `AudioContent`.
type AudioBlock struct {
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	Meta     Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ResourceLink is `ResourceLink`.
type ResourceLink struct {
	Name        string `json:"name"`
	URI         string `json:"uri"`
	Title       string `json:"title,omitempty" jsonschema:"nullable"`
	Description string `json:"description,omitempty" jsonschema:"nullable"`
	MIMEType    string `json:"mimeType,omitempty" jsonschema:"nullable"`
	Size        *int64 `json:"size,omitempty" jsonschema:"nullable"`
	Meta        Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// EmbeddedResource is `EmbeddedResource`.
type EmbeddedResource struct {
	Resource ResourceContents `json:"resource"`
	Meta     Meta             `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ResourceContents is `TextResourceContents` or `BlobResourceContents`,
// whichever of Text and Blob is set.
type ResourceContents struct {
	URI      string  `json:"uri"`
	MIMEType string  `json:"mimeType,omitempty" jsonschema:"nullable"`
	Text     *string `json:"text,omitempty"`
	Blob     *string `json:"blob,omitempty"`
	Meta     Meta    `json:"_meta,omitempty" jsonschema:"nullable"`
}

// BlockType implements [Block].
func (*TextBlock) BlockType() string { return "text" }

// BlockType implements [Block].
func (*ImageBlock) BlockType() string { return "image" }

// BlockType implements [Block].
func (*AudioBlock) BlockType() string { return "audio" }

// BlockType implements [Block].
func (*ResourceLink) BlockType() string { return "resource_link" }

// BlockType implements [Block].
func (*EmbeddedResource) BlockType() string { return "resource" }

// NewBlocks lists the constructors of `ContentBlock`.
var NewBlocks = []Variant[Block]{
	{"text", func() Block { return new(TextBlock) }},
	{"image", func() Block { return new(ImageBlock) }},
	{"audio", func() Block { return new(AudioBlock) }},
	{"resource_link", func() Block { return new(ResourceLink) }},
	{"resource", func() Block { return new(EmbeddedResource) }},
}

func (b *TextBlock) appendJSON(dst []byte) []byte {
	if b.Meta != nil {
		type plain TextBlock
		return appendTagged(dst, "type", "text", (*plain)(b))
	}
	dst = append(dst, `{"type":"text","text":"`...)
	return append(append(dst, rawjson.Body(b.Text)...), `"}`...)
}

func (b *ImageBlock) appendJSON(dst []byte) []byte {
	return appendTagged(dst, "type", "image", b)
}

func (b *AudioBlock) appendJSON(dst []byte) []byte {
	return appendTagged(dst, "type", "audio", b)
}

func (b *ResourceLink) appendJSON(dst []byte) []byte {
	return appendTagged(dst, "type", "resource_link", b)
}

func (b *EmbeddedResource) appendJSON(dst []byte) []byte {
	return appendTagged(dst, "type", "resource", b)
}

// Blocks is a list of blocks.
type Blocks []Block

// UnmarshalJSON returns an error for a block of an unknown type, because v1's union is
// closed.
func (bs *Blocks) UnmarshalJSON(b []byte) error {
	var raws []json.RawMessage
	if err := exactjson.Unmarshal(b, &raws); err != nil || raws == nil {
		return err // null is not a list, so bs stays nil
	}
	out := make(Blocks, len(raws))
	for i, raw := range raws {
		block, err := UnmarshalBlock(raw)
		if err != nil {
			return fmt.Errorf("prompt[%d]: %w", i, err)
		}
		out[i] = block
	}
	*bs = out
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (bs Blocks) MarshalJSON() ([]byte, error) {
	dst := []byte{'['}
	for i, b := range bs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = b.appendJSON(dst)
	}
	return append(dst, ']'), nil
}

// UnmarshalBlock decodes one `ContentBlock`.
func UnmarshalBlock(raw []byte) (Block, error) {
	var tag struct {
		Type string `json:"type"`
	}
	if err := exactjson.Unmarshal(raw, &tag); err != nil {
		return nil, err
	}
	block, ok := makeVariant(NewBlocks, tag.Type)
	if !ok {
		return nil, fmt.Errorf("unknown content type %q", tag.Type)
	}
	if err := exactjson.Unmarshal(raw, block); err != nil {
		return nil, err
	}
	return block, nil
}
