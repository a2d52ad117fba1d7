package bridge_test

import (
	"fmt"
	"testing"
	"testing/synctest"
)

const oneOfEach = `{"type":"question","questionId":"q","question":"?","fields":[` +
	`{"name":"s","minLength":2,"maxLength":3},{"name":"n","type":"number","minimum":0,"maximum":9},{"name":"i","type":"integer"},` +
	`{"name":"b","type":"boolean"},{"name":"c","options":[{"value":"x"},{"value":"y","title":"Why"}]},` +
	`{"name":"m","type":"choices","options":[{"value":"x"},{"value":"y"}],"minItems":1,"maxItems":1}]}`

// A value of the wrong type, or one that was not asked for, is not accepted as an
// answer, and the agent is told why.
func TestOnlyRequestedValuesAreAnswers(t *testing.T) {
	for content, reason := range map[string]string{
		`{"s":7}`:          `"s" of the answer is not a string`,
		`{"s":["ab"]}`:     `"s" of the answer is not a string`,
		`{"s":"a"}`:        `"s" of the answer is too short`,
		`{"s":"äöüß"}`:     `"s" of the answer is too long`,
		`{"n":"1"}`:        `"n" of the answer is not a number`,
		`{"n":true}`:       `"n" of the answer is not a number`,
		`{"n":-1}`:         `"n" of the answer is too small`,
		`{"n":9.5}`:        `"n" of the answer is too large`,
		`{"i":1.5}`:        `"i" of the answer is not a whole number`,
		`{"i":1e300}`:      `"i" of the answer is not a whole number`,
		`{"b":"true"}`:     `"b" of the answer is not true or false`,
		`{"b":0}`:          `"b" of the answer is not true or false`,
		`{"c":"Why"}`:      `"c" of the answer is not one of the options`,
		`{"c":["x"]}`:      `"c" of the answer is not a string`,
		`{"m":["x","z"]}`:  `"m" of the answer is not one of the options`,
		`{"m":[]}`:         `"m" of the answer has too few options`,
		`{"m":["x","y"]}`:  `"m" of the answer has too many options`,
		`{"m":{"0":"x"}}`:  `"m" of the answer is not a list of strings`,
		`{"s":"ab","b":7}`: `"b" of the answer is not true or false`,
	} {
		t.Run(content, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, s := questioned(t, forms, oneOfEach)
				e.expectLike(`"elicitation/create"`)
				e.answer(1, `{"action":"accept","content":`+content+`}`)
				s.expect(fmt.Sprintf(`{"type":"question_response","cancelled":true,"values":null,"reason":%q}`, reason))
			})
		})
	}
	for content, values := range map[string]string{
		`{}`:                                 `null`,
		`null`:                               `null`,
		`{"S":"ab","x":1}`:                   `null`,
		`{"s":null}`:                         `null`,
		`{"s":"äöü","n":0.5,"i":3.0}`:        `{"s":"äöü","n":0.5,"i":3}`,
		`{"b":false,"c":"y","m":["x", "x"]}`: `{"b":false,"c":"y","m":["x"]}`,
		`{"m":"x"}`:                          `{"m":["x"]}`,
	} {
		t.Run(content, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, s := questioned(t, forms, oneOfEach)
				e.expectLike(`"elicitation/create"`)
				e.answer(1, `{"action":"accept","content":`+content+`}`)
				s.expect(`{"type":"question_response","cancelled":null,"values":` + values + `}`)
			})
		})
	}
}

func TestInvalidFieldsAreRefused(t *testing.T) {
	for question, reason := range map[string]string{
		`"fields":[{"name":""}]`:                                         "one of its fields has an invalid name",
		`"fields":[{"title":"x"}]`:                                       "one of its fields has an invalid name",
		`"fields":[{"name":"a"},{"name":"a"}]`:                           `two of its fields have the name "a"`,
		`"fields":[{"name":"a","type":"colour"}]`:                        `the field "a" has the unknown type "colour"`,
		`"fields":[{"name":"a","type":"choice"}]`:                        `the field "a" has no options`,
		`"fields":[{"name":"a","type":"choices","options":[]}]`:          `the field "a" has no options`,
		`"fields":[{"name":"a","type":"integer","secret":true}]`:         `the field "a" is secret, so it must be a string`,
		`"url":"javascript://x/%0aalert(1)"`:                             "its url is neither http nor https",
		`"url":"https:"`:                                                 "its url is invalid",
		`"url":"not a url at all\u0000"`:                                 "its url is invalid",
		`"fields":[{"name":"a"}],"url":"ftp://tea.example","options":[]`: "its url is neither http nor https",
	} {
		t.Run(question, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, s := questioned(t, `{"elicitation":{"form":{},"url":{}}}`, `{"type":"question","questionId":"q","question":"?",`+question+`}`)
				s.expect(fmt.Sprintf(`{"type":"question_response","questionId":"q","cancelled":true,"reason":%q}`, reason))
			})
		})
	}
}

// If the agent is done with a page before the user has answered, the page is completed
// and the request withdrawn.
func TestAPageThatTheAgentCompletesIsWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := questioned(t, `{"elicitation":{"url":{}}}`, `{"type":"question","questionId":"q","question":"Log in","url":"https://tea.example"}`)
		e.expectLike(`"elicitation/create"`)
		s.say(`{"type":"question_answered","questionId":"q"}`)
		e.expect(`{"method":"elicitation/complete","params":{"elicitationId":"S1:question:q"}}`)
		e.expect(`{"method":"$/cancel_request","params":{"requestId":1}}`)
		e.answer(1, `{"action":"accept"}`) // too late
		s.say(done)
		e.stopped(`"p"`, "end_turn")
	})
}
