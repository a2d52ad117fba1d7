package ethos

import "errors"

// errIncomplete says that an event lacks what it cannot do without.
var errIncomplete = errors.New("the event is incomplete")
