package config

import (
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Sessions says which sessions are saved, and for how long. Only the user's own file can
// set it.
type Sessions struct {
	Keep      *bool `json:"keep,omitempty" jsonschema:"description=Whether to save sessions. Default: true."`
	Days      *int  `json:"days,omitempty" jsonschema:"minimum=0,description=Sessions that have not changed for this many days are deleted. 0 means never. Default: 90."`
	Megabytes *int  `json:"megabytes,omitempty" jsonschema:"minimum=0,description=The size limit of all saved sessions, in megabytes. Above it, the oldest are deleted. 0 means no limit. Default: 1024."`
}

// The defaults of [Sessions].
const (
	defaultDays      = 90
	defaultMegabytes = 1024
)

// Saved reports whether sessions are saved.
func (s *Sessions) Saved() bool { return s.Keep == nil || *s.Keep }

// Age returns how long an unchanged session is kept; 0 means forever.
func (s *Sessions) Age() time.Duration {
	return time.Duration(value(s.Days, defaultDays)) * 24 * time.Hour
}

// Bytes returns the size limit of all saved sessions together; 0 means no limit.
func (s *Sessions) Bytes() int64 { return int64(value(s.Megabytes, defaultMegabytes)) << 20 }

func value(v *int, absent int) int {
	if v == nil {
		return absent
	}
	return *v
}

// Sessions returns the session settings in the user's file.
func (p Places) Sessions() (Sessions, error) {
	f, err := p.own()
	if err != nil || f.Sessions == nil {
		return Sessions{}, err
	}
	return *f.Sessions, nil
}

// StateFolder returns the folder for Turnwire's state: the XDG state folder, or the
// system's equivalent.
func StateFolder() (string, error) {
	if base := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "turnwire"), nil
	}
	switch runtime.GOOS {
	case "windows":
		base, err := os.UserCacheDir() // %LocalAppData%
		return filepath.Join(base, "turnwire", "state"), err
	case "darwin":
		base, err := os.UserConfigDir() // ~/Library/Application Support
		return filepath.Join(base, "turnwire", "state"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "turnwire"), err
}
