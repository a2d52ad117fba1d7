package acpmap

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInvalidURICharactersAreEncoded(t *testing.T) {
	for given, want := range map[string]string{
		"https://tea.example/login?a=1&b=<2>": "https://tea.example/login?a=1&b=%3C2%3E",
		"https://tea.example/%41 b":           "https://tea.example/%41%20b",
		"https://tea.example/100%":            "https://tea.example/100%25",
		"https://tea.example/é\"|^`{}\\":      "https://tea.example/%C3%A9%22%7C%5E%60%7B%7D%5C",
		"http://[::1]:80/#x":                  "http://[::1]:80/#x",
	} {
		got := uri(given)
		require.Equal(t, want, got)
		_, err := url.Parse(got)
		require.NoError(t, err)
		require.Equal(t, got, uri(got), "it is encoded once")
	}
}
