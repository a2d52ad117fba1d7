package qrcode_test

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	reader "github.com/makiuchi-d/gozxing/qrcode"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/page/qrcode"
)

// photograph returns the image that a camera sees.
func photograph(lines string) image.Image {
	const square = 4
	rows := strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
	var squares [][]bool
	for _, row := range rows {
		row = strings.TrimSuffix(strings.TrimPrefix(row, "\x1b[30;107m"), "\x1b[0m")
		var upper, lower []bool
		for _, c := range row {
			upper = append(upper, c == '▀' || c == '█')
			lower = append(lower, c == '▄' || c == '█')
		}
		squares = append(squares, upper, lower)
	}
	picture := image.NewGray(image.Rect(0, 0, len(squares[0])*square, len(squares)*square))
	for y := range picture.Rect.Max.Y {
		for x := range picture.Rect.Max.X {
			if !squares[y/square][x/square] {
				picture.SetGray(x, y, color.Gray{255})
			}
		}
	}
	return picture
}

func TestAScannerReadsTheCode(t *testing.T) {
	for _, text := range []string{
		"https://192.168.1.17:7777/#token=tw1_aBcDeFgHiJkLmNoPqRsTuV",
		"https://a-long-name-of-a-machine.in.a.long.domain.example.org:17777/#token=tw1_aBcDeFgHiJkLmNoPqRsTuV",
		"x",
	} {
		lines, err := qrcode.Draw(text)
		require.NoError(t, err)
		bitmap, err := gozxing.NewBinaryBitmapFromImage(photograph(lines))
		require.NoError(t, err)
		read, err := reader.NewQRCodeReader().Decode(bitmap, nil)
		require.NoError(t, err)
		require.Equal(t, text, read.GetText())
	}
}

func TestTooLongTextsAreErrors(t *testing.T) {
	_, err := qrcode.Draw(strings.Repeat("x", 8000))
	require.ErrorContains(t, err, "too long")
}
