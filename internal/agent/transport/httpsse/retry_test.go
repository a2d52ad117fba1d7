package httpsse_test

import (
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

func TestARequestFailsAgainUnlessTheServerWasBusyOrAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{}, func(w http.ResponseWriter, r *http.Request) {
			status, _ := strconv.Atoi(r.URL.Query().Get("status"))
			w.WriteHeader(status)
		})
		for status, want := range map[int]bool{
			200: true, // not the JSON that is expected
			302: true, 400: true, 401: true, 404: true, 410: true,
			408: false, 429: false, 500: false, 503: false,
		} {
			err := c.Call(t.Context(), http.MethodGet, "?status="+strconv.Itoa(status), nil, new(int))
			require.Error(t, err)
			require.Equal(t, want, httpsse.IsPermanent(err), "%v", err)
		}
		require.True(t, httpsse.IsPermanent(&httpsse.TooLongError{}))
	})
	gone, err := httpsse.New(httpsse.Config{BaseURL: "http://127.0.0.1:0"})
	require.NoError(t, err)
	defer gone.Close()
	require.False(t, httpsse.IsPermanent(gone.Call(t.Context(), http.MethodGet, "", nil, nil)))
}

func TestCookiesOfARedirectAreReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{BaseURL: "/login?token=s3cret-token"}, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("token") != "s3cret-token" || r.URL.Path != "/login/now" {
				http.Error(w, "unknown path", http.StatusNotFound)
				return
			}
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			http.Redirect(w, r, "/", http.StatusFound)
		})
		cookies, err := c.Cookies(t.Context(), http.MethodGet, "now")
		require.NoError(t, err)
		require.Len(t, cookies, 1)
		require.Equal(t, "b", cookies[0].Value)
		_, err = c.Cookies(t.Context(), http.MethodGet, "then")
		require.ErrorContains(t, err, "GET http://server/login/then returned 404 Not Found: unknown path")
	})
}
