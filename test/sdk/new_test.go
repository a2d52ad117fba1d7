//go:build external

package sdk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The agents that "turnwire new" creates can be built and run with the commands
// that it prints.
func TestNewAgentsOfEachLanguageWork(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "turnwire")
	run(t, ".", nil, "go", "build", "-o", binary, "github.com/turnwire/turnwire")
	for _, language := range []string{"python", "typescript", "go", "shell", "rust"} {
		t.Run(language, func(t *testing.T) {
			temporary := t.TempDir()
			env := []string{
				"XDG_CACHE_HOME=" + temporary, "XDG_STATE_HOME=" + temporary,
				"PATH=" + filepath.Dir(binary) + string(filepath.ListSeparator) + os.Getenv("PATH"),
			}
			output := run(t, temporary, env, binary, "new", language, "my-agent")
			require.Contains(t, output, "turnwire setup zed        --name my-agent -- ")

			// The indented lines before the section about editors are commands.
			work := t.TempDir()
			commands, _, _ := strings.Cut(output, "To see it in an editor:")
			var tried, checked bool
			for line := range strings.Lines(commands) {
				command, ok := strings.CutPrefix(line, "  ")
				command = strings.TrimSpace(command)
				switch {
				case !ok || strings.HasPrefix(command, "cd "):
				case strings.HasPrefix(command, "turnwire run"):
					tried = true
					command = strings.Replace(command, "turnwire run", "turnwire run --yes", 1)
					out := run(t, work, env, "sh", "-c", command)
					require.Contains(t, out, "You said: buy milk")
				case strings.HasSuffix(command, "check"):
					checked = true
					out := run(t, filepath.Join(temporary, "my-agent"), env, "sh", "-c", command)
					require.Contains(t, out, "0 errors, 0 warnings, 0 notes")
				default:
					run(t, filepath.Join(temporary, "my-agent"), env, "sh", "-c", command)
				}
			}
			require.True(t, tried && checked, output)
			notes, err := os.ReadFile(filepath.Join(work, "notes.txt"))
			require.NoError(t, err)
			require.Equal(t, "note: buy milk\n", string(notes))
		})
	}
}
