// Package wire decodes Turnwire's own dialect: the JSON of [agent.Event], one
// object per line. It is a superset of the Ethos vocabulary.
//
// The event structs define the dialect: their tags name the members. Members
// that a type does not define become its Extra.
package wire
