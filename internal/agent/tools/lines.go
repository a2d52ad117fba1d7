package tools

import (
	"errors"
	"strings"
)

var (
	errAbsent    = errors.New("the old text is not in the file")
	errAmbiguous = errors.New("the old text is in the file more than once; it must name one place")
)

// usesCRLF reports whether most lines of text have Windows line endings.
func usesCRLF(text string) bool {
	crlf := strings.Count(text, "\r\n")
	return crlf > strings.Count(text, "\n")-crlf
}

func toCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// withEndingsOf gives the lines of text the line endings of file.
func withEndingsOf(file, text string) string {
	if usesCRLF(file) {
		return toCRLF(text)
	}
	return text
}

// appendLine adds line after the last line of file.
func appendLine(file, line string) string {
	if !strings.HasSuffix(line, "\n") {
		line += "\n"
	}
	if file != "" && !strings.HasSuffix(file, "\n") {
		line = "\n" + line
	}
	return file + withEndingsOf(file, line)
}

// replaceOnly replaces the only occurrence of before in file. Line breaks in
// before match the file's line endings.
func replaceOnly(file, before, after string) (string, error) {
	if !strings.Contains(file, before) {
		before = withEndingsOf(file, before)
	}
	at := strings.Index(file, before)
	switch {
	case at < 0:
		return "", errAbsent
	case at != strings.LastIndex(file, before):
		return "", errAmbiguous
	}
	return file[:at] + withEndingsOf(file, after) + file[at+len(before):], nil
}

// firstChange returns the number of the first line in which two texts differ.
func firstChange(before, after string) int {
	line := 1
	for i := 0; i < min(len(before), len(after)) && before[i] == after[i]; i++ {
		if before[i] == '\n' {
			line++
		}
	}
	return line
}
