package ahp

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Supported lists the supported versions, newest first. Each stands for all versions
// that are compatible with it under semantic versioning.
var Supported = []string{"1.0.0", "0.9.0"}

// Errors of [Negotiate].
var (
	ErrVersion   = errors.New("none of the offered protocol versions is supported")
	ErrMalformed = errors.New("a protocol version is MAJOR.MINOR.PATCH")
)

type version [3]int

func parse(s string) (v version, err error) {
	parts := strings.Split(s, ".")
	if len(parts) != len(v) {
		return v, fmt.Errorf("%w: %q", ErrMalformed, s)
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil || part != strconv.FormatUint(n, 10) {
			return v, fmt.Errorf("%w: %q", ErrMalformed, s)
		}
		v[i] = int(n)
	}
	return v, nil
}

func (v version) less(w version) bool {
	for i := range v {
		if v[i] != w[i] {
			return v[i] < w[i]
		}
	}
	return false
}

// fits reports whether v is compatible with a supported version.
func (v version) fits() bool {
	return v[0] == 1 || v[0] == 0 && v[1] == 9
}

// Negotiate returns the highest offered version that is supported, as it was offered.
func Negotiate(offered []string) (string, error) {
	var best version
	var chosen string
	for _, s := range offered {
		v, err := parse(s)
		if err != nil {
			return "", err
		}
		if v.fits() && (chosen == "" || best.less(v)) {
			best, chosen = v, s
		}
	}
	if chosen == "" {
		return "", ErrVersion
	}
	return chosen, nil
}
