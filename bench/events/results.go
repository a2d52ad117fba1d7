package events

import (
	"fmt"
	"math/rand/v2"
)

// Results renders n numbered tool calls, each with a result of about size bytes. The
// results share one body in memory.
func Results(n, size int) *Stream {
	r := rand.New(rand.NewPCG(3, 4))
	body, length := appendBody(nil, r, size)
	body = append(body, "\"}\n"...)
	s := &Stream{Events: 2 * n, Visible: 2 * n}
	for i := range n {
		var id []byte
		id = appendCall(id, i)
		head := fmt.Appendf(nil, `{"type":"tool_start","toolCallId":%q,"toolName":"read_file","args":{"path":"log.txt"},"seq":%d}`+"\n"+
			`{"type":"tool_end","toolCallId":%q,"toolName":"read_file","seq":%d,"ok":true,"result":"`, id, i, id, i)
		s.segments = append(s.segments, head, body)
		s.Bytes += int64(len(head) + len(body))
	}
	empty := NewDigester().Digest()
	s.Summary = Summary{Text: empty, Thought: empty, Calls: n, ResultBytes: int64(n) * int64(length)}
	return s
}
