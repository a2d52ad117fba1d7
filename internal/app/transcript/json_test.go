package transcript_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/transcript"
)

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, transcript.JSON(&out, session, records("prompt {\"text\":\"\\u202e\u202e<\"}\nlater {\"x\":1.50}\n", nil)))
	require.Equal(t, `{"turnwire":"session","version":1,"sessionId":"tw-1\u001b","agent":"workspace","cwd":"/w \u003cw\u003e","title":"A *title* \u001b[31m\u003ch1\u003e\u202e","created":"2026-01-31T12:00:00Z","updated":"2026-01-31T13:00:00Z","records":[
{"seq":1,"time":"2026-01-31T12:00:01Z","type":"prompt","data":{"text":"\u202e\u202e\u003c"}},
{"seq":2,"type":"later","data":{"x":1.50}}
]}
`, out.String())
	require.True(t, json.Valid(out.Bytes()))

	out.Reset()
	require.NoError(t, transcript.JSON(&out, session, records("", nil)))
	require.True(t, json.Valid(out.Bytes()))
	require.Error(t, transcript.JSON(&out, session, records("", errors.New("broken"))))
}
