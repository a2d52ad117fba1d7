package gfm

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/util"
)

// maxHost limits how many bytes of a host are searched for its last dot.
const maxHost = 256

// urlLength returns the length of the URL that word begins with, or 0. A URL has a
// scheme or begins with "www.", and its host has a dot.
func urlLength(word []byte) int {
	for _, prefix := range []string{"http://", "https://", "ftp://", "www."} {
		if !bytes.HasPrefix(word, []byte(prefix)) {
			continue
		}
		end := hostEnd(word, len(prefix))
		if end == 0 {
			return 0
		}
		exclude := "$"
		if prefix != "www." {
			end = portEnd(word, end)
			exclude = ""
		}
		return withoutPunctuation(word[:pathEnd(word, end, exclude)])
	}
	return 0
}

// hostEnd returns the end of the host that begins at start, or 0. A host ends with the
// letters after its last dot.
func hostEnd(word []byte, start int) int {
	limit := min(len(word)-1, start+maxHost)
	dot := start
	for dot < limit && isHost(word[dot]) {
		dot++
	}
	for ; dot > start; dot-- {
		end := dot + 1
		for end < len(word) && 'a' <= word[end] && word[end] <= 'z' {
			end++
		}
		if word[dot] == '.' && end > dot+1 {
			return end
		}
	}
	return 0
}

// portEnd returns the end of the port that begins at start, or start.
func portEnd(word []byte, start int) int {
	if start == len(word) || word[start] != ':' {
		return start
	}
	end := start + 1
	for end < len(word) && '0' <= word[end] && word[end] <= '9' {
		end++
	}
	if end == start+1 {
		return start
	}
	return end
}

// pathEnd returns the end of the path, query or fragment that begins at start, or start
// if it finds none. It stops before a byte in exclude.
func pathEnd(word []byte, start int, exclude string) int {
	if start == len(word) || strings.IndexByte("/#?", word[start]) < 0 {
		return start
	}
	end := start + 1
	for end < len(word) && isPath(word[end]) && strings.IndexByte(exclude, word[end]) < 0 {
		end++
	}
	return end
}

func isHost(c byte) bool {
	return util.IsAlphaNumeric(c) || strings.IndexByte("-@:%._+~#=", c) >= 0
}

func isPath(c byte) bool {
	return util.IsAlphaNumeric(c) || strings.IndexByte("-@:%_+.~#$!?&/=();,'\">^{}[]`", c) >= 0
}

// withoutPunctuation returns the length of url without the punctuation of a sentence,
// closing brackets that url doesn't open, and HTML entities.
func withoutPunctuation(url []byte) int {
	unopened := bytes.Count(url, []byte{')'}) - bytes.Count(url, []byte{'('})
	end := len(url)
	for end > 1 {
		switch c := url[end-1]; {
		case strings.IndexByte("?!.,:*_~", c) >= 0:
			end--
		case c == ')' && unopened > 0:
			unopened--
			end--
		case c == ';':
			name := end - 1
			for name > 0 && util.IsAlphaNumeric(url[name-1]) {
				name--
			}
			if name == 0 || name == end-1 || url[name-1] != '&' {
				return end
			}
			end = name - 1
		default:
			return end
		}
	}
	return end
}
