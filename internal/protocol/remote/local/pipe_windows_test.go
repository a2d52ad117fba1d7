package local_test

import (
	"crypto/rand"
	"io/fs"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"

	"github.com/turnwire/turnwire/internal/protocol/remote/local"
)

func TestOnlyItsUserCanUseAPipe(t *testing.T) {
	pipe, err := local.UserPipe()
	require.NoError(t, err)
	require.True(t, local.IsPipe(pipe))
	pipe += "-" + rand.Text()
	_, err = local.Dial(t.Context(), pipe)
	require.ErrorIs(t, err, fs.ErrNotExist)
	l, err := local.ListenPipe(pipe)
	require.NoError(t, err)
	_, err = local.ListenPipe(pipe)
	require.Error(t, err, "there is one already")
	accepted := make(chan net.Conn, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			accepted <- c
		}
	}()
	conn, err := local.Dial(t.Context(), strings.ReplaceAll(pipe, `\`, "/"))
	require.NoError(t, err)
	there := <-accepted
	handle := there.(interface{ Fd() uintptr }).Fd()
	about, err := windows.GetSecurityInfo(windows.Handle(handle), windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	require.NoError(t, err)
	owner, _, err := about.Owner()
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(about.String(), owner.String()), "%s", about)
	require.Equal(t, 1, strings.Count(about.String(), "("), "%s", about)
	_, err = conn.Write([]byte("hello"))
	require.NoError(t, err)
	text := make([]byte, 5)
	_, err = there.Read(text)
	require.NoError(t, err)
	require.Equal(t, "hello", string(text))
	require.NoError(t, conn.Close())
	require.NoError(t, there.Close())
	require.NoError(t, l.Close())
}
