package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a type of the bridge may have. One that needs more does the work of several.
const (
	maxFields  = 15
	maxMethods = 25
)

func TestBridgeTypesStaySmall(t *testing.T) {
	fields, methods := make(map[string]int), make(map[string]int)
	require.NoError(t, filepath.WalkDir("internal/bridge", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				countFields(d, filepath.Dir(path), fields)
			case *ast.FuncDecl:
				if d.Recv != nil {
					methods[filepath.Dir(path)+"."+receiver(d.Recv.List[0].Type)]++
				}
			}
		}
		return nil
	}))
	require.NotEmpty(t, fields)
	for name, n := range fields {
		require.LessOrEqual(t, n, maxFields, "fields of %s", name)
	}
	for name, n := range methods {
		require.LessOrEqual(t, n, maxMethods, "methods of %s", name)
	}
}

// What an agent's driver, without the package of its dialect, and a dialect may have, in
// lines. These are the ones within the limits; the others share less.
var folderLimits = map[string]int{
	"internal/agent/agentb":     300,
	"internal/agent/agui":       300,
	"internal/agent/aisdk":      300,
	"internal/agent/aisdk/wire": 250,
}

func TestDriversAndDialectsStaySmall(t *testing.T) {
	for folder, limit := range folderLimits {
		files, err := filepath.Glob(folder + "/*.go")
		require.NoError(t, err)
		require.NotEmpty(t, files, folder)
		lines := 0
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			lines += strings.Count(string(text), "\n")
		}
		require.LessOrEqual(t, lines, limit, folder)
	}
}

// countFields counts the fields of the structs in a declaration. An embedded field
// counts as one.
func countFields(d *ast.GenDecl, in string, fields map[string]int) {
	for _, s := range d.Specs {
		named, ok := s.(*ast.TypeSpec)
		if !ok {
			continue
		}
		if of, ok := named.Type.(*ast.StructType); ok {
			for _, f := range of.Fields.List {
				fields[in+"."+named.Name.Name] += max(1, len(f.Names))
			}
		}
	}
}
