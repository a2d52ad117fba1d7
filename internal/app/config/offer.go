package config

import (
	"errors"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// An Offer names those of Turnwire's tools that an agent may use. Its only element may be
// [AllTools].
type Offer []string

// AllTools stands for all tools in an [Offer].
const AllTools = "*"

var errOffer = errors.New("must be true, false or a list of tools")

// UnmarshalJSON implements [json.Unmarshaler].
func (o *Offer) UnmarshalJSON(raw []byte) error {
	var all bool
	switch {
	case exactjson.Unmarshal(raw, &all) != nil:
		if exactjson.Unmarshal(raw, (*[]string)(o)) != nil {
			return errOffer
		}
	case all:
		*o = Offer{AllTools}
	}
	return nil
}
