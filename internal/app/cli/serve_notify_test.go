package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheCommandThatAttachesIsSafeToCopy(t *testing.T) {
	attach := new(serveOptions).attaching()
	require.Equal(t, "turnwire attach tw-3k9", attach("tw-3k9"))
	for _, hostile := range []string{"", "-x", "$(reboot)", "a b", "a;b", "a\nb", "`a`"} {
		require.Empty(t, attach(hostile), hostile)
	}
	o := new(serveOptions)
	o.config.Socket = "/w/my socket"
	require.Equal(t, `turnwire attach --socket "/w/my socket" s`, o.attaching()("s"))
	o.config.Socket, o.config.Listen = "", ":7777"
	require.Nil(t, o.attaching(), "it has no socket")
}
