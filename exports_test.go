package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Other modules can't name a type of an internal package. They need an alias, such as
// type Text = rawjson.Text.
func TestExportedSignaturesNameNoInternalType(t *testing.T) {
	checked := 0
	for _, root := range []string{"agent", "bridge", "protocol", "schema"} {
		require.NoError(t, filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "testdata") {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			internal := internalNames(parsed)
			for _, decl := range parsed.Decls {
				for _, part := range exported(decl) {
					checked++
					ast.Inspect(part, func(n ast.Node) bool {
						if s, ok := n.(*ast.SelectorExpr); ok {
							if x, ok := s.X.(*ast.Ident); ok && internal[x.Name] {
								require.Fail(t, "an internal type is exported", "%s: %s.%s", file, x.Name, s.Sel.Name)
							}
						}
						return true
					})
				}
			}
			return nil
		}))
	}
	require.Greater(t, checked, 500)
}

// internalNames are the names that a file has for internal packages.
func internalNames(f *ast.File) map[string]bool {
	names := make(map[string]bool)
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil || !strings.HasPrefix(p, module+"/internal/") {
			continue
		}
		name := path.Base(p)
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = true
	}
	return names
}

// exported returns the parts of a declaration that another module sees.
func exported(decl ast.Decl) (parts []ast.Node) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
			parts = append(parts, d.Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && !s.Assign.IsValid() {
					parts = append(parts, visibleFields(s.Type)...)
				}
			case *ast.ValueSpec:
				if s.Type != nil && s.Names[0].IsExported() {
					parts = append(parts, s.Type)
				}
			}
		}
	}
	return parts
}

// visibleFields returns the parts of a type but for its unexported fields.
func visibleFields(t ast.Expr) (parts []ast.Node) {
	s, ok := t.(*ast.StructType)
	if !ok {
		return []ast.Node{t}
	}
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 || f.Names[0].IsExported() {
			parts = append(parts, f.Type)
		}
	}
	return parts
}

// receiver returns the name of the type of a receiver.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}
