//go:build unix && !linux

package child_test

// parentVariable is only used on Linux: elsewhere, the death of a parent ends
// nothing else.
const parentVariable = "TURNWIRE_TEST_PARENT"

func beParent() {}
