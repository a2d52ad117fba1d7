package workspace

import (
	"path/filepath"
	"slices"
	"strings"
)

// languages maps file extensions to names, for extensions that people may not
// know.
var languages = [][2]string{
	{".bash", "Shell"}, {".c", "C"}, {".cc", "C++"}, {".cpp", "C++"}, {".cs", "C#"}, {".css", "CSS"},
	{".dart", "Dart"}, {".el", "Emacs Lisp"}, {".ex", "Elixir"}, {".exs", "Elixir"}, {".go", "Go"},
	{".h", "C header"}, {".hs", "Haskell"}, {".html", "HTML"}, {".java", "Java"}, {".js", "JavaScript"},
	{".json", "JSON"}, {".jsx", "JavaScript"}, {".kt", "Kotlin"}, {".lua", "Lua"}, {".md", "Markdown"},
	{".mjs", "JavaScript"}, {".php", "PHP"}, {".pl", "Perl"}, {".py", "Python"}, {".rb", "Ruby"},
	{".rs", "Rust"}, {".scala", "Scala"}, {".sh", "Shell"}, {".sql", "SQL"}, {".swift", "Swift"},
	{".toml", "TOML"}, {".ts", "TypeScript"}, {".tsx", "TypeScript"}, {".txt", "text"},
	{".yaml", "YAML"}, {".yml", "YAML"}, {".zig", "Zig"},
}

// languageOf returns a file's type, judging by its name.
func languageOf(name string) string {
	ending := strings.ToLower(filepath.Ext(name))
	if i := slices.IndexFunc(languages, func(l [2]string) bool { return l[0] == ending }); i >= 0 {
		return languages[i][1]
	}
	if ending == "" || ending == strings.ToLower(name) || len(ending) > 8 {
		return "other"
	}
	return ending
}
