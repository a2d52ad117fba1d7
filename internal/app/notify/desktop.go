package notify

import (
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// A Command shows a notification on the desktop. The text of the notification is only in
// arguments and variables, never in code.
type Command struct {
	Name string
	Args []string
	Env  []string // added to the environment
}

// A Runner runs a command until it ends, or until ctx is done.
type Runner func(ctx context.Context, c Command) error

// desktop returns a function that shows notifications on this machine's desktop.
func desktop(run Runner) func(context.Context, Message) error {
	return func(ctx context.Context, m Message) error {
		if err := run(ctx, desktopCommand(runtime.GOOS, m)); err != nil {
			return fmt.Errorf("%w: %w", errRefused, err) // the next attempt would fail, too
		}
		return nil
	}
}

const (
	// appleScript shows the notification whose title and text are its arguments.
	appleScript = `on run argv
display notification (item 2 of argv) with title (item 1 of argv)
end run`
	// toastScript shows the notification whose title and text are in variables. Only
	// registered programs may show one, so it uses PowerShell's registration.
	toastScript = `$ErrorActionPreference = 'Stop'
$manager = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$xml = $manager::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType, Windows.UI.Notifications, ContentType = WindowsRuntime]::ToastText02)
$lines = $xml.GetElementsByTagName('text')
[void]$lines.Item(0).AppendChild($xml.CreateTextNode($env:TURNWIRE_TITLE))
[void]$lines.Item(1).AppendChild($xml.CreateTextNode($env:TURNWIRE_TEXT))
$toast = [Windows.UI.Notifications.ToastNotification, Windows.UI.Notifications, ContentType = WindowsRuntime]::new($xml)
$manager::CreateToastNotifier('{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe').Show($toast)`
)

// desktopCommand returns the command that shows a notification on an operating system.
func desktopCommand(system string, m Message) Command {
	title, text := m.headline(), m.detail()
	switch system {
	case "darwin":
		return Command{Name: "osascript", Args: []string{"-e", appleScript, title, text}}
	case "windows":
		return Command{
			Name: "powershell.exe",
			Args: []string{"-NoProfile", "-NonInteractive", "-Command", toastScript},
			Env:  []string{"TURNWIRE_TITLE=" + title, "TURNWIRE_TEXT=" + text},
		}
	}
	return Command{Name: "notify-send", Args: []string{"--app-name=Turnwire", "--", title, html.EscapeString(text)}} // the text is markup
}

// run is the default [Runner].
func run(ctx context.Context, c Command) error {
	cmd := exec.CommandContext(ctx, c.Name, c.Args...)
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%s is not installed", c.Name)
	}
	return err
}
