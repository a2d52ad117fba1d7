package main

import (
	"fmt"
	"strings"
)

func typescriptTypes(v *vocabulary) string {
	var out strings.Builder
	fmt.Fprintf(&out, "// %s\n", generatedNote)
	for _, e := range v.enums {
		fmt.Fprintf(&out, "\nexport type %s = %s;\n", e.name, quotedUnion(e.values))
	}
	doc := func(indent, text string) {
		if text != "" {
			fmt.Fprintf(&out, "%s/** %s */\n", indent, text)
		}
	}
	for _, o := range v.objects {
		out.WriteString("\n")
		doc("", o.doc)
		fmt.Fprintf(&out, "export interface %s {\n", o.name)
		if o.tag != "" {
			fmt.Fprintf(&out, "  type: %q;\n", o.tag)
		}
		for _, m := range o.members {
			doc("  ", m.doc)
			mark := "?"
			if m.required {
				mark = ""
			}
			fmt.Fprintf(&out, "  %s%s: %s;\n", m.name, mark, typescriptOf(m.value))
		}
		out.WriteString("}\n")
	}
	for _, u := range v.unions {
		out.WriteString("\n")
		doc("", u.doc)
		fmt.Fprintf(&out, "export type %s =\n  | %s;\n", u.name, strings.Join(u.of, "\n  | "))
	}
	return out.String()
}

func quotedUnion(values []string) string { return `"` + strings.Join(values, `" | "`) + `"` }

func typescriptOf(v valueType) string {
	switch v.kind {
	case "named":
		return v.name
	case "list":
		return typescriptOf(*v.item) + "[]"
	case "option":
		return "string | boolean"
	case "integer":
		return "number"
	case "object":
		return "Record<string, unknown>"
	case "any":
		return "unknown"
	}
	return v.kind // a string, a number or a boolean
}
