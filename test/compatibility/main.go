package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

func main() {
	child.RunGuard()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "compatibility:", err)
		os.Exit(1)
	}
}

func run() error {
	only := flag.String("only", "", "run these agents and clients, and take the other rows from earlier runs")
	limit := flag.Duration("limit", 2*time.Minute, "the limit of each step")
	out := flag.String("o", filepath.Join("docs", "compatibility.md"), "write the page to this file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	l, err := openLab(ctx, *limit)
	if err != nil {
		return err
	}
	var names []string
	if *only != "" {
		names = strings.Split(*only, ",")
	}
	if err := l.runAll(ctx, names); err != nil {
		return err
	}
	results, err := l.results()
	return errors.Join(err, os.WriteFile(*out, page(results), 0o644)) //nolint:gosec // a document of the repository
}
