package journal

import (
	"errors"
	"fmt"
	"regexp"
)

// numbered matches the end of a title that [Distinguish] made.
var numbered = regexp.MustCompile(` \(\d{1,4}\)$`)

// Distinguish sets the title of a copied session to one that tells it from the original
// in a list: the given one, or else its present one, with a number if a session of the
// same agent and folder already has it. It compares the latest sessions only.
func Distinguish(store Store, to Journal, given string) error {
	err := to.Sync() // some stores learn in the background what they can describe
	if errors.Is(err, ErrLate) {
		return nil // only the title suffers
	}
	if err != nil {
		return err
	}
	id := to.Header().ID
	copied, err := store.Describe(id)
	if err != nil {
		return err
	}
	title := copied.Title
	if given != "" && !copied.Named {
		title = given
	}
	page, _ := store.List(Filter{Agent: copied.Agent, Cwd: copied.Cwd}) // again, only the title
	taken := map[string]bool{"": true}
	for _, s := range page.Sessions {
		taken[s.Title] = taken[s.Title] || s.ID != id
	}
	distinct := title
	for n := 2; title != "" && taken[distinct]; n++ {
		distinct = withNumber(title, n)
	}
	if distinct == copied.Title {
		return nil
	}
	return to.Retitle(distinct, copied.Named)
}

// withNumber adds a number to a title, instead of the one it may have. The result isn't
// longer than a derived title, so that no list cuts the number off.
func withNumber(title string, n int) string {
	number := fmt.Sprintf(" (%d)", n)
	text := []rune(numbered.ReplaceAllString(title, ""))
	if most := maxTitleLength - len(number); len(text) > most {
		text = append(text[:most-1], '…')
	}
	return string(text) + number
}
