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
