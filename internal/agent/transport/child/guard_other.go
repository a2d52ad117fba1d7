//go:build !linux

package child

// RunGuard does nothing on this system, which has no guards. main calls it on
// every system.
func RunGuard() {}
