//go:build !linux

package main

import (
	"errors"
	"time"
)

// errNoUsage makes the bench report early that it can't run on this system.
var errNoUsage = errors.New("the bench reads what processes use from /proc and runs on Linux only")

func cpuTime(int) (time.Duration, error) { return 0, errNoUsage }
func peakMemory(int) (int64, error)      { return 0, errNoUsage }
func residentMemory(int) (int64, error)  { return 0, errNoUsage }
func writeCalls(int) (int64, error)      { return 0, errNoUsage }
