package doctor

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/config"
)

// A launch is the agent described by turnwire's arguments.
type launch struct {
	agent, url, config string
	command            []string
}

func parseArgs(args []string) launch {
	var l launch
	if end := slices.Index(args, "--"); end >= 0 {
		args, l.command = args[:end], args[end+1:]
	}
	for i, arg := range args {
		flag, value, joined := strings.Cut(arg, "=")
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		switch flag {
		case "--agent", "-a":
			l.agent = value
		case "--url":
			l.url = value
		case "--config":
			l.config = value
		}
	}
	return l
}

// embedded is the name of the default agent.
const embedded = "workspace"

// entry returns the catalogue's entry for the launched agent, or an error if there is no
// such agent.
func (x *examination) entry(l launch) (agents.Entry, error) {
	name := l.agent
	if name == "" && len(l.command) > 0 {
		return agents.Entry{Name: l.command[0], Config: config.Agent{Type: config.TypeProcess, Command: l.command[0], Args: l.command[1:]}}, nil
	}
	if name == "" {
		name = embedded
	}
	catalogue := x.catalogue
	if l.config != "" && l.config != x.Places.Own {
		var err error
		if catalogue, err = agents.Load(config.Places{Own: l.config, Must: true}); err != nil {
			return agents.Entry{}, err
		}
	}
	for _, e := range catalogue.Entries() {
		if e.Name != name {
			continue
		}
		if l.url != "" {
			e.Config.URL = l.url
			switch e.Config.Type {
			case config.TypeEthos:
				e.Config.Type = config.TypeEthosWeb
			case config.TypeACP:
				e.Config.Type = config.TypeACPRemote
			}
		}
		if len(l.command) > 0 {
			e.Known, e.Config.Command, e.Config.Args = nil, l.command[0], l.command[1:]
		}
		return e, nil
	}
	return agents.Entry{}, fmt.Errorf("none of your configuration files names the agent %s", name)
}

// redacted removes secrets from arguments: the values of headers, and parts of URLs.
func redacted(args []string) []string {
	hide := map[string]func(string) string{"--header": headerName, "--url": address}
	shown := slices.Clone(args)
	for i := 0; i < len(shown) && shown[i] != "--"; i++ {
		flag, value, joined := strings.Cut(shown[i], "=")
		switch without := hide[flag]; {
		case without == nil:
		case joined:
			shown[i] = flag + "=" + without(value)
		case i+1 < len(shown):
			i++
			shown[i] = without(shown[i])
		}
	}
	return shown
}

// address replaces the user info, query and fragment of a URL with an ellipsis.
func address(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "…"
	}
	if u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return raw
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String() + "…"
}

func headerName(header string) string {
	if name, _, ok := strings.Cut(header, ":"); ok {
		return name + ": …"
	}
	return "…"
}

// flags returns the arguments after the first one, quoted for a shell.
func flags(args []string) string {
	var out strings.Builder
	for _, arg := range redacted(args)[min(1, len(args)):] {
		out.WriteString(" " + quoted(arg))
	}
	return out.String()
}

// quoted quotes a word for a shell.
func quoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
