package acpmap

import "strings"

// uri percent-encodes the characters of a URL that no URI may contain, as browsers do.
// The schema requires a URI, and strict clients refuse the whole request otherwise.
//
// Source: RFC 3986, section 2.
func uri(url string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(url) {
		c := url[i]
		isPercent := c == '%' && i+2 < len(url) && isHex(url[i+1]) && isHex(url[i+2])
		if isPercent || inURI(c) {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
	return b.String()
}

// inURI reports whether a byte may appear unescaped in a URI.
func inURI(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~:/?#[]@!$&'()*+,;=", c) >= 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
