//go:build unix && external

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// faulty is an ACP agent with one fault, which its argument names.
const faulty = `
import json, sys
fault = sys.argv[1]
def send(m):
    if fault == "envelope": m.pop("jsonrpc")
    print(json.dumps(m), flush=True)
def reply(i, result): send({"jsonrpc": "2.0", "id": i, "result": result})
def refuse(i, code): send({"jsonrpc": "2.0", "id": i, "error": {"code": code, "message": "no"}})
def update(**u): send({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "other" if fault == "session" else "s", "update": u}})
def text(t): update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": t})
turn, waits = 0, None
def end(stop="end_turn"):
    if fault == "kind": stop = 7
    reply(str(waits) if fault == "id" else waits, {} if fault == "member" else {"stopReason": "stopped" if fault == "value" else stop})
    if fault == "twice": reply(waits, {"stopReason": stop})
    if fault == "late": text("late")
for line in sys.stdin:
    try: m = json.loads(line)
    except ValueError:
        if fault == "dies": sys.exit(1)
        if fault != "parse": refuse(None, -32700)
        continue
    method, i = m.get("method"), m.get("id")
    if method == "initialize":
        logins = [{"type": "terminal", "id": "t", "name": "T", "args": []}] if fault == "terminal" else []
        reply(i, {"protocolVersion": 2 if fault == "version" else 1, "authMethods": logins})
    elif method == "session/new":
        if fault == "login": refuse(i, -32000)
        elif fault == "refused": refuse(i, -32603)
        elif fault == "boolean": reply(i, {"sessionId": "s", "configOptions": [{"type": "boolean", "id": "b", "name": "B", "currentValue": True}]})
        else: reply(i, {"sessionId": "s"})
    elif method == "session/prompt":
        if m["params"]["sessionId"] != "s" and fault != "any-session":
            refuse(i, -32602)
            continue
        turn, waits = turn + 1, i
        if fault == "silent": continue
        if fault == "fs": send({"jsonrpc": "2.0", "id": 50, "method": "fs/read_text_file", "params": {"sessionId": "s", "path": "/a"}})
        if fault == "print": print("got a prompt", flush=True)
        text("hello")
        if fault == "order": update(sessionUpdate="tool_call_update", toolCallId="c", status="completed")
        else:
            update(sessionUpdate="tool_call", toolCallId="c", title="Try", status="pending")
            option = {"optionId": "a", "name": "Allow", "kind": "allow_once"}
            send({"jsonrpc": "2.0", "id": 100 + turn, "method": "session/ask" if fault == "method" else "session/request_permission",
                  "params": {"sessionId": "s", "toolCall": {"toolCallId": "c"}, "options": [option, option] if fault == "options" else [option, {"optionId": "r", "name": "No", "kind": "reject_once"}]}})
            continue
        end()
    elif method == "session/cancel":
        if fault == "cancel": waits = None
        else:
            update(sessionUpdate="tool_call_update", toolCallId="c", status="failed")
            end("end_turn" if fault == "unsaid" else "cancelled")
            waits = None
    elif method is None:
        if waits is None or i == 50: continue
        if fault != "open": update(sessionUpdate="tool_call_update", toolCallId="c", status="completed")
        end()
    elif i is not None:
        if fault == "found": reply(i, {})
        else: refuse(i, -32601)
if fault == "code": sys.exit(3)
`

func TestCheckFindsMistakesOfACPAgents(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "faulty.py")
	require.NoError(t, os.WriteFile(script, []byte(faulty), 0o600))
	for fault, want := range map[string]string{
		"envelope": "acp-envelope", "member": "acp-schema", "kind": "acp-schema", "value": "acp-unknown-value", "id": "acp-unasked-answer",
		"twice": "acp-unasked-answer", "late": "acp-late-update", "dies": "acp-bad-line", "parse": "acp-parse-error", "version": "acp-version",
		"login": "acp-login", "refused": "acp-refused", "any-session": "acp-session-unknown", "silent": "acp-no-answer", "print": "not-json",
		"session": "acp-session-id", "order": "acp-update-order", "method": "acp-unknown-method", "options": "acp-options", "cancel": "acp-cancel-ignored",
		"unsaid": "acp-cancel-unsaid", "open": "acp-call-not-ended", "found": "acp-method-not-found", "code": "bad-exit",
		"fs": "acp-not-offered", "terminal": "acp-not-offered", "boolean": "acp-not-offered",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			limit := patience.String() // never reached, however slowly Python starts
			switch fault {
			case "silent", "cancel", "id": // these faults are found by the limit
				limit = overdue
			}
			all, code := check(t, "", "--acp", "--timeout", limit, "--", "python3", script, fault)
			f := rule(all, want)
			require.NotNil(t, f, "%+v", all)
			require.NotEmpty(t, f.Help)
			if f.Severity == "error" {
				require.Equal(t, 1, code)
			}
		})
	}
	all, code := check(t, "", "--acp", "--strict", "--timeout", patience.String(), "--", "python3", script, "none")
	require.Zero(t, code, "%+v", all)
	require.Len(t, all, 1, "%+v", all)
}

// A finding names the corresponding requirements of the official kit.
func TestCheckNamesTheRequirementsOfTheOfficialKit(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "faulty.py")
	require.NoError(t, os.WriteFile(script, []byte(faulty), 0o600))
	for fault, want := range map[string][]string{
		"print": {"ACP-TRANSPORT-001"}, "refused": {"ACP-SESSION-001"}, "fs": {"ACP-CLIENTCAP-001"},
		"terminal": {"ACP-AUTH-002"}, "boolean": {"ACP-CONFIG-003"}, "unsaid": {"ACP-CANCEL-001"}, "options": nil,
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			all, _ := check(t, "", "--acp", "--timeout", patience.String(), "--", "python3", script, fault)
			require.NotEmpty(t, all)
			require.Equal(t, want, all[0].Kit, "%+v", all)
		})
	}
	r := turnwire(t, "", "check", "--acp", "--timeout", patience.String(), "--", "python3", script, "version")
	require.Contains(t, r.stdout, "= acp-tck: ACP-INIT-002\n")
	r = turnwire(t, "", "check", "--acp", "--sarif", "--timeout", patience.String(), "--", "python3", script, "version")
	require.Contains(t, r.stdout, `"ACP-INIT-002"`)
}
