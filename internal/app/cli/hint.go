package cli

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/turnwire/turnwire/internal/suggest"
)

// meant returns a question with the command that args were probably meant to be, or "".
func meant(args []string) string {
	names := make([]string, 0, len(commands))
	for _, c := range commands {
		names = append(names, c.name)
	}
	if hint := suggest.Hint(args[0], names); hint != "" {
		return hint
	}
	return forgottenDash("run", args)
}

// forgottenDash returns a question if args are probably the command line of an agent
// that lacks the "--" before it, or "".
func forgottenDash(command string, args []string) string {
	if strings.ContainsAny(args[0], " \t\n") {
		return ""
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return ""
	}
	return fmt.Sprintf("; did you mean \"turnwire %s -- %s\"?", command, strings.Join(args, " "))
}

// explainFlag adds what to write instead to an error about a flag.
func explainFlag(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if name := suggest.Of(unknown.GetSpecifiedName(), names); name != "" {
			return usagef("%w; did you mean --%s?", err, name)
		}
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok && invalid.GetFlag().Value.Type() == "duration" {
		return usagef("--%s %q: must be a time with a unit, such as 5s", invalid.GetFlag().Name, invalid.GetValue())
	}
	return exitError{exitUsage, err}
}
