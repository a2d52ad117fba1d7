package protocol_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol"
)

func frame(name string, limit int) *protocol.Chunk {
	return &protocol.Chunk{Prefix: []byte(`{"` + name + `":"`), Suffix: "\"}\n", MaxText: limit}
}

func TestChunksAreJoinedWhileTheWriterIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := busy(t)
		a := frame("a", 100)
		for _, text := range []string{"one ", "two ", "three"} {
			require.NoError(t, s.AppendChunk(a, rawjson.String(text)))
		}
		require.Equal(t, []string{`"first"`, `{"a":"one two three"}`}, finish(t, s, out))
	})
}

func TestChunksAreNotJoined(t *testing.T) {
	chunk := func(c *protocol.Chunk, text string) func(*testing.T, *protocol.Stream) {
		return func(t *testing.T, s *protocol.Stream) {
			t.Helper()
			require.NoError(t, s.AppendChunk(c, rawjson.String(text)))
		}
	}
	a, b := frame("a", 5), frame("b", 5)
	for name, c := range map[string]struct {
		steps []func(*testing.T, *protocol.Stream)
		want  []string
	}{
		"of different messages": {
			[]func(*testing.T, *protocol.Stream){chunk(a, "1"), chunk(b, "2"), chunk(a, "3")},
			[]string{`{"a":"1"}`, `{"b":"2"}`, `{"a":"3"}`},
		},
		"of messages whose frames look alike": {
			[]func(*testing.T, *protocol.Stream){chunk(a, "1"), chunk(frame("a", 5), "2")},
			[]string{`{"a":"1"}`, `{"a":"2"}`},
		},
		"beyond the longest text": {
			[]func(*testing.T, *protocol.Stream){chunk(a, "123"), chunk(a, "45"), chunk(a, "6"), chunk(a, "7890"), chunk(a, "x")},
			[]string{`{"a":"12345"}`, `{"a":"67890"}`, `{"a":"x"}`},
		},
		"across an update": {
			[]func(*testing.T, *protocol.Stream){chunk(a, "1"), func(t *testing.T, s *protocol.Stream) {
				t.Helper()
				require.NoError(t, s.Append(line(`"update"`)))
			}, chunk(a, "2")},
			[]string{`{"a":"1"}`, `"update"`, `{"a":"2"}`},
		},
		"across an answer": {
			[]func(*testing.T, *protocol.Stream){chunk(a, "1"), func(t *testing.T, s *protocol.Stream) {
				t.Helper()
				require.NoError(t, s.WriteObject("answer"))
			}, chunk(a, "2")},
			[]string{`{"a":"1"}`, `"answer"`, `{"a":"2"}`},
		},
		"where joining is off": {
			[]func(*testing.T, *protocol.Stream){func(_ *testing.T, s *protocol.Stream) { s.Join = false }, chunk(a, "1"), chunk(a, "2")},
			[]string{`{"a":"1"}`, `{"a":"2"}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, out := busy(t)
				for _, step := range c.steps {
					step(t, s)
				}
				require.Equal(t, append([]string{`"first"`}, c.want...), finish(t, s, out))
			})
		})
	}
}

func TestChunksAreNotJoinedForAPeerThatKeepsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newRecord()
		s := protocol.NewStream(strings.NewReader(""), out, nil, silent)
		a := frame("a", 100)
		require.NoError(t, s.AppendChunk(a, rawjson.String("1")))
		require.NoError(t, s.AppendChunk(a, rawjson.String("2")))
		require.NoError(t, s.Close())
		require.Equal(t, []string{`{"a":"1"}`, `{"a":"2"}`}, out.lines())
	})
}

func TestAChunkIsNotJoinedToALineThatIsBeingWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := busy(t)
		a := frame("a", 100)
		require.NoError(t, s.AppendChunk(a, rawjson.String("1")))
		s.Flush()
		out.release <- struct{}{}
		<-out.entered
		require.NoError(t, s.AppendChunk(a, rawjson.String("2")))
		require.Equal(t, []string{`"first"`, `{"a":"1"}`, `{"a":"2"}`}, finish(t, s, out))
	})
}

func TestPartsAreSeparateLinesUnlessJoined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for join, want := range map[bool][]string{
			true:  {`{"a":"one two three"}`, `{"a":"four"}`},
			false: {`{"a":"one "}`, `{"a":"two "}`, `{"a":"three"}`, `{"a":"four"}`},
		} {
			out := newRecord()
			s := protocol.NewStream(strings.NewReader(""), out, nil, silent)
			s.Join = join
			a := frame("a", 100)
			require.NoError(t, s.AppendChunks(a, rawjson.String("one two three"), []int{0, 4, 4, 8, 13, 13}))
			require.NoError(t, s.AppendChunks(a, rawjson.String("four"), nil))
			require.NoError(t, s.Close())
			require.Equal(t, want, out.lines())
		}
	})
}

// Many parts are passed in one call, which needs no more memory while the peer does not
// read.
func TestPartsWaitForAPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, length = 300_000, 10
		s, out := busy(t)
		s.Join = false
		var text rawjson.String
		var ends []int
		want := []string{`"first"`}
		for i := range n {
			part := fmt.Sprintf("%0*d", length, i)
			text = append(text, part...)
			ends = append(ends, len(text))
			want = append(want, `{"a":"`+part+`"}`)
		}
		appended := make(chan error)
		go func() { appended <- s.AppendChunks(frame("a", 100), text, ends) }()
		for range 20 {
			out.release <- struct{}{}
			<-out.entered
		}
		select {
		case err := <-appended:
			require.NoError(t, err)
			require.Fail(t, "it did not wait")
		default:
		}
		close(out.release)
		require.NoError(t, <-appended)
		s.Drain(patience)
		require.NoError(t, s.Close())
		require.Equal(t, want, out.lines())
		for _, size := range out.sizes {
			require.LessOrEqual(t, size, highWater+len(want[1])+1)
		}
	})
}

func TestPartsEndWithTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := busy(t)
		s.Join = false
		text := rawjson.String(strings.Repeat("a", 100_000))
		ends := make([]int, len(text))
		for i := range ends {
			ends[i] = i + 1
		}
		appended := make(chan error)
		go func() { appended <- s.AppendChunks(frame("a", 100), text, ends) }()
		s.End()
		require.ErrorIs(t, <-appended, protocol.ErrClosed)
	})
}

// Whatever the order of events and the speed of the peer, nothing is lost or reordered,
// and only adjacent chunks of one message are joined.
func TestJoiningLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const maxText = 64
		for seed := range uint64(50) {
			random := rand.New(rand.NewPCG(seed, 1))
			pace := rand.New(rand.NewPCG(seed, 2))
			out := newStuck()
			s := protocol.NewStream(strings.NewReader(""), out, nil, silent)
			stop := make(chan struct{})
			go func() {
				for {
					for range pace.IntN(50) {
						runtime.Gosched()
					}
					select {
					case out.release <- struct{}{}:
					case <-stop:
						return
					}
				}
			}()
			chunks := map[string]*protocol.Chunk{"a": frame("a", maxText), "b": frame("b", maxText)}
			type piece struct{ name, text string } // name is "" for a line that is not a chunk
			var pieces []piece
			for i := range 2000 {
				text := fmt.Sprintf("%d;", i)
				switch n := random.IntN(20); {
				case n < 12:
					require.NoError(t, s.AppendChunk(chunks["a"], rawjson.String(text)))
					pieces = append(pieces, piece{"a", text})
				case n < 17:
					require.NoError(t, s.AppendChunk(chunks["b"], rawjson.String(text)))
					pieces = append(pieces, piece{"b", text})
				case n == 17:
					require.NoError(t, s.Append(line(`"`+text+`"`)))
					pieces = append(pieces, piece{"", text})
				case n == 18:
					require.NoError(t, s.WriteObject(text))
					pieces = append(pieces, piece{"", text})
				default:
					s.Flush()
				}
			}
			s.Drain(patience)
			close(stop)
			require.NoError(t, s.Close())

			for _, got := range out.lines() {
				name, text := "", strings.Trim(got, `"`)
				if strings.HasPrefix(got, "{") {
					name, text = got[2:3], got[len(`{"a":"`):len(got)-len(`"}`)]
					require.LessOrEqual(t, len(text), maxText, "seed %d", seed)
				}
				for text != "" {
					require.NotEmpty(t, pieces, "seed %d", seed)
					require.Equal(t, name, pieces[0].name, "seed %d: %s", seed, got)
					rest, ok := strings.CutPrefix(text, pieces[0].text)
					require.True(t, ok, "seed %d: %q does not begin with %q", seed, text, pieces[0].text)
					text, pieces = rest, pieces[1:]
				}
			}
			require.Empty(t, pieces, "seed %d: lost", seed)
		}
	})
}
