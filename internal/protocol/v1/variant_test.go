package v1_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func TestEachTagBelongsToOneVariant(t *testing.T) {
	one(t, v1.NewBlocks)
	one(t, v1.NewToolContents)
	one(t, v1.NewUpdates)
}

func one[T any](t *testing.T, union []v1.Variant[T]) {
	t.Helper()
	seen := map[string]bool{}
	for _, v := range union {
		require.False(t, seen[v.Tag], v.Tag)
		seen[v.Tag] = true
	}
}
