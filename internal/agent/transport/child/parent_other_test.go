//go:build unix && !linux

package child_test

// parentVariable is used on Linux alone: elsewhere a killed parent takes
// nobody with it.
const parentVariable = "TURNWIRE_TEST_PARENT"

func beParent() {}
