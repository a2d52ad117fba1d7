package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestASmallBenchMeasuresEverything(t *testing.T) {
	o := options{
		events: 200, verified: 2000, stalled: 2000, runs: 1, starts: 1, pings: 5,
		results: 3, size: 10_000, rate: 2000, burst: 20, sessions: 2,
		steady: 50 * time.Millisecond, slow: 10 * time.Millisecond, timeout: time.Minute,
		who: choice{peer, plain, hosted},
	}
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), o, &out))
	for _, l := range lines {
		require.Contains(t, out.String(), string(l.metric))
	}
}

func TestUnknownNamesAreRefused(t *testing.T) {
	require.ErrorContains(t, run(t.Context(), options{only: choice{"nothing"}}, nil), `"nothing"`)
	require.ErrorContains(t, run(t.Context(), options{who: choice{"nobody"}}, nil), `"nobody"`)
}
