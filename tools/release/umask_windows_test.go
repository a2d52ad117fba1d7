package main

import "testing"

// restrictModes does nothing: files have no modes here.
func restrictModes(*testing.T) {}
