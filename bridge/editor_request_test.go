package bridge_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

const editorThings = `{"fs":{"readTextFile":true},"terminal":true}`

func TestACancelWithdrawsRequestsToTheEditor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := questioned(t, editorThings, `{"type":"editor_request","requestId":"r","action":"read_file","path":"a"}`)
		e.expectLike(`"fs/read_text_file"`, `"id":1`)
		e.write(cancelS1)
		s.expect(`{"type":"cancel"}`)
		s.expect(`{"type":"editor_response","requestId":"r","ok":false,"error":"the turn was cancelled or has ended"}`)
		e.expect(`{"method":"$/cancel_request","params":{"requestId":1}}`)
		e.answer(1, `{"content":"too late"}`)
		s.say(`{"type":"editor_request","requestId":"s","action":"read_file","path":"a"}`)
		s.expect(`{"type":"editor_response","requestId":"s","ok":false}`)
		s.say(done)
		e.stopped(`"p"`, "cancelled")
	})
}

func TestRequestsToTheEditorNeedARunningTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, editorThings)
		s.say(`{"type":"editor_request","requestId":"r","action":"read_file","path":"a"}`)
		s.expect(`{"type":"editor_response","requestId":"r","ok":false,"error":"no turn is running"}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(`{"type":"editor_request","requestId":"r","action":"read_file","path":"a","turnId":"turn-0"}`)
		s.expect(`{"type":"editor_response","requestId":"r","ok":false,"error":"it belongs to an ended turn"}`)
		s.say(`{"type":"editor_request","requestId":"w","action":"wait_for_terminal","terminalId":"t"}`)
		s.expect(`{"type":"editor_response","requestId":"w","ok":false,"error":"unknown terminal"}`)
		s.say(done)
		e.stopped(`"p"`, "end_turn")
	})
}

func TestEditorRequestsWithTheSameIDAreBothRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := questioned(t, editorThings, `{"type":"editor_request","requestId":"r","action":"read_file","path":"a"}`)
		e.expectLike(`"fs/read_text_file"`)
		s.say(`{"type":"editor_request","requestId":"r","action":"read_file","path":"b"}`)
		s.expect(`{"type":"editor_response","requestId":"r","ok":false}`)
		s.expect(`{"type":"editor_response","requestId":"r","ok":false}`)
		e.expect(`{"method":"$/cancel_request","params":{"requestId":1}}`)
		s.say(done)
		e.stopped(`"p"`, "end_turn")
	})
}

func TestTerminalsLeftByTheAgentAreReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := questioned(t, editorThings, `{"type":"editor_request","requestId":"r","action":"create_terminal","command":"ls"}`)
		e.expectLike(`"terminal/create"`)
		e.answer(1, `{"terminalId":"T"}`)
		s.expect(`{"type":"editor_response","requestId":"r","ok":true,"terminalId":"T"}`)
		s.say(done)
		e.stopped(`"p"`, "end_turn")
		e.request("9", "session/close", `{"sessionId":"S1"}`)
		e.expectLike(`"terminal/release"`, `"T"`)
		e.expect(`{"id":9,"result":{}}`)
	})
}

// Commands in terminals are stopped after a cancel, too.
func TestATerminalIsKilledAndReleasedAfterACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := questioned(t, editorThings, `{"type":"editor_request","requestId":"r","action":"create_terminal","command":"ls"}`)
		e.expectLike(`"terminal/create"`)
		e.answer(1, `{"terminalId":"T"}`)
		s.expect(`{"type":"editor_response","requestId":"r","ok":true,"terminalId":"T"}`)
		s.say(`{"type":"editor_request","requestId":"w","action":"wait_for_terminal","terminalId":"T"}`)
		e.expectLike(`"terminal/wait_for_exit"`)
		e.write(cancelS1)
		s.expect(`{"type":"cancel"}`)
		s.expect(`{"type":"editor_response","requestId":"w","ok":false}`)
		e.expect(`{"method":"$/cancel_request","params":{"requestId":2}}`)
		s.say(`{"type":"editor_request","requestId":"k","action":"kill_terminal","terminalId":"T"}`)
		e.expectLike(`"terminal/kill"`, `"T"`)
		e.answer(3, `{}`)
		s.expect(`{"type":"editor_response","requestId":"k","ok":true}`)
		s.say(`{"type":"editor_request","requestId":"f","action":"release_terminal","terminalId":"T"}`, done)
		e.expectLike(`"terminal/release"`, `"T"`)
		s.expect(`{"type":"editor_response","requestId":"f","ok":false}`)
		e.stopped(`"p"`, "cancelled") // without waiting for a release of the terminal
	})
}

func TestATerminalIsReleasedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := questioned(t, editorThings, `{"type":"editor_request","requestId":"r","action":"create_terminal","command":"ls"}`)
		e.expectLike(`"terminal/create"`)
		e.answer(1, `{"terminalId":"T"}`)
		s.expect(`{"type":"editor_response","requestId":"r","ok":true,"terminalId":"T"}`)
		s.say(`{"type":"editor_request","requestId":"f","action":"release_terminal","terminalId":"T"}`)
		e.expectLike(`"terminal/release"`, `"T"`)
		e.write(`{"jsonrpc":"2.0","id":2,"result":{}}` + "\n" + call("9", "session/close", `{"sessionId":"S1"}`))
		require.NotContains(t, strings.Join(e.until("9"), "\n"), `"terminal/release"`)
	})
}

func TestATerminalCreatedAfterACancelIsReleased(t *testing.T) {
	create := `{"type":"editor_request","requestId":"r","action":"create_terminal","command":"sleep"}`
	t.Run("in an open session", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e, s := questioned(t, editorThings, create)
			e.expectLike(`"terminal/create"`)
			e.write(cancelS1)
			s.expect(`{"type":"cancel"}`)
			s.expect(`{"type":"editor_response","requestId":"r","ok":false}`)
			e.expect(`{"method":"$/cancel_request","params":{"requestId":1}}`)
			s.say(done)
			e.stopped(`"p"`, "cancelled")
			e.answer(1, `{"terminalId":"T"}`)
			e.expectLike(`"terminal/release"`, `"T"`)
		})
	})
	t.Run("just before the session is closed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e, _ := questioned(t, editorThings, create)
			e.expectLike(`"terminal/create"`)
			e.write(cancelS1 + `{"jsonrpc":"2.0","id":1,"result":{"terminalId":"T"}}` + "\n" + call("9", "session/close", `{"sessionId":"S1"}`))
			require.Contains(t, strings.Join(e.until("9"), "\n"), `"terminal/release"`)
		})
	})
	t.Run("after the session is closed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e, _ := questioned(t, editorThings, create)
			e.expectLike(`"terminal/create"`)
			e.request("9", "session/close", `{"sessionId":"S1"}`)
			e.until("9")
			e.answer(1, `{"terminalId":"T"}`)
			e.expectLike(`"terminal/release"`, `"T"`)
		})
	})
	t.Run("unless the editor refuses", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e, s := questioned(t, editorThings, create)
			e.expectLike(`"terminal/create"`)
			e.write(cancelS1)
			s.expect(`{"type":"cancel"}`)
			s.expect(`{"type":"editor_response","requestId":"r","ok":false}`)
			e.expect(`{"method":"$/cancel_request","params":{"requestId":1}}`)
			s.say(done)
			e.stopped(`"p"`, "cancelled")
			e.write(`{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"cancelled"}}` + "\n")
			e.request("9", "session/close", `{"sessionId":"S1"}`)
			e.expect(`{"id":9,"result":{}}`)
		})
	})
}
