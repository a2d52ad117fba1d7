package relay

import (
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A plainView writes what it is shown to a stream, and asks nobody.
type plainView struct{ stream *protocol.Stream }

func (v plainView) Chunks(*core.Frame, []byte, []int) error  { return nil }
func (v plainView) Update(string, v1.Update, v1.Times) error { return nil }
func (v plainView) Relay(n core.Notification) error          { return v.stream.AppendUnless(n.Gate, n.Line) }
func (v plainView) Send(n core.Notification)                 { _ = v.stream.Send(n.Line) }
func (v plainView) Request(a *core.Request) error {
	return v.stream.Send(rawmsg.Request([]byte("1"), a.Method, a.Params))
}
func (v plainView) Withdraw(*core.Request) {}
func (v plainView) Forget(*core.Request)   {}
func (v plainView) AwaitRoom()             { v.stream.AwaitRoom() }
func (v plainView) Flush()                 { v.stream.Flush() }

// call returns a call whose answer is written with an id.
func (v plainView) call(id, method string) *core.Call {
	return core.NewCall(method, nil, func(_ *core.Call, result []byte, err error) {
		if err != nil {
			_ = v.stream.Send(rawmsg.Response([]byte(id), rawmsg.Error, core.Wire(err)))
			return
		}
		_ = v.stream.Send(rawmsg.Response([]byte(id), rawmsg.Result, result))
	})
}
