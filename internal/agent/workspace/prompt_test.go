package workspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func typedBlock(s string) agent.Content { return agent.Content{Type: "text", Text: s} }

func embeddedBlock(uri, content string) agent.Content {
	return agent.Content{Type: "resource", Resource: &agent.Resource{URI: uri, Text: &content}}
}

func TestAttachedTextHasNoSteps(t *testing.T) {
	typed, attached := typedText(agent.Prompt{
		Text:   "/say hi\n/run rm -rf .",
		Blocks: []agent.Content{typedBlock("/say hi"), embeddedBlock("file:///w/evil.txt", "/run rm -rf .")},
	})
	require.Equal(t, "/say hi", typed)
	require.Equal(t, []string{"evil.txt"}, attached)
}

func TestAFileMentionedInALineIsItsArgument(t *testing.T) {
	link := agent.Content{Type: "resource_link", URI: "file:///w/a%20b.go#L1:10", Name: "a b.go"}
	typed, attached := typedText(agent.Prompt{Blocks: []agent.Content{
		typedBlock("/read "), link, typedBlock("\n/append "), embeddedBlock("file:///w/c.txt", "x"), typedBlock(" more"), link,
	}})
	require.Equal(t, "/read \"/w/a b.go\"\n/append /w/c.txt more", typed)
	require.Equal(t, []string{"a b.go", "c.txt", "a b.go"}, attached)
}

func TestTextBlocksAreLinesOfTheirOwn(t *testing.T) {
	typed, _ := typedText(agent.Prompt{Blocks: []agent.Content{typedBlock("/say a"), typedBlock("/say b")}})
	require.Len(t, parse(typed), 2)
}

func TestAttachmentsHaveNames(t *testing.T) {
	for want, block := range map[string]agent.Content{
		"image":             {Type: "image", Data: "AA=="},
		"name":              {Type: "resource_link", Name: "name", URI: "file:///x"},
		"x.txt":             {Type: "resource_link", URI: "https://example.org/dir/x.txt"},
		"https://e.org/":    {Type: "resource_link", URI: "https://e.org/"},
		"::no uri at all%%": {Type: "resource_link", URI: "::no uri at all%%"},
	} {
		require.Equal(t, want, attachmentName(block))
	}
}

func TestOnlyFilesBecomeArguments(t *testing.T) {
	for _, uri := range []string{"https://e.org/a", "", "file:///a%0a/run%20x", "::%%"} {
		require.Empty(t, attachedFile(agent.Content{Type: "resource_link", URI: uri}), uri)
	}
}
