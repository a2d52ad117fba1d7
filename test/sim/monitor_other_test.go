//go:build !linux

package sim

// calmMonitor is not possible here.
func calmMonitor() {}
