package main

import "context"

// A subject is a row of the page: an agent or a client.
type subject struct {
	name    string
	install install
	why     string // why it can't be run
	run     func(ctx context.Context, l *lab, name string, cells map[string]cell) error
}

func subjects() []subject {
	var list []subject
	for _, a := range agents {
		list = append(list, subject{a.name, a.install, a.why, a.run})
	}
	for _, c := range clients {
		list = append(list, subject{c.name, c.install, "", c.run})
	}
	return list
}
