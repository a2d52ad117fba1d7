package notify

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/config"
)

// A notification's text is never part of code or markup.
func TestTheDesktopGetsTextAsData(t *testing.T) {
	const evil = `"; $(reboot) <b>'`
	m := Message{Event: config.NotifyWaits, Request: question, Agent: "--icon", Title: evil}
	const title = "Turnwire: --icon asks a question"
	require.Equal(t, Command{
		Name: "notify-send",
		Args: []string{"--app-name=Turnwire", "--", title, `&#34;; $(reboot) &lt;b&gt;&#39;`},
	}, desktopCommand("linux", m))
	require.Equal(t, Command{Name: "osascript", Args: []string{"-e", appleScript, title, evil}}, desktopCommand("darwin", m))
	windows := desktopCommand("windows", m)
	require.Equal(t, "powershell.exe", windows.Name)
	require.Equal(t, []string{"TURNWIRE_TITLE=" + title, "TURNWIRE_TEXT=" + evil}, windows.Env)
	require.NotContains(t, strings.Join(windows.Args, " "), "reboot")
}

func TestADesktopThatCannotNotifyIsNotAskedAgain(t *testing.T) {
	calls := 0
	send := desktop(func(context.Context, Command) error { calls++; return errors.New("no display") })
	err := send(t.Context(), Message{Event: config.NotifyEnded})
	require.ErrorIs(t, err, errRefused)
	require.EqualError(t, err, "refused: no display")
	require.Equal(t, 1, calls)
	require.EqualError(t, run(t.Context(), Command{Name: "turnwire-no-such-program"}), "turnwire-no-such-program is not installed")
}

func TestALineIsShortAndPlain(t *testing.T) {
	require.Equal(t, `a b \x1b[31m\u202e`, line(" a\n\tb \x1b[31m\u202e "))
	long := line(strings.Repeat("é", 1<<20))
	require.Equal(t, strings.Repeat("é", maxLine-1)+"…", long)
	require.Equal(t, "aé", line("aé\xff"))
}
