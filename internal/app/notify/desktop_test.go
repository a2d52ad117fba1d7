package notify

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

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
	require.Equal(t, []string{"TURNWIRE_TITLE=" + title, "TURNWIRE_TEXT=" + evil, "TURNWIRE_PAGE="}, windows.Env)
	require.NotContains(t, strings.Join(windows.Args, " "), "reboot")
}

func TestADesktopThatCannotNotifyIsNotAskedAgain(t *testing.T) {
	calls := 0
	d := desktop{run: func(context.Context, Command) (string, error) { calls++; return "", errors.New("no display") }}
	err := d.send(t.Context(), Message{Event: config.NotifyEnded})
	require.ErrorIs(t, err, errRefused)
	require.EqualError(t, err, "refused: no display")
	require.Equal(t, 1, calls)
	_, err = run(t.Context(), Command{Name: "turnwire-no-such-program"})
	require.EqualError(t, err, "turnwire-no-such-program is not installed")
}

// A played desktop answers commands as a test wants.
func playedDesktop(t *testing.T, run Runner) desktop {
	var work sync.WaitGroup
	t.Cleanup(work.Wait)
	return desktop{run: run, system: "linux", ctx: t.Context(), start: work.Go, open: make(chan struct{}, 1), log: slog.New(slog.DiscardHandler)}
}

var waits = Message{Event: config.NotifyWaits, Request: permission, Agent: "tea", Session: "s 1", Page: pageOf("https://own.example/", "s 1"), Attach: "turnwire attach s1"}

func TestAClickOnTheDesktopOpensTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		click := make(chan struct{})
		var ran []string
		d := playedDesktop(t, func(_ context.Context, c Command) (string, error) {
			ran = append(ran, c.Name+" "+c.Args[0])
			if c.Name == "notify-send" && len(ran) == 1 {
				<-click
			}
			return "default\n", nil
		})
		require.NoError(t, d.send(t.Context(), waits))
		synctest.Wait()
		require.Equal(t, []string{"notify-send --action=default=Open"}, ran, "it waits for a click")
		require.NoError(t, d.send(t.Context(), waits))
		require.Equal(t, "notify-send --app-name=Turnwire", ran[1], "too many wait")
		close(click)
		synctest.Wait()
		require.Equal(t, []string{"xdg-open https://own.example/#session=s+1"}, ran[2:])
	})
}

func TestAnOldDesktopShowsNotificationsWithoutALink(t *testing.T) {
	var ran []string
	d := playedDesktop(t, func(_ context.Context, c Command) (string, error) {
		ran = append(ran, c.Args[0])
		if strings.HasPrefix(c.Args[0], "--action") {
			return "", errors.New("unknown option")
		}
		return "", nil
	})
	require.NoError(t, d.send(t.Context(), waits))
	require.Equal(t, []string{"--action=default=Open", "--app-name=Turnwire"}, ran)
}

func TestTheDesktopSaysHowToReachASessionWithoutALink(t *testing.T) {
	text := func(system string, m Message) string {
		c := desktopCommand(system, m)
		return c.Args[len(c.Args)-1] + strings.Join(c.Env, "|")
	}
	require.Equal(t, "Session s 1", text("linux", waits))
	require.Equal(t, "Session s 1\nturnwire attach s1", text("darwin", waits), "a click can't open anything there")
	require.Contains(t, text("windows", waits), "TURNWIRE_TEXT=Session s 1|TURNWIRE_PAGE=https://own.example/#session=s+1")
	alone := waits
	alone.Page = ""
	require.Equal(t, "Session s 1\nturnwire attach s1", text("linux", alone))
}

func TestALineIsShortAndPlain(t *testing.T) {
	require.Equal(t, `a b \x1b[31m\u202e`, line(" a\n\tb \x1b[31m\u202e "))
	long := line(strings.Repeat("é", 1<<20))
	require.Equal(t, strings.Repeat("é", maxLine-1)+"…", long)
	require.Equal(t, "aé", line("aé\xff"))
}
