package notify

import (
	"context"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A Command shows a notification on the desktop. The text of the notification is only in
// arguments and variables, never in code.
type Command struct {
	Name string
	Args []string
	Env  []string // added to the environment
}

// A Runner runs a command until it ends, or until ctx is done, and returns its output.
type Runner func(ctx context.Context, c Command) (output string, err error)

const (
	// maxOpen limits how many notifications wait for a click.
	maxOpen = 16
	// failTime is how long a command that waits for a click may take to fail.
	failTime = 2 * time.Second
)

// A desktop shows notifications on this machine's desktop.
type desktop struct {
	run    Runner
	system string          // as in [runtime.GOOS]
	ctx    context.Context // done when the notifier closes
	start  func(func())
	open   chan struct{} // one for each notification that waits for a click
	log    *slog.Logger
}

// send shows a notification. A click leads to the session on the server's page, if the
// desktop can do that.
func (d desktop) send(ctx context.Context, m Message) error {
	if d.system == "linux" && m.Page != "" && m.Event != testEvent && d.sendLinked(ctx, m) {
		return nil
	}
	if _, err := d.run(ctx, desktopCommand(d.system, m)); err != nil {
		return fmt.Errorf("%w: %w", errRefused, err) // the next attempt would fail, too
	}
	return nil
}

// sendLinked shows a notification whose command runs until the user closes or clicks it. It
// returns false if that can't be done, such as with an old notify-send.
func (d desktop) sendLinked(ctx context.Context, m Message) bool {
	select {
	case d.open <- struct{}{}:
	default:
		return false
	}
	failed := make(chan error, 1)
	d.start(func() {
		defer func() { <-d.open }()
		c := desktopCommand(d.system, m)
		c.Args = append([]string{"--action=default=Open"}, c.Args...)
		clicked, err := d.run(d.ctx, c)
		failed <- err
		if err != nil || strings.TrimSpace(clicked) != "default" {
			return
		}
		if _, err := d.run(d.ctx, Command{Name: "xdg-open", Args: []string{m.Page}}); err != nil {
			d.log.Warn("the page can't be opened", "error", err)
		}
	})
	timer := time.NewTimer(failTime)
	defer timer.Stop()
	select {
	case err := <-failed:
		return err == nil
	case <-timer.C:
	case <-ctx.Done():
	}
	return true
}

const (
	// appleScript shows the notification whose title and text are its arguments.
	appleScript = `on run argv
display notification (item 2 of argv) with title (item 1 of argv)
end run`
	// toastScript shows the notification whose title and text are in variables. A click
	// opens the page. Only registered programs may show one, so it uses PowerShell's registration.
	toastScript = `$ErrorActionPreference = 'Stop'
$manager = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$xml = $manager::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType, Windows.UI.Notifications, ContentType = WindowsRuntime]::ToastText02)
$lines = $xml.GetElementsByTagName('text')
[void]$lines.Item(0).AppendChild($xml.CreateTextNode($env:TURNWIRE_TITLE))
[void]$lines.Item(1).AppendChild($xml.CreateTextNode($env:TURNWIRE_TEXT))
if ($env:TURNWIRE_PAGE) {
  $xml.DocumentElement.SetAttribute('activationType', 'protocol')
  $xml.DocumentElement.SetAttribute('launch', $env:TURNWIRE_PAGE)
}
$toast = [Windows.UI.Notifications.ToastNotification, Windows.UI.Notifications, ContentType = WindowsRuntime]::new($xml)
$manager::CreateToastNotifier('{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe').Show($toast)`
)

// desktopCommand returns the command that shows a notification on an operating system. If a
// click can't lead to the session, the text says how to get there.
func desktopCommand(system string, m Message) Command {
	title, text := m.headline(), m.detail()
	if m.Attach != "" && (m.Page == "" || system == "darwin") {
		text += "\n" + m.Attach
	}
	switch system {
	case "darwin":
		return Command{Name: "osascript", Args: []string{"-e", appleScript, title, text}}
	case "windows":
		return Command{
			Name: "powershell.exe",
			Args: []string{"-NoProfile", "-NonInteractive", "-Command", toastScript},
			Env:  []string{"TURNWIRE_TITLE=" + title, "TURNWIRE_TEXT=" + text, "TURNWIRE_PAGE=" + m.Page},
		}
	}
	return Command{Name: "notify-send", Args: []string{"--app-name=Turnwire", "--", title, html.EscapeString(text)}} // the text is markup
}

// run is the default [Runner].
func run(ctx context.Context, c Command) (string, error) {
	cmd := exec.CommandContext(ctx, c.Name, c.Args...)
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.WaitDelay = time.Second
	output, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("%s is not installed", c.Name)
	}
	return string(output), err
}
