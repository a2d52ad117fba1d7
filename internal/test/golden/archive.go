package golden

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// An Archive is a golden txtar file. Some sections are a test's input, and the others are
// the expected results.
type Archive struct {
	path   string
	file   *txtar.Archive
	result txtar.Archive
}

// Read reads the txtar file at path.
func Read(t testing.TB, path string) *Archive {
	t.Helper()
	file, err := txtar.ParseFile(path)
	require.NoError(t, err)
	return &Archive{path: path, file: file, result: txtar.Archive{Comment: file.Comment}}
}

// Comment returns the text before the first section.
func (a *Archive) Comment() string { return string(a.file.Comment) }

// Sections returns the file's sections in order. The caller must not change them.
func (a *Archive) Sections() []txtar.File { return a.file.Files }

// Section returns the text of a section. ok is false if the section doesn't exist.
func (a *Archive) Section(name string) (text string, ok bool) {
	i := slices.IndexFunc(a.file.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		return "", false
	}
	return string(a.file.Files[i].Data), true
}

// Add adds a section to the result, which begins with the file's comment.
func (a *Archive) Add(name, text string) {
	a.result.Files = append(a.result.Files, txtar.File{Name: name, Data: []byte(text)})
}

// Check requires the file to equal the result. With -update, it writes the
// result to the file.
func (a *Archive) Check(t testing.TB) {
	t.Helper()
	File(t, a.path, string(txtar.Format(&a.result)))
}
