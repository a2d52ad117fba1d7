//go:build soak && linux

package nats

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	nats "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
	"github.com/turnwire/turnwire/internal/bridge/journal/storetest"
)

// startCluster runs a cluster of three NATS servers.
func startCluster(t *testing.T) (all map[string]*server.Server, urls string) {
	t.Helper()
	// Each server has its own loopback address, so that a fixed port is free.
	var routes []*url.URL
	for i := range 3 {
		host := fmt.Sprintf("127.77.%d.%d", os.Getpid()%250, i+1)
		routes = append(routes, &url.URL{Scheme: "nats", Host: net.JoinHostPort(host, "6222")})
	}
	all = make(map[string]*server.Server)
	var list []string
	for i, r := range routes {
		name := fmt.Sprintf("n%d", i)
		all[name] = startNATS(t, func(o *server.Options) {
			o.ServerName, o.Routes = name, routes
			o.Cluster.Name, o.Cluster.Host, o.Cluster.Port = "tea", r.Hostname(), 6222
		})
		list = append(list, all[name].ClientURL())
	}
	return all, strings.Join(list, ",")
}

// One of three servers may die at any time: nothing is missing, and nothing is
// duplicated.
func TestAClusterLosesNothingIfAServerDies(t *testing.T) {
	all, urls := startCluster(t)
	var s *natsstore.Store
	require.Eventually(t, func() bool { // the servers have to find each other
		var err error
		s, err = natsstore.Open(t.Context(), natsstore.Config{URL: urls, Owner: "a", Replicas: 3, Lease: time.Hour})
		return err == nil
	}, deadline, 100*time.Millisecond)
	t.Cleanup(func() { _ = s.Close() })
	c, err := nats.Connect(urls)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	require.NoError(t, err)
	stream, err := js.Stream(t.Context(), "TURNWIRE")
	require.NoError(t, err)
	about, err := stream.Info(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, about.Config.Replicas)
	require.Len(t, about.Cluster.Replicas, 2)

	j := oneRecord(t, s)
	s.Asked("a", "q", made("q", "none"))
	const more = 200
	for i := range more {
		if i == more/2 {
			all[about.Cluster.Leader].Shutdown()
		}
		require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: "n", Data: fmt.Appendf(nil, `{"n":%d}`, i)}}))
		require.NoError(t, j.(journal.Settler).Settle())
	}
	require.Eventually(t, func() bool { return j.Sync() == nil }, deadline, 10*time.Millisecond)
	require.NoError(t, s.Answered("a", "q", made("q", "allow"))())
	other := openStore(t, natsstore.Config{URL: urls, Owner: "b"})
	require.Len(t, storetest.All(t, other, "a", 1), 1+more)
	_, err = other.Own("a")
	require.ErrorContains(t, err, "is open in a")
	require.NoError(t, j.Close())
	k, err := other.Own("a")
	require.NoError(t, err)
	require.Len(t, decisionsIn(t, other, "a"), 1)
	require.NoError(t, k.Close())
}
