// Package wire decodes Turnwire's own dialect: the JSON of [agent.Event], one
// object a line. It is a superset of the vocabulary of Ethos (seed 000).
//
// The structs of the events are the table: their tags name the members. What a
// type does not define becomes its Extra.
package wire
