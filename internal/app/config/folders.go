package config

import (
	"errors"
	"slices"
)

// checkFolders validates the "folders" key.
func (f *File) checkFolders(name string, lines map[string]int) error {
	if slices.Contains(f.Folders, "") {
		return &Error{name, lines["folders"], "folders", errors.New("must not contain an empty path")}
	}
	return nil
}

// Folders returns the absolute paths of the folders that the user's file offers for new
// chats.
func (p Places) Folders() (all []string, err error) {
	f, err := p.own()
	if err != nil {
		return nil, err
	}
	for _, folder := range f.Folders {
		if folder, err = p.resolve(folder); err != nil {
			return nil, err
		}
		all = append(all, folder)
	}
	return all, nil
}
