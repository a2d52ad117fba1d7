package workspace

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

func parseSay(rest string) (step, error) {
	s, err := parseText(rest)
	return sayStep{s}, err
}

func parseThink(rest string) (step, error) {
	s, err := parseText(rest)
	return thinkStep{s}, err
}

func parsePlan(rest string) (step, error) {
	entries := splitList(rest, ";")
	if len(entries) == 0 {
		return nil, errors.New("the plan has no entries")
	}
	return planStep{entries}, nil
}

func parseRead(rest string) (step, error) {
	path, err := onlyPath(rest)
	return readStep(path), err
}

func parseList(rest string) (step, error) {
	path, err := onlyPath(rest)
	if errors.Is(err, errNoPath) {
		return listStep("."), nil
	}
	return listStep(path), err
}

func parseSearch(rest string) (step, error) {
	pattern, rest, err := cutWord(rest)
	if err != nil {
		return nil, err
	}
	if pattern == "" {
		return nil, errors.New("the pattern is missing")
	}
	glob, err := onlyPath(rest)
	if err != nil && !errors.Is(err, errNoPath) {
		return nil, err
	}
	return searchStep(pattern, glob), nil
}

func parseAppend(rest string) (step, error) {
	path, rest, err := cutPath(rest)
	if err == nil && rest == "" {
		err = errNoText
	}
	return appendStep(path, unescape(rest)), err
}

func parseEdit(rest string) (step, error) {
	path, rest, err := cutPath(rest)
	if err != nil {
		return nil, err
	}
	before, after, found := strings.Cut(rest, " => ")
	if !found {
		// If the new text is empty, the space after the arrow may be missing.
		if before, found = strings.CutSuffix(rest, " =>"); !found {
			return nil, errors.New("there is no ` => ` between the old and the new text")
		}
	}
	before, after = unescape(before), unescape(after)
	switch before {
	case "":
		return nil, errors.New("the old text is missing")
	case after:
		return nil, errors.New("the old and the new text are the same")
	}
	return editStep(path, before, after), nil
}

func parseWrite(rest string) (step, error) {
	path, rest, err := cutPath(rest)
	return writeStep(path, unescape(rest)), err
}

func parseRun(rest string) (step, error) {
	command, err := parseText(rest)
	return runStep(command), err
}

func parseAsk(rest string) (step, error) {
	question, choices, _ := strings.Cut(rest, "|")
	question, err := parseText(question)
	if err != nil {
		return nil, errors.New("the question is missing")
	}
	return askStep{question, splitList(choices, "|")}, nil
}

// maxWait keeps a typo from blocking a session for days.
const maxWait = time.Hour

func parseWait(rest string) (step, error) {
	seconds, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
	if err != nil || math.IsNaN(seconds) || seconds < 0 || seconds > maxWait.Seconds() {
		return nil, errors.New("the time must be a number of seconds from 0 to 3600")
	}
	return waitStep{seconds}, nil
}

func parseFail(rest string) (step, error) {
	s, err := parseText(rest)
	return failStep{s}, err
}

func parseHelp(string) (step, error) { return helpStep{}, nil }
