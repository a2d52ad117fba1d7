//go:build !linux

package child

// RunGuard does nothing on this system, which has no guards. It is called at
// the very start of main all the same.
func RunGuard() {}
