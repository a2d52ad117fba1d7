package ethos_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
)

// actor acts as `ethos acp`. Its output has the same format as that of the
// real one, and the text of the prompt controls what it does.
type actor struct {
	out       sync.Mutex
	cancelled sync.Map // channels by request id, closed by a cancel
	busy      sync.Map // by session
}

type received struct {
	ID     *int64 `json:"id"`
	Method string `json:"method"`
	Params struct {
		SessionKey    string `json:"sessionKey"`
		Text          string `json:"text"`
		PersonalityID string `json:"personalityId"`
		RequestID     int64  `json:"requestId"`
	} `json:"params"`
}

func play(part string) {
	if part == "refuse" {
		fmt.Fprintln(os.Stderr, "callCapture.personalityId is not set")
		os.Exit(1)
	}
	a := &actor{}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 8<<20)
	for in.Scan() {
		var r received
		if json.Unmarshal(in.Bytes(), &r) != nil || r.ID == nil {
			continue
		}
		switch r.Method {
		case "initialize":
			if mark, mute := strings.CutPrefix(part, "mute:"); mute {
				_ = os.WriteFile(mark, nil, 0o600)
				continue
			}
			if part == "another" {
				a.answer(r, `"error":{"code":-32602,"message":"Invalid params"}`)
				continue
			}
			a.result(*r.ID, `{"protocolVersion":"1.0","serverName":"ethos","capabilities":{"streaming":true}}`)
		case "new_session":
			a.result(*r.ID, fmt.Sprintf(`{"sessionKey":"acp:%d","personalityId":%q}`, os.Getpid(), r.Params.PersonalityID))
		case "resume_session":
			if part == "cannot resume" {
				a.print(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"Method not found"}}`, *r.ID))
				continue
			}
			a.result(*r.ID, fmt.Sprintf(`{"exists":%v,"messageCount":2}`, r.Params.SessionKey == "acp:known"))
		case "prompt":
			stop := make(chan struct{})
			a.cancelled.Store(*r.ID, stop)
			go a.prompt(r, stop)
		case "cancel":
			if stop, ok := a.cancelled.LoadAndDelete(r.Params.RequestID); ok {
				close(stop.(chan struct{}))
			}
			a.result(*r.ID, `{"ok":true}`)
		}
	}
	os.Exit(13)
}

func (a *actor) prompt(r received, stop chan struct{}) {
	id := *r.ID
	if _, busy := a.busy.LoadOrStore(r.Params.SessionKey, true); busy {
		a.print(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"Session %s has a prompt in progress"}}`, id, r.Params.SessionKey))
		return
	}
	a.print("[boot] somebody: skill 'x' filtered")
	a.event(id, `{"type":"run_start","provider":"p","model":"m","source":"global"}`)
	text := "Hello."
	switch what, _, _ := strings.Cut(r.Params.Text, " "); what {
	case "who":
		text = fmt.Sprintf("%s %s pid %d", r.Params.SessionKey, r.Params.PersonalityID, os.Getpid())
	case "wait":
		a.say(id, "one ")
		<-stop
		text = "two"
	case "deaf":
		a.say(id, "one ")
		select {}
	case "refused":
		a.event(id, `{"type":"error","error":"401 wrong key","code":"llm_error"}`)
		a.answer(r, `"result":{"text":"","turnCount":0}`)
		return
	case "aborted":
		a.say(id, "one ")
		<-stop
		a.event(id, `{"type":"error","error":"the model said: request was aborted","code":"llm_error"}`)
		a.answer(r, `"result":{"text":"one ","turnCount":0}`)
		return
	case "unanswered":
		a.event(id, `{"type":"error","error":"401 wrong key","code":"llm_error"}`)
		select {}
	case "throw":
		a.answer(r, `"error":{"code":-32000,"message":"ENOENT: no such file"}`)
		return
	case "exit":
		a.say(id, "one ")
		fmt.Fprintln(os.Stderr, "the roof is on fire")
		os.Exit(13)
	case "many":
		for range 5000 {
			a.say(id, strings.Repeat("x", 40))
		}
		text = strings.Repeat("y", 200<<10)
	}
	a.say(id, text)
	a.event(id+1000, `{"type":"text_delta","text":"of another prompt"}`)
	a.answer(r, `"result":{"text":"`+text+`","turnCount":1}`)
}

// answer sends the response to a prompt. After that, the session accepts
// another one.
func (a *actor) answer(r received, what string) {
	a.busy.Delete(r.Params.SessionKey)
	a.print(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, *r.ID, what))
}

func (a *actor) say(id int64, text string) { a.event(id, `{"type":"text_delta","text":"`+text+`"}`) }

func (a *actor) event(id int64, event string) {
	a.print(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":%d,"event":%s}}`, id, event))
}

func (a *actor) result(id int64, result string) {
	a.print(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result))
}

func (a *actor) print(line string) {
	a.out.Lock()
	defer a.out.Unlock()
	fmt.Println(line)
}
