package stacktrace_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/stacktrace"
)

func TestAMessageEndsWhereItsTraceBegins(t *testing.T) {
	for message, want := range map[string]string{
		"Bad state: no kettle\n#0      Kettle.boil (package:glue/kettle.dart:1)\n#1      main": "Bad state: no kettle",
		"Traceback (most recent call last):\n  File \"a.py\", line 1":                          "",
		"panic: no tea\n\ngoroutine 1 [running]:\nmain.main()":                                 "panic: no tea",
		"Error: no tea\n    at boil (kettle.js:1:2)":                                           "Error: no tea",
		"issue #0 is at work": "issue #0 is at work",
		" two\nlines \n":      "two\nlines",
		"":                    "",
	} {
		require.Equal(t, want, stacktrace.Cut(message))
	}
}

func TestAMessageIsBounded(t *testing.T) {
	got := stacktrace.Cut(strings.Repeat("é", 5000) + "\xff")
	require.LessOrEqual(t, len(got), 2010)
	require.True(t, utf8.ValidString(got))
}
