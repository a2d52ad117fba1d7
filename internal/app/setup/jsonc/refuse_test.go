package jsonc_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup/jsonc"
)

func TestInvalidDocumentsAreRefusedWithLineAndColumn(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": 1\n  \"b\": 2\n}":         "line 3, column 3: invalid JSON",
		"{\n  \"ä\": nonsense\n}":              "line 2, column 8: invalid JSON",
		"{\n  'a': 1\n}":                       "line 2, column 3: invalid JSON",
		"{":                                    "line 1, column 2: invalid JSON: unexpected end",
		"{\"a\": 1":                            "line 1, column 8: invalid JSON: unexpected end",
		"{\"a\": \"no end":                     "line 1, column 14: invalid JSON: unexpected end",
		"{} /* no end":                         "line 1, column 4: invalid JSON",
		"{} {}":                                "line 1, column 4: invalid JSON",
		"{\"token\": secret}":                  "line 1, column 11: invalid JSON",
		"\ufeff\n}":                            "line 2, column 1: invalid JSON",
		"{\n\"a\": \"\xff\"}":                  "line 2, column 7: not UTF-8 text",
		"\xff\xfe{\x00}\x00":                   "line 1, column 1: not UTF-8 text",
		strings.Repeat("[", 1<<20):             "line 1, column 1001: nested too deeply",
		strings.Repeat("{\"a\":", 1<<20) + "1": "line 1, column 5001: nested too deeply",
	} {
		_, err := jsonc.Parse([]byte(text))
		var wrong *jsonc.Error
		require.ErrorAs(t, err, &wrong, "%.40q", text)
		require.Equal(t, want, wrong.Error(), "%.40q", text)
	}
}

func TestADocumentThatCannotBeChangedStaysAsItIs(t *testing.T) {
	for text, want := range map[string]string{
		"[]":                      "line 1, column 1: this value must be an object",
		"\"servers\"":             "line 1, column 1: this value must be an object",
		"{\"servers\": []}":       "line 1, column 13: \"servers\" must be an object",
		"{\n  \"servers\": null}": "line 2, column 14: \"servers\" must be an object",
		"{\"servers\": {\"Agent \\\"A\\\"\": 1}}":              "line 1, column 29: \"Agent \\\"A\\\"\" must be an object",
		"{\"servers\": {},\n \"theme\": 1,\n \"servers\": {}}": "line 3, column 2: the key \"servers\" appears twice",
	} {
		d, err := jsonc.Parse([]byte(text))
		require.NoError(t, err)
		require.EqualError(t, d.Set(entry, where...), want)
		require.Equal(t, text, string(d.Bytes()))
	}
}

func TestRemovingAMissingKeyChangesNothing(t *testing.T) {
	for _, text := range []string{"", "// nothing", "{}", "{ \"servers\" : { } , }"} {
		d, err := jsonc.Parse([]byte(text))
		require.NoError(t, err)
		require.NoError(t, d.Remove(where...))
		require.Equal(t, text, string(d.Bytes()))
	}
}

func TestEqualValuesKeepTheirSpelling(t *testing.T) {
	const text = "{\"list\": [ \"a\",\n /* b */ \"\\u0062\", ], \"name\": \"\\u00e4\"}"
	d, err := jsonc.Parse([]byte(text))
	require.NoError(t, err)
	require.NoError(t, d.Set([]string{"a", "b"}, "list"))
	require.NoError(t, d.Set("ä", "name"))
	require.Equal(t, text, string(d.Bytes()))
}

func TestMembersAreNamedInTheirOrder(t *testing.T) {
	d, err := jsonc.Parse([]byte("{\"z\": {\"b\": 1, \"a\": 2}}"))
	require.NoError(t, err)
	names, err := d.Names("z")
	require.NoError(t, err)
	require.Equal(t, []string{"b", "a"}, names)
	names, err = d.Names("nobody")
	require.NoError(t, err)
	require.Empty(t, names)
	_, err = d.Names("z", "a")
	require.EqualError(t, err, `line 1, column 21: "a" must be an object`)
}
