package journal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

func TestRewoundSessionsHaveTitlesOfTheirOwn(t *testing.T) {
	long := strings.Repeat("é", 100)
	for name, c := range map[string]struct{ first, want, again string }{
		"short":    {"Read the notes", "Read the notes (2)", "Read the notes (3)"},
		"numbered": {"Chapter (2)", "Chapter (3)", "Chapter (4)"},
		"long":     {long, long[:2*75] + "… (2)", long[:2*75] + "… (3)"},
	} {
		t.Run(name, func(t *testing.T) {
			store := journal.NewFolder(t.TempDir())
			j, err := store.Create(journal.Header{ID: "a", Agent: "me", Cwd: "/w"})
			require.NoError(t, err)
			for _, text := range []string{c.first, "second"} {
				require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: journal.TypePrompt, Data: fmt.Appendf(nil, `{"text":%q}`, text)}}))
			}
			require.NoError(t, j.Close())
			rewound := func(from, id, cwd string, before int64) string {
				to, err := journal.Copy(t.Context(), store, from, journal.Header{ID: id, Agent: "me", Cwd: cwd}, func(r journal.Record) bool { return r.Seq == before })
				require.NoError(t, err)
				require.NoError(t, to.Close())
				about, err := store.Describe(id)
				require.NoError(t, err)
				return about.Title
			}
			original, err := store.Describe("a")
			require.NoError(t, err)
			require.Equal(t, c.want, rewound("a", "b", "/w", 2))
			require.Equal(t, c.again, rewound("a", "c", "/w", 2))
			require.Equal(t, original.Title, rewound("a", "d", "/elsewhere", 2), "it is alone in its folder")
			require.Empty(t, rewound("a", "e", "/w", 1), "its first prompt is still to come")
		})
	}
}
