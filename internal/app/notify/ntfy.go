package notify

import (
	"context"
	"mime"
	"net/http"
)

// An ntfy publishes notifications to a topic of an ntfy server, or of one with the same
// API.
type ntfy struct {
	client *http.Client
	url    string // the topic's
	token  string // "" if none is needed
}

func (n ntfy) send(ctx context.Context, m Message) error {
	header := http.Header{
		"Content-Type": {"text/plain; charset=utf-8"},
		"User-Agent":   {"turnwire"},
		"Title":        {mime.BEncoding.Encode("utf-8", m.headline())},
	}
	if n.token != "" {
		header.Set("Authorization", "Bearer "+n.token)
	}
	if m.Page != "" {
		header.Set("Click", m.Page)
	}
	return post(ctx, n.client, n.url, m.detail(), header)
}
