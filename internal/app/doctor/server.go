package doctor

import "context"

// server checks the configured server.
func (x *examination) server(ctx context.Context) {
	where, err := x.Server(ctx)
	if err != nil {
		x.report(Failed, "server", where+": "+err.Error(), `Start it with turnwire serve, from each login on with turnwire setup serve; or take "server" out of your turnwire.json.`)
		return
	}
	x.report(OK, "server", where+": it answers", "")
}
