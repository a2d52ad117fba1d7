package jsontext

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/cpu"
)

func TestTheProcessorIsAskedRight(t *testing.T) {
	require.Equal(t, cpu.X86.HasAVX2, hasAVX2())
}
