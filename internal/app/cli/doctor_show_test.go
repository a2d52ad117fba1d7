package cli

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/doctor"
)

func TestChartFoldsBesideTheNames(t *testing.T) {
	var out bytes.Buffer
	chart{out: &out, home: "/home/p", width: 40}.Ends([]doctor.Finding{
		{Status: doctor.OK, Name: "日本", Detail: "/home/p/bin/turnwire is the one"},
		{Status: doctor.Failed, Name: "path", Detail: "not there", Advice: "run turnwire setup --replace-all zed"},
	})
	require.Equal(t, `  ✓ 日本            ~/bin/turnwire is
                    the one
  ✗ path            not there
                    → run turnwire setup
                      --replace-all zed

`, out.String())
}

func TestChartContinuesIfTheTerminalIsTooNarrow(t *testing.T) {
	var out bytes.Buffer
	chart{out: &out, width: 30}.Ends([]doctor.Finding{{Status: doctor.OK, Name: "path", Detail: "is longer than what is left"}})
	require.Equal(t, "  ✓ path            is longer than what is left\n\n", out.String())
}

// The name may be that of a program, and the user chose it.
func TestChartShowsNamesWithoutControls(t *testing.T) {
	var out bytes.Buffer
	chart{out: &out}.Ends([]doctor.Finding{
		{Status: doctor.OK, Name: "twenty-letters-and-\x1b[m", Detail: "one"},
		{Status: doctor.OK, Name: "short", Detail: "two"},
	})
	require.Equal(t, `  ✓ twenty-letters-and-�[m  one
  ✓ short                   two

`, out.String())
}

func TestChartErasesALineAndColours(t *testing.T) {
	var out bytes.Buffer
	c := chart{out: &out, paint: true, live: true}
	c.Begins("Program")
	c.Ends([]doctor.Finding{{Status: doctor.Warning, Name: "path", Detail: "odd"}})
	require.Equal(t, "\x1b[1mProgram\x1b[m\n\x1b[2m  … checking (Ctrl-C stops)\x1b[m"+
		"\r\x1b[2K  \x1b[33m!\x1b[m path            odd\n\n", out.String())
}
