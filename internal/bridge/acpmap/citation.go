package acpmap

import (
	"net/url"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/visible"
)

// citation formats a source as Markdown, which every editor shows: as a link if a
// browser or an editor can open the source, otherwise as text.
func citation(e *agent.Citation) string {
	title := strings.Join(strings.Fields(visible.Text(e.Title)), " ")
	u, err := url.Parse(e.URI)
	if err != nil || !opens(u.Scheme) {
		return " (" + escapeMarkdown(strings.TrimSpace(title+" "+visible.Text(e.URI))) + ")"
	}
	if title == "" {
		title = visible.Text(e.URI)
	}
	// url.URL escapes all other characters that would end the link.
	target := strings.NewReplacer("<", "%3C", ">", "%3E", "(", "%28", ")", "%29").Replace(u.String())
	return " [" + escapeMarkdown(title) + "](" + target + ")"
}

// opens reports whether following a link with a scheme only displays something.
func opens(scheme string) bool {
	switch strings.ToLower(scheme) {
	case "http", "https", "file":
		return true
	}
	return false
}

// escapeMarkdown escapes text so that Markdown shows it unchanged.
func escapeMarkdown(text string) string {
	var out strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_[]<>#|~!&", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}
