package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/setup"
	"github.com/turnwire/turnwire/internal/app/setup/service"
	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/internal/app/tokens"
	"github.com/turnwire/turnwire/internal/lazyregexp"
)

// chatAddress is the default server address for VS Code's built-in chat. It is an IP
// address, because a host name could resolve to others as well.
const chatAddress = "127.0.0.1:7777"

// ahpPath is the path of the Agent Host Protocol endpoint.
const ahpPath = "/ahp"

// tokenToCome is a placeholder for a token that is created after the user agrees.
const tokenToCome = "(a new token)"

// tokenSetting matches a token in settings.
var tokenSetting = lazyregexp.New(`("connectionToken"\s*:\s*")((?:[^"\\]|\\.)*)`)

// hideTokens returns the change with its tokens hidden. Others may see the screen, or a
// recording of it.
func hideTokens(c setup.Change) setup.Change {
	hide := func(text []byte) []byte {
		if text == nil {
			return nil
		}
		return tokenSetting().ReplaceAllFunc(text, func(found []byte) []byte {
			parts := tokenSetting().FindSubmatch(found)
			if string(parts[2]) == tokenToCome {
				return found
			}
			return append(slices.Clone(parts[1]), "…"...)
		})
	}
	c.Before, c.After = hide(c.Before), hide(c.After)
	return c
}

// tokenName returns the name for an editor's token.
func tokenName(f setup.File) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(f.Title), func(r rune) bool { return r < 'a' || r > 'z' }), "-")
}

// checkChat returns an error if --chat conflicts with other flags.
func (o *setupOptions) checkChat(editor setup.Editor, command bool) error {
	switch {
	case !o.chat && o.listen != "":
		return usagef("--listen needs --chat")
	case !o.chat:
		return nil
	case editor.Name != "vscode":
		return usagef("--chat is only for VS Code: turnwire setup vscode --chat")
	case command || o.agent.name != "" || o.agent.url != "":
		return usagef("--chat shows all named agents; add one with \"turnwire agents add\"")
	}
	if o.listen == "" {
		o.listen = chatAddress
	}
	if _, port, err := net.SplitHostPort(o.listen); err != nil || port == "0" {
		return usagef("--listen %q: must be HOST:PORT, such as %s", o.listen, chatAddress)
	}
	return o.checkListen()
}

// offerChat prints a hint about --chat if VS Code supports it.
func (s *session) offerChat(files []setup.File) {
	for _, f := range files {
		if can, sure := f.Host(); can && sure && !s.remove {
			fmt.Fprintf(s.out, "%s %s can also show your agents in its own chat: turnwire setup vscode --chat\n", f.Title, f.Version)
		}
	}
}

// A chatSetup is one run of "turnwire setup vscode --chat".
type chatSetup struct {
	session
	host   setup.Host // without a token
	tokens *tokens.Store
}

// setupChat adds or removes the settings of VS Code's built-in chat.
func (o *setupOptions) setupChat(cmd *cobra.Command, editor setup.Editor) error {
	machine, err := setup.ThisMachine()
	if err != nil {
		return err
	}
	store, err := tokenStore()
	if err != nil {
		return err
	}
	t := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	c := chatSetup{
		session: session{
			editor: editor, remove: o.remove, yes: o.yes,
			in: cmd.InOrStdin(), out: cmd.OutOrStdout(), errors: cmd.ErrOrStderr(),
			paint: paint(t.Colour), interactive: t.Interactive, home: machine.Home,
		},
		host:   setup.Host{Name: o.name, Address: "ws://" + o.listen + ahpPath},
		tokens: store,
	}
	if c.host.Name == "" {
		c.host.Name = setup.DefaultName
	}
	files, err := c.files(machine)
	switch {
	case err != nil:
		return err
	case o.remove:
		return c.takeOut(cmd, files)
	case o.print:
		return c.printHost(files)
	}
	if err := c.add(cmd, files); err != nil {
		return err
	}
	return o.serveChat(cmd, machine)
}

// serveChat offers to install the service. On a system without a service manager, it
// prints how to start the server by hand.
func (o *setupOptions) serveChat(cmd *cobra.Command, m setup.Machine) error {
	err := errNothingChanged
	if _, known := service.For(m, nil); known == nil {
		err = o.service(cmd)
	}
	if errors.Is(err, errNothingChanged) {
		fmt.Fprintf(cmd.OutOrStdout(), "The agents come from a server that you start yourself:\n  turnwire serve --listen %s --auth token\n", o.listen)
		return nil
	}
	return err
}

// files returns the settings files of each VS Code whose chat can show agents.
func (c *chatSetup) files(m setup.Machine) ([]setup.File, error) {
	var files []setup.File
	var old []string
	for _, f := range c.editor.Files(m) {
		switch can, sure := f.Host(); {
		case can && !sure && !c.remove:
			c.warn("%s: unknown version; it must be %s or later", f.Title, setup.HostsSince)
			fallthrough
		case can:
			files = append(files, f)
		default:
			old = append(old, strings.TrimSpace(f.Title+" "+f.Version))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("VS Code shows other agents in its chat since version %s, but this is %s: turnwire setup vscode sets up the Turnwire extension", setup.HostsSince, strings.Join(old, ", "))
	}
	return files, nil
}

// printHost prints only the settings to stdout; hints go to stderr.
func (c *chatSetup) printHost(files []setup.File) error {
	c.host.Token = "TOKEN"
	text, err := setup.PrintHost(c.host)
	if err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintf(c.errors, "For %s, into %s:\n", f.Title, f.Path)
	}
	fmt.Fprintln(c.errors, "Replace TOKEN with the output of: turnwire token create "+tokenName(files[0]))
	_, err = c.out.Write(text)
	return err
}

// add writes the settings if the user agrees, with a token for each file.
func (c *chatSetup) add(cmd *cobra.Command, files []setup.File) error {
	var wanted []setup.File
	for _, f := range files {
		there, err := c.works(f)
		if err != nil {
			return err
		}
		if there {
			fmt.Fprintf(c.out, "%s %s: its chat has “%s” at %s\n", c.paint.good("✓"), f.Title, c.host.Name, c.host.Address)
			continue
		}
		shown := c.host
		shown.Token = tokenToCome
		change, err := f.PutHost(shown)
		if err != nil {
			return err
		}
		showChange(c.out, c.paint, hideTokens(change), c.short(f.Path))
		wanted = append(wanted, f)
	}
	if len(wanted) == 0 {
		return nil
	}
	c.warn("Keep the token secret: anyone who has it can run agents, and so programs, as you.")
	c.warn("If you use Settings Sync, add chat.remoteAgentHosts to settingsSync.ignoredSettings, so that the token is not synced.")
	if err := c.confirm(len(wanted)); err != nil {
		return err
	}
	unlock, err := lockSettings(cmd.Context())
	if err != nil {
		return err
	}
	defer unlock()
	for _, f := range wanted {
		if err := c.write(f); err != nil {
			return err
		}
	}
	fmt.Fprintln(c.out, "Restart VS Code while the server is running, and its chat shows the agents.")
	fmt.Fprintln(c.out, "To check that everything works: turnwire doctor vscode")
	return nil
}

// works reports whether the file has the host already, with a valid token and the setting
// that enables it.
func (c *chatSetup) works(f setup.File) (bool, error) {
	hosts, err := f.Hosts()
	if err != nil {
		return false, err
	}
	for _, h := range hosts {
		if h.Name == c.host.Name && h.Address == c.host.Address {
			change, err := f.PutHost(h) // includes the other setting
			if _, known := c.tokens.Known(slog.New(slog.DiscardHandler)).Find(h.Token); known && err == nil && change.None() {
				return true, nil
			}
		}
	}
	return false, nil
}

// write creates a token and writes it into a file. It revokes the tokens of the entries
// that it replaces.
func (c *chatSetup) write(f setup.File) (err error) {
	hosts, err := f.Hosts()
	if err != nil {
		return err
	}
	h := c.host
	name, text, err := c.createToken(tokenName(f))
	if err != nil {
		return err
	}
	h.Token = text
	change, err := f.PutHost(h)
	var backup string
	if err == nil {
		backup, err = change.Apply()
	}
	if err != nil {
		return errors.Join(err, c.tokens.Revoke(name))
	}
	for _, old := range hosts {
		if old.Name == h.Name {
			if err := c.revoke(old.Token); err != nil {
				return err
			}
		}
	}
	c.report(change, backup)
	fmt.Fprintf(c.out, "  its token is named %s: turnwire token revoke %s\n", name, name)
	return nil
}

// createToken creates a token called name, or name and a number if that is taken.
func (c *chatSetup) createToken(name string) (called, text string, err error) {
	called = name
	for n := 2; ; n++ {
		text, err = c.tokens.Create(called, 0)
		if !errors.Is(err, tokens.ErrTaken) {
			return called, text, err
		}
		called = fmt.Sprintf("%s-%d", name, n)
	}
}

// revoke revokes a token if it is one of ours.
func (c *chatSetup) revoke(text string) error {
	name, known := c.tokens.Known(slog.New(slog.DiscardHandler)).Find(text)
	if !known {
		return nil
	}
	return c.tokens.Revoke(name)
}

// takeOut removes the settings and revokes their tokens.
func (c *chatSetup) takeOut(cmd *cobra.Command, files []setup.File) error {
	var changes []setup.Change
	var old []string
	for _, f := range files {
		change, h, err := f.DropHost(c.host.Name)
		if err != nil {
			return err
		}
		if change.None() {
			fmt.Fprintf(c.out, "%s %s: “%s” is not in its chat %s\n", c.paint.good("✓"), f.Title, c.host.Name, c.paint.dim("("+c.short(f.Path)+")"))
			continue
		}
		showChange(c.out, c.paint, hideTokens(change), c.short(f.Path))
		changes, old = append(changes, change), append(old, h.Token)
	}
	if len(changes) == 0 {
		return nil
	}
	if err := c.confirm(len(changes)); err != nil {
		return err
	}
	if err := c.apply(cmd.Context(), changes); err != nil {
		return err
	}
	for _, token := range old {
		if err := c.revoke(token); err != nil {
			return err
		}
	}
	fmt.Fprintln(c.out, "Its token was revoked. To remove the server: turnwire setup serve --remove")
	return nil
}
