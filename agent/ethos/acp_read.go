package ethos

import (
	"bufio"
	"bytes"
	"errors"
	"strconv"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// streamPrefix is how Ethos begins the notifications of a prompt. A line that
// begins otherwise is taken apart.
var streamPrefix = []byte(`{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":`)

// readBuffer is what a pipe holds.
const readBuffer = 64 << 10

// read reads what the child prints until its end. Lines for the prompt that
// runs are given on in runs of as many as there are.
func (a *acpClient) read() {
	defer a.end()
	in := bufio.NewReaderSize(a.child.Stdout(), readBuffer)
	var run []byte
	for {
		line, err := readLine(in)
		if len(line) > 0 {
			var last bool
			run, last = a.sort(run, line)
			if last || len(run) > readBuffer || !waits(in) {
				a.give(run, last)
				run = run[:0]
			}
		}
		if err != nil {
			a.give(run, false)
			return
		}
	}
}

// waits tells whether a whole line has been read and waits.
func waits(in *bufio.Reader) bool {
	rest, err := in.Peek(in.Buffered())
	return err == nil && bytes.IndexByte(rest, '\n') >= 0
}

// readLine reads one line with its newline; one that is too long is skipped.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	long := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = in.ReadSlice('\n')
		if long != nil && len(long)+len(line) <= dialect.MaxLine {
			long = append(long, line...)
		} else {
			long = nil
		}
	}
	return long, err
}

// sort adds a line to run if it concerns the prompt that is out, and passes on
// the answers to other requests. last is set for the prompt's own answer.
func (a *acpClient) sort(run, line []byte) (_ []byte, last bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.out != nil && bytes.HasPrefix(line, a.out.prefix) {
		return append(run, line...), false
	}
	m, err := members(line)
	if err != nil {
		if a.out == nil {
			return run, false
		}
		return append(run, line...), false // the decoder says what it skips
	}
	id, answer := m.answers()
	switch {
	case answer && a.out != nil && id == a.out.id:
		return append(run, line...), true
	case answer:
		if c, ok := a.waiting[id]; ok {
			delete(a.waiting, id)
			c <- m.clone()
		}
		return run, false
	case a.out == nil || string(m.method) == streamMethod && requestOf(m.params) != a.out.id:
		return run, false
	}
	return append(run, line...), false
}

// give hands lines over to whoever reads the prompt's events.
func (a *acpClient) give(run []byte, last bool) {
	a.mu.Lock()
	out := a.out
	if last {
		a.out = nil
	}
	a.mu.Unlock()
	if out == nil {
		return
	}
	if len(run) > 0 {
		if _, err := out.events.Write(run); err != nil {
			a.log.Debug("dropped what came too late", "error", err)
		}
	}
	if last {
		_ = out.events.Close()
	}
}

// end says that nothing more will come.
func (a *acpClient) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	close(a.ended)
	if a.out != nil {
		_ = a.out.events.Close()
	}
}

// answers tells which request a message answers.
func (m *message) answers() (id int64, ok bool) {
	if m.method != nil || m.result == nil && m.fail == nil {
		return 0, false
	}
	id, err := strconv.ParseInt(string(m.id), 10, 64)
	return id, err == nil
}

// clone is a message that outlives its line.
func (m *message) clone() message {
	return message{result: bytes.Clone(m.result), fail: bytes.Clone(m.fail)}
}

// requestOf is the id of the prompt that a notification is of, 0 where it is
// none of ours.
func requestOf(params []byte) int64 {
	o := rawjson.Walk(params)
	for {
		key, value, ok := o.Next()
		if !ok {
			return 0
		}
		if string(key) == "requestId" {
			id, err := strconv.ParseInt(string(value), 10, 64)
			if err != nil {
				return 0
			}
			return id
		}
	}
}
