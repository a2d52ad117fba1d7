package normalize

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

const (
	// maxFields limits the fields of one question.
	maxFields = 64
	// maxFieldOptions limits the options of one field.
	maxFieldOptions = 1 << 10
	// maxURL limits the length of a URL. Browsers accept no longer ones.
	maxURL = 8 << 10
)

// fitQuestion makes the fields and the URL of a question well-formed: names are
// unique, types are known, and choices have options. It returns a reason if the
// user can't be asked; dropping a faulty part would change the question.
func fitQuestion(e *agent.QuestionAsked) (refusal string) {
	if e.URL != "" {
		e.Options, e.Fields = nil, nil
		return fitURL(e.URL)
	}
	if len(e.Fields) > maxFields {
		return "it has too many fields"
	}
	names := make(map[string]bool, len(e.Fields))
	for i := range e.Fields {
		f := &e.Fields[i]
		if !isID(f.Name) {
			return "one of its fields has an invalid name"
		}
		if names[f.Name] {
			return fmt.Sprintf("two of its fields have the name %q", f.Name)
		}
		names[f.Name] = true
		if refusal := fitField(f); refusal != "" {
			return refusal
		}
	}
	return ""
}

func fitURL(address string) (refusal string) {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxURL || u.Host == "" {
		return "its url is invalid"
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return ""
	}
	return "its url is neither http nor https"
}

func fitField(f *agent.Field) (refusal string) {
	if f.Type == "" {
		f.Type = agent.FieldString
		if len(f.Options) > 0 {
			f.Type = agent.FieldChoice
		}
	}
	chooses := f.Type == agent.FieldChoice || f.Type == agent.FieldChoices
	switch {
	case !f.Type.Known():
		return fmt.Sprintf("the field %q has the unknown type %q", f.Name, f.Type)
	case chooses && len(f.Options) == 0:
		return fmt.Sprintf("the field %q has no options", f.Name)
	case len(f.Options) > maxFieldOptions:
		return fmt.Sprintf("the field %q has too many options", f.Name)
	case f.Secret && f.Type != agent.FieldString:
		return fmt.Sprintf("the field %q is secret, so it must be a string", f.Name)
	case !chooses:
		f.Options = nil
	}
	f.Title, f.Description = label(f.Title), Short(f.Description)
	values := make(map[string]bool, len(f.Options))
	fitting := make([]agent.FieldOption, 0, len(f.Options))
	for _, o := range f.Options {
		if values[o.Value] {
			continue // indistinguishable from the first
		}
		values[o.Value] = true
		o.Title, o.Description = label(o.Title), label(o.Description)
		fitting = append(fitting, o)
	}
	f.Options = fitting
	switch f.Format {
	case "", "email", "uri", "date", "date-time":
	default:
		f.Format = "" // the format is only a hint, and clients reject unknown ones
	}
	f.Default = fitDefault(f)
	return ""
}

// fitDefault returns a field's default, or nil if it has the wrong type.
// Secrets get no default, because it would be shown.
func fitDefault(f *agent.Field) agent.Raw {
	if !present(f.Default) || f.Secret || len(f.Default) > MaxText {
		return nil
	}
	read := func(v any) bool { return exactjson.Unmarshal(f.Default, v) == nil }
	offered := func(v string) bool {
		for _, o := range f.Options {
			if o.Value == v {
				return true
			}
		}
		return false
	}
	fits := false
	switch f.Type {
	case agent.FieldString:
		fits = read(new(string))
	case agent.FieldNumber:
		fits = read(new(float64))
	case agent.FieldInteger:
		fits = read(new(int64))
	case agent.FieldBoolean:
		fits = read(new(bool))
	case agent.FieldChoice:
		var v string
		fits = read(&v) && offered(v)
	case agent.FieldChoices:
		var vs []string
		fits = read(&vs)
		for _, v := range vs {
			fits = fits && offered(v)
		}
	}
	if !fits {
		return nil
	}
	return rawjson.CleanValue(bytes.Clone(f.Default))
}
