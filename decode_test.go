package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// decoders lists the files that may call functions that ignore the case of member
// names. All other code decodes with package
// exactjson, and waits with protocol.Await.
var decoders = map[string]string{
	"internal/exactjson/exactjson.go": "is the one that takes out what must not match before",
	"protocol/await.go":               "takes an answer unchanged",
}

func TestMembersAreKnownByTheirExactNames(t *testing.T) {
	seen := map[string]bool{}
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (path == "bench" || path == "tools" || path == "dist" || entry.Name() == "node_modules"):
			return fs.SkipDir // other modules, which only decode our own output
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, call := range foldingCalls(file) {
			require.Contains(t, decoders, filepath.ToSlash(path), "%s calls what takes members in any case", set.Position(call.Pos()))
			seen[filepath.ToSlash(path)] = true
		}
		return nil
	}))
	require.Len(t, seen, len(decoders), "an exception that is not needed")
}

// foldingCalls returns the calls of encoding/json that decode, and those of a
// call's own Wait method, which has two arguments.
func foldingCalls(file *ast.File) (calls []ast.Node) {
	name := ""
	for _, i := range file.Imports {
		if i.Path.Value == `"encoding/json"` {
			if name = "json"; i.Name != nil {
				name = i.Name.Name
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			of, _ := n.X.(*ast.Ident)
			if of != nil && name != "" && of.Name == name && (n.Sel.Name == "Unmarshal" || n.Sel.Name == "NewDecoder") {
				calls = append(calls, n)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Wait" && len(n.Args) == 2 {
				calls = append(calls, n)
			}
		}
		return true
	})
	return calls
}

func TestCaseInsensitiveDecodersAreFound(t *testing.T) {
	for source, want := range map[string]int{
		`import "encoding/json"; var _ = json.Unmarshal(nil, nil)`:         1,
		`import j "encoding/json"; var decode = j.Unmarshal`:               1,
		`import "encoding/json"; var _ = json.NewDecoder(nil).Decode(nil)`: 1,
		`import "encoding/json"; var _, _ = json.Marshal(nil)`:             0,
		`import json "elsewhere"; var _ = json.Unmarshal(nil, nil)`:        0,
		`var _ = call.Wait(ctx, &result)`:                                  1,
		`func f() { group.Wait() }`:                                        0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x; "+source, parser.SkipObjectResolution)
		require.NoError(t, err)
		require.Len(t, foldingCalls(file), want, source)
	}
}
