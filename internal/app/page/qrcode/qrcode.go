// Package qrcode draws QR codes in a terminal.
package qrcode

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// margin is the light border around a code, in squares.
const margin = 4

// Draw returns the lines that show a text as a QR code. Each character is two squares,
// one above the other. The colours are set explicitly, so that the code looks the same in
// any terminal theme. There are no other control characters.
func Draw(text string) (string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", fmt.Errorf("QR code for the URL: %w", err)
	}
	var out strings.Builder
	for y := -margin; y < code.Size+margin; y += 2 {
		out.WriteString("\x1b[30;107m") // black on bright white
		for x := -margin; x < code.Size+margin; x++ {
			out.WriteString(halves[dark(code, x, y)][dark(code, x, y+1)])
		}
		out.WriteString("\x1b[0m\n")
	}
	return out.String(), nil
}

// halves are the characters for each combination of a dark upper and lower square.
var halves = map[bool]map[bool]string{
	false: {false: " ", true: "▄"},
	true:  {false: "▀", true: "█"},
}

func dark(code *qr.Code, x, y int) bool {
	return x >= 0 && y >= 0 && x < code.Size && y < code.Size && code.Black(x, y)
}
