package exactjson_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/exactjson"
)

type shown struct {
	Title string `json:"title"`
}

type asked struct {
	ID     string           `json:"id"`
	Lines  []uint           `json:"lines"`
	Data   []byte           `json:"data"`
	Ratio  *float64         `json:"ratio"`
	Whole  int              `json:"whole"`
	On     bool             `json:"on"`
	Kids   []asked          `json:"kids"`
	ByName map[string]shown `json:"byName"`
	shown
}

func TestTypeErrorsUseJSONTerms(t *testing.T) {
	for in, want := range map[string][2]string{
		`{"id":5}`:                          {"id", "id must be a string, not a number"},
		`{"title":[]}`:                      {"title", "title must be a string, not an array"},
		`{"lines":[1,-1]}`:                  {"lines", "lines must be a whole number that is not negative, not -1"},
		`{"lines":{}}`:                      {"lines", "lines must be an array, not an object"},
		`{"data":7}`:                        {"data", "data must be a string, not a number"},
		`{"ratio":"x"}`:                     {"ratio", "ratio must be a number, not a string"},
		`{"whole":1.5}`:                     {"whole", "whole must be a whole number, not 1.5"},
		`{"on":"yes"}`:                      {"on", "on must be a boolean, not a string"},
		`{"kids":[{"kids":[{"id":true}]}]}`: {"kids.kids.id", "kids.kids.id must be a string, not a boolean"},
		`{"byName":{"a":{"title":1}}}`:      {"byName.title", "byName.title must be a string, not a number"},
		`[]`:                                {"", "it must be an object, not an array"},
	} {
		err := exactjson.Unmarshal([]byte(in), new(asked))
		var wrong *exactjson.TypeError
		require.ErrorAs(t, err, &wrong, in)
		require.Equal(t, want, [2]string{wrong.Member(), err.Error()}, in)
		var original *json.UnmarshalTypeError
		require.ErrorAs(t, err, &original, in)
	}
}
