//go:build external

package conformance

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/schema"
)

// ours loads the schema that is generated from the Go types.
func ours(t *testing.T) document {
	t.Helper()
	text, err := schema.Read(schema.ACPv1)
	require.NoError(t, err)
	return parse(t, text)
}

// marker replaces every official object that declares no members.
const marker = "Marker"

var markers = []string{
	"CompactionCapabilities", "NoticeCapabilities", "ElicitationFormCapabilities", "ElicitationUrlCapabilities",
	"PlanCapabilities", "SubagentCapabilities", "SubagentSessionCapabilities", "SessionSystemPromptOverrideCapabilities", "SessionCloseCapabilities", "SessionAdditionalDirectoriesCapabilities", "BooleanConfigOptionCapabilities",
}

// messages are compared by their methods, not by their shape.
var messages = map[string]bool{
	"AgentRequest": true, "AgentResponse": true, "AgentNotification": true,
	"ClientRequest": true, "ClientResponse": true, "ClientNotification": true,
}

// unions maps a union to the member that distinguishes its branches.
var unions = map[string]string{
	"SessionUpdate": "sessionUpdate", "ContentBlock": "type", "ToolCallContent": "type",
}

// added lists the members that only we have, and why they are legal.
var added = map[string]string{
	"CompactionCapabilities._meta": "ACP reserves _meta in every object",
	"NoticeCapabilities._meta":     "ACP reserves _meta in every object",

	"ClientSessionCapabilities.cursors": "clients send it; see newer",
	"ForkSessionRequest.cursorId":       "clients send it; see newer",
}

// newer lists the definitions that the schema in the npm package lacks so far. Version
// 1.20 of the Rust crate agent-client-protocol-schema has them.
var newer = []string{"CursorUpdate", "CursorCapabilities", "CursorAnchor"}

// newerTags lists the parts of unions that the npm package lacks.
var newerTags = map[string][]string{"SessionUpdate": {"cursor_update"}}

func TestEveryMemberIsOfficial(t *testing.T) {
	used := map[string]bool{}
	eachObject(t, func(t *testing.T, name string, our, their shape) {
		for member := range our.members {
			if _, ok := their.members[member]; ok {
				continue
			}
			full := name + "." + member
			require.Contains(t, added, full, "the official schema has no such member")
			used[full] = true
		}
	})
	require.ElementsMatch(t, slices.Collect(maps.Keys(added)), names(used), "an exception is out of date")
}

// unstable lists everything that is in no stable version of the schema, and when
// it is sent.
var unstable = map[string]string{
	"ClientCapabilities.plan":                 "clients send it",
	"ClientCapabilities.subagents":            "clients send it",
	"SubagentCapabilities":                    "clients send it",
	"SubagentSessionCapabilities":             "where the client has the capability subagents",
	"SubagentUpdate":                          "where the client has the capability subagents",
	"StateUpdate":                             "where the client has the capability subagents",
	"SessionMessage":                          "where the client has the capability subagents",
	"SessionCapabilities.systemPrompt":        "where the agent takes one",
	"SessionSystemPromptCapabilities":         "where the agent takes one",
	"SessionSystemPromptModeCapabilities":     "where the agent takes one",
	"SessionSystemPromptOverrideCapabilities": "where the agent takes one",
	"SystemPrompt":                            "clients send it",
	"NewSessionRequest.systemPrompt":          "clients send it",
	"LoadSessionRequest.systemPrompt":         "clients send it",
	"ResumeSessionRequest.systemPrompt":       "clients send it",
	"ForkSessionRequest":                      "clients send it",
	"ForkSessionResponse":                     "to those that do",
	"SetSessionTitleRequest":                  "clients send it",
	"SetSessionTitleResponse":                 "to those that do",
	"SessionCapabilities.fork":                "where the client has asked for it in _meta",
	"SessionCapabilities.title":               "an offer, of which others know nothing",
	"PlanCapabilities":                        "clients send it",
	"PlanUpdate":                              "where the client has the capability plan",
	"PlanUpdateContent":                       "where the client has the capability plan",
	"PlanRemoved":                             "where the client has the capability plan",
}

func TestUnstableMembersAreListed(t *testing.T) {
	stable := load(t, "schema.json")
	used := map[string]bool{}
	eachObject(t, func(t *testing.T, name string, our, _ shape) {
		def, ok := stable.defs[name]
		if !ok {
			used[name] = true
			return
		}
		known := stable.shape(def).members
		for member := range our.members {
			full := name + "." + member
			if _, ok := known[member]; !ok && added[full] == "" {
				used[full] = true
			}
		}
	})
	require.ElementsMatch(t, slices.Collect(maps.Keys(unstable)), names(used))
}

// stricter lists the members that only we require, and why nothing is lost.
var stricter = map[string]string{
	"InitializeResponse.authMethods":     "clients iterate over it, so an empty list is always written",
	"CreateElicitationRequest.sessionId": "Turnwire asks within a session only",
	"ElicitationSchema.type":             "official default, always written",
	"ElicitationSchema.properties":       "a form without a field asks nothing",
}

func TestTheSameMembersAreRequired(t *testing.T) {
	used := map[string]bool{}
	eachObject(t, func(t *testing.T, name string, our, their shape) {
		for member := range their.required {
			require.True(t, our.required[member], "%s.%s is required", name, member)
		}
		for member := range our.required {
			if full := name + "." + member; !their.required[member] {
				require.Contains(t, stricter, full, "only we require it")
				used[full] = true
			}
		}
	})
	require.ElementsMatch(t, slices.Collect(maps.Keys(stricter)), names(used), "an exception is out of date")
}

// narrower lists the members for which we name fewer values, and why.
var narrower = map[string]string{
	"CreateElicitationResponse.action": "whatever is not accept refuses, so it stays an open string",
	"CreateElicitationRequest.mode":    "Turnwire asks by form only",
	"SessionConfigOption.category":     "an agent may have categories of its own, so it stays an open string",
	"ElicitationPropertySchema.type":   "questions need a string or a list of strings; no numbers, no booleans",
}

func TestEnumsHaveTheSameValues(t *testing.T) {
	used := map[string]bool{}
	eachObject(t, func(t *testing.T, name string, our, their shape) {
		for member, v := range our.members {
			full := name + "." + member
			if _, ok := narrower[full]; ok {
				require.Subset(t, names(their.members[member].values), names(v.values), full)
				used[full] = true
				continue
			}
			require.Equal(t, names(their.members[member].values), names(v.values), full)
		}
	})
	require.ElementsMatch(t, slices.Collect(maps.Keys(narrower)), names(used), "an exception is out of date")
}

// looser lists the members that may have a type that the official schema doesn't
// allow, and why that type is never written.
var looser = map[string]string{}

func TestMembersHaveOfficialTypes(t *testing.T) {
	eachObject(t, func(t *testing.T, name string, our, their shape) {
		for member, v := range our.members {
			allowed := their.members[member].types
			if _, ok := looser[name+"."+member]; ok || allowed == nil {
				continue
			}
			require.Subset(t, names(allowed), names(v.types), "%s.%s", name, member)
		}
	})
}

// leftOut lists the parts of the official unions that Turnwire doesn't support,
// and why.
var leftOut = map[string]map[string]string{
	"SessionUpdate": {
		"compaction_summary_chunk": "agents report a summary whole, within compaction_update",
		"session_message_chunk":    "unstable: what a sub-agent is told, and says in the end, is known whole",
	},
	"ContentBlock":    {},
	"ToolCallContent": {},
}

func TestUnionsHaveTheOfficialTagsExceptListedOnes(t *testing.T) {
	our, their := ours(t), official(t)
	require.Len(t, leftOut, len(unions))
	for name, key := range unions {
		known := append(our.tags(name, key), slices.Collect(maps.Keys(leftOut[name]))...)
		require.ElementsMatch(t, append(their.tags(name, key), newerTags[name]...), known, name)
	}
}

func TestEachMethodHasItsOfficialParamsAndResult(t *testing.T) {
	our, their := ours(t), official(t)
	for message := range messages {
		for _, keyword := range []string{"oneOf", "anyOf"} {
			for _, branch := range items(our.defs[message][keyword]) {
				members := object(asNode(branch)["properties"])
				method, _ := object(members["method"])["const"].(string)
				if method == "" || method[0] == '_' {
					continue
				}
				def := their.resolve(object(members["params"])["$ref"].(string))
				require.Equal(t, method, def["x-method"], message)
			}
		}
	}
}

// ownEnums lists the enums that only our schema names; the official one defines
// them inline.
var ownEnums = []string{
	"ElicitationMode", "ElicitationPropertyType", "PlanUpdateContentType", "RequestPermissionOutcomeKind", "SessionConfigOptionType",
	"StateUpdateState", "StateUpdateStopReason",
}

// eachObject calls check with each object of our schema and the official one of
// the same name. Enum values are compared where members use them.
func eachObject(t *testing.T, check func(t *testing.T, name string, our, their shape)) {
	t.Helper()
	our, their := ours(t), official(t)
	for _, name := range slices.Sorted(maps.Keys(our.defs)) {
		def := our.defs[name]
		switch {
		case messages[name] || unions[name] != "":
			continue
		case def["enum"] != nil:
			_, known := their.defs[name]
			require.NotEqual(t, known, slices.Contains(ownEnums, name), "%s is official, or one of ours", name)
		case name == marker:
			for _, official := range markers {
				require.Contains(t, their.defs, official)
				check(t, official, our.shape(def), their.shape(their.defs[official]))
			}
		case slices.Contains(newer, name):
			require.NotContains(t, their.defs, name, "it can be compared now")
		default:
			require.Contains(t, their.defs, name, "the official schema has no such definition")
			check(t, name, our.shape(def), their.shape(their.defs[name]))
		}
	}
}
