//go:build !unix

package sim

// limitFiles is not possible here.
func (*World) limitFiles(uint64) (undo func()) { return nil }
