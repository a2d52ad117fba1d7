//go:build !linux

package pipe

import (
	"errors"
	"os"
)

// Only Linux lets a program ask for a larger pipe.

func size(*os.File) (int, error) { return 0, errors.ErrUnsupported }

func resize(*os.File, int) error { return errors.ErrUnsupported }

func isBusy(error) bool { return false }
