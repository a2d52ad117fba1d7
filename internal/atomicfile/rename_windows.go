package atomicfile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// rename replaces the file at path. Windows refuses while another process has the file
// open. Readers close it at once, so rename tries again for about two seconds.
func rename(from, path string) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := os.Rename(from, path)
		isOpen := errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
		if !isOpen || wait > time.Second {
			return err
		}
		time.Sleep(wait)
	}
}
