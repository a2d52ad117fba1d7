package v1_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func TestTimesAreInTheParamsOfAReplayedUpdate(t *testing.T) {
	line := func(times v1.Times) string {
		return string(times.AppendTo(v1.AppendNotification([]byte("before"), "s", &v1.CurrentModeUpdate{CurrentModeID: "m"})))
	}
	const plain = `before{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"current_mode_update","currentModeId":"m"}`
	require.Equal(t, plain+`}}`, line(v1.Times{}))
	require.Equal(t, plain+`,"_meta":{"turnwire.dev/at":1500}}}`, line(v1.TimesAt(1500)))
	require.Equal(t, plain+`,"_meta":{"turnwire.dev/at":1500,"turnwire.dev/until":1700}}}`, line(v1.Times{At: 1500, Until: 1700}))
	require.Equal(t, plain+`}}`, line(v1.TimesAt(time.Time{}.UnixMilli())), "a record may have no time")
}

func TestOnlyTimesAreReadAsTimes(t *testing.T) {
	for meta, want := range map[string]v1.Times{
		`{"turnwire.dev/at":1500}`:                           {At: 1500, Until: 1500},
		`{"turnwire.dev/until":1700,"turnwire.dev/at":1500}`: {At: 1500, Until: 1700},
		`{ "turnwire.dev/at":1500, "turnwire.dev/until":1 }`: {At: 1500, Until: 1500},
		`{"turnwire.dev/until":1700}`:                        {},
		`{"turnwire.dev/at":1500,"other":1}`:                 {},
		`{"turnwire.dev/at":"1500"}`:                         {},
		`{"turnwire.dev/at":-1}`:                             {},
		`{"turnwire.dev/at":1e3}`:                            {},
		`{"turnwire.dev/at":99999999999999999999}`:           {},
		`{}`:   {},
		`null`: {},
		``:     {},
	} {
		got, ok := v1.ParseTimes([]byte(meta))
		require.Equal(t, want != v1.Times{}, ok, meta)
		if ok {
			require.Equal(t, want, got, meta)
		}
	}
}

func FuzzTimes(f *testing.F) {
	f.Add([]byte(`{"turnwire.dev/at":1500,"turnwire.dev/until":1700}`))
	f.Fuzz(func(t *testing.T, meta []byte) {
		times, ok := v1.ParseTimes(meta)
		if !ok {
			return
		}
		require.Positive(t, times.At)
		require.GreaterOrEqual(t, times.Until, times.At)
	})
}
