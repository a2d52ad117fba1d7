package doctor

import "context"

// server checks the configured server.
func (x *examination) server(ctx context.Context) {
	where, err := x.Server(ctx)
	if err != nil {
		x.report(Failed, "server", where+": "+err.Error(), `Start it with turnwire serve, or at each login with turnwire setup serve; or remove "server" from your turnwire.json.`)
		return
	}
	x.report(OK, "server", where+": it responds", "")
}
