package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

func rustTypes(v *vocabulary) string {
	var out strings.Builder
	fmt.Fprintf(&out, "// %s\n//! The events that an agent prints, and the commands that it reads.\n\n", generatedNote)
	out.WriteString("use serde::{Deserialize, Serialize};\nuse serde_json::{Map, Value};\n")
	doc := func(indent, text string) {
		if text != "" {
			fmt.Fprintf(&out, "%s/// %s\n", indent, text)
		}
	}
	for _, e := range v.enums {
		fmt.Fprintf(&out, "\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]\npub enum %s {\n", e.name)
		for _, value := range e.values {
			fmt.Fprintf(&out, "    #[serde(rename = %q)]\n    %s,\n", value, camel(strings.ReplaceAll(value, "-", "_")))
		}
		out.WriteString("}\n")
	}
	for _, o := range v.objects {
		out.WriteString("\n")
		doc("", o.doc)
		derived := "Clone, Debug, PartialEq, Serialize, Deserialize"
		if v.hasDefault(o.name) {
			derived = "Clone, Debug, Default, PartialEq, Serialize, Deserialize"
		}
		if len(o.members) == 0 {
			fmt.Fprintf(&out, "#[derive(%s)]\npub struct %s {}\n", derived, o.name)
			continue
		}
		fmt.Fprintf(&out, "#[derive(%s)]\npub struct %s {\n", derived, o.name)
		for _, m := range o.members {
			doc("    ", m.doc)
			name, kind := snake(m.name), rustOf(m.value)
			var serde []string
			if name != m.name {
				serde = append(serde, fmt.Sprintf("rename = %q", m.name))
			}
			if !m.required {
				kind = "Option<" + kind + ">"
				serde = append(serde, "default", `skip_serializing_if = "Option::is_none"`)
			}
			if len(serde) > 0 {
				fmt.Fprintf(&out, "    #[serde(%s)]\n", strings.Join(serde, ", "))
			}
			fmt.Fprintf(&out, "    pub %s: %s,\n", name, kind)
		}
		out.WriteString("}\n")
	}
	out.WriteString("\n/// The value of an option: the id of a choice, or true or false.\n" +
		"#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]\n#[serde(untagged)]\npub enum OptionValue {\n    Choice(String),\n    Switch(bool),\n}\n")
	for _, u := range v.unions {
		out.WriteString("\n")
		doc("", u.doc)
		fmt.Fprintf(&out, "#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]\n#[serde(tag = \"type\")]\n#[allow(clippy::large_enum_variant)]\npub enum %s {\n", u.name)
		suffix := strings.TrimPrefix(u.name, "Agent")
		for _, name := range u.of {
			i := slices.IndexFunc(v.objects, func(o objectType) bool { return o.name == name })
			fmt.Fprintf(&out, "    #[serde(rename = %q)]\n    %s(%s),\n", v.objects[i].tag, strings.TrimSuffix(name, suffix), name)
		}
		out.WriteString("}\n")
		for _, name := range u.of {
			fmt.Fprintf(&out, "\nimpl From<%[2]s> for %[1]s {\n    fn from(value: %[2]s) -> Self {\n        %[1]s::%[3]s(value)\n    }\n}\n",
				u.name, name, strings.TrimSuffix(name, suffix))
		}
	}
	return out.String()
}

// hasDefault reports whether an object can be created without values. Enums have no
// default, because a decision, for example, must be explicit.
func (v *vocabulary) hasDefault(name string) bool {
	i := slices.IndexFunc(v.objects, func(o objectType) bool { return o.name == name })
	return i >= 0 && !slices.ContainsFunc(v.objects[i].members, func(m memberType) bool {
		return m.required && (m.value.kind == "option" || m.value.kind == "named" && !v.hasDefault(m.value.name))
	})
}

var (
	capital  = regexp.MustCompile(`[A-Z]`)
	keywords = []string{"type"}
)

// snake converts a name such as toolCallId to tool_call_id.
func snake(name string) string {
	name = capital.ReplaceAllStringFunc(name, func(c string) string { return "_" + strings.ToLower(c) })
	if slices.Contains(keywords, name) {
		return "kind"
	}
	return name
}

func rustOf(v valueType) string {
	switch v.kind {
	case "named":
		return v.name
	case "list":
		return "Vec<" + rustOf(*v.item) + ">"
	case "option":
		return "OptionValue"
	case "string":
		return "String"
	case "integer":
		return "i64"
	case "number":
		return "f64"
	case "boolean":
		return "bool"
	case "object":
		return "Map<String, Value>"
	}
	return "Value"
}
