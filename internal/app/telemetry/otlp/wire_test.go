package otlp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

func TestAFieldIsFoundBehindThoseOfEveryKind(t *testing.T) {
	var m []byte
	m = protowire.AppendVarint(protowire.AppendTag(m, 1, protowire.VarintType), 1<<63)
	m = protowire.AppendFixed64(protowire.AppendTag(m, 2, protowire.Fixed64Type), 7)
	m = protowire.AppendFixed32(protowire.AppendTag(m, 3, protowire.Fixed32Type), 7)
	m = protowire.AppendString(protowire.AppendTag(m, 4, protowire.BytesType), "four")
	m = protowire.AppendString(protowire.AppendTag(m, 2000, protowire.BytesType), "last")
	m = protowire.AppendString(protowire.AppendTag(m, 4, protowire.BytesType), "second")

	_, number := valueOf(m, 1)
	require.Equal(t, uint64(1<<63), number)
	text, _ := valueOf(m, 4)
	require.Equal(t, "four", string(text), "the first of two")
	text, _ = valueOf(m, 2000)
	require.Equal(t, "last", string(text))
	text, number = valueOf(m, 5)
	require.Nil(t, text)
	require.Zero(t, number)

	end := len(m) - len("second") - 2
	for cut := range end {
		text, _ = valueOf(m[:cut], 2000)
		require.Nil(t, text, "%d bytes of it", cut)
	}
	endless := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.BytesType), 1<<63)
	text, _ = valueOf(append(endless, "x"...), 1)
	require.Nil(t, text)
	group := protowire.AppendTag(nil, 1, protowire.StartGroupType)
	text, _ = valueOf(append(group, m...), 4)
	require.Nil(t, text)
}
