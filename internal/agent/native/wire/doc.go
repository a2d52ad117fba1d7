// Package wire decodes Turnwire's own dialect: the JSON of [agent.Event], one
// object a line. It is a superset of the vocabulary of Ethos (seed 000).
//
// The structs of the events define the dialect: their tags name the members.
// Members that a type does not define become its Extra.
package wire
