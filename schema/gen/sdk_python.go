package main

import (
	"fmt"
	"slices"
	"strings"
)

var pythonKeywords = []string{"pass", "from", "class", "def", "is", "in", "not", "for", "with", "global", "lambda", "import", "return"}

// pythonTypes generates typed dictionaries. In Python 3.9, either all keys of a
// dictionary are required or none, so a dictionary with both is two classes.
func pythonTypes(v *vocabulary) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\"\"\"The events that an agent prints, and the commands that it reads.\"\"\"\n\n", generatedNote)
	out.WriteString("from typing import Any, Dict, List, Literal, TypedDict, Union\n\n")
	for _, e := range v.enums {
		fmt.Fprintf(&out, "%s = Literal[\"%s\"]\n", e.name, strings.Join(e.values, `", "`))
	}
	class := func(name, base, doc, tag string, members []memberType) {
		fmt.Fprintf(&out, "\n\nclass %s(%s):\n", name, base)
		if doc != "" {
			fmt.Fprintf(&out, "    \"\"\"%s\"\"\"\n\n", doc)
		}
		if tag != "" {
			fmt.Fprintf(&out, "    type: Literal[%q]\n", tag)
		}
		for _, m := range members {
			if m.doc != "" {
				fmt.Fprintf(&out, "    # %s\n", m.doc)
			}
			fmt.Fprintf(&out, "    %s: %s\n", m.name, pythonOf(m.value))
		}
	}
	// A member whose name is a keyword needs the functional syntax.
	called := func(name, tag string, members []memberType) bool {
		if !slices.ContainsFunc(members, func(m memberType) bool { return slices.Contains(pythonKeywords, m.name) }) {
			return false
		}
		fmt.Fprintf(&out, "\n\n%s = TypedDict(\n    %q,\n    {\n", name, name)
		if tag != "" {
			fmt.Fprintf(&out, "        \"type\": Literal[%q],\n", tag)
		}
		for _, m := range members {
			fmt.Fprintf(&out, "        %q: %s,\n", m.name, pythonOf(m.value))
		}
		out.WriteString("    },\n)\n")
		return true
	}
	for _, o := range v.objects {
		var required, optional []memberType
		for _, m := range o.members {
			if m.required {
				required = append(required, m)
			} else {
				optional = append(optional, m)
			}
		}
		switch {
		case len(optional) == 0:
			class(o.name, "TypedDict", o.doc, o.tag, required)
		case len(required) == 0 && o.tag == "":
			class(o.name, "TypedDict, total=False", o.doc, "", optional)
		default:
			if !called("_"+o.name, o.tag, required) {
				class("_"+o.name, "TypedDict", "", o.tag, required)
			}
			class(o.name, "_"+o.name+", total=False", o.doc, "", optional)
		}
	}
	for _, u := range v.unions {
		fmt.Fprintf(&out, "\n\n# %s\n%s = Union[\n    %s,\n]", u.doc, u.name, strings.Join(u.of, ",\n    "))
	}
	out.WriteString("\n")
	return out.String()
}

func pythonOf(v valueType) string {
	switch v.kind {
	case "named":
		return `"` + v.name + `"` // it may be defined later in the file
	case "list":
		return "List[" + pythonOf(*v.item) + "]"
	case "option":
		return "Union[str, bool]"
	case "string":
		return "str"
	case "integer":
		return "int"
	case "number":
		return "float"
	case "boolean":
		return "bool"
	case "object":
		return "Dict[str, Any]"
	}
	return "Any"
}
