// Manpages writes the manual pages of turnwire (section 1) into a folder:
//
//	go run ./internal/app/cli/manpages FOLDER
//
// It is a separate program, so that turnwire doesn't contain the formatter. The date on
// the pages is SOURCE_DATE_EPOCH if set, or else today.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra/doc"

	"github.com/turnwire/turnwire/internal/app/cli"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "manpages:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) != 1 {
		return errors.New("name the one folder to write to")
	}
	root := cli.Command()
	root.InitDefaultCompletionCmd()
	root.DisableAutoGenTag = true // each page has the date in its header
	return doc.GenManTree(root, &doc.GenManHeader{Title: "TURNWIRE", Section: "1", Source: "Turnwire", Manual: "Turnwire"}, args[0])
}
