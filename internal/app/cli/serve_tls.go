package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/localca"
	"github.com/turnwire/turnwire/internal/app/page/qrcode"
)

// tlsAuto is the value of --tls.
const tlsAuto = "auto"

// checkTLS checks the flags for TLS.
func (o *serveOptions) checkTLS() error {
	switch {
	case o.tls == "":
		return nil
	case o.tls != tlsAuto:
		return usagef("--tls %q: must be %s; --tls-cert and --tls-key use a certificate of your own", o.tls, tlsAuto)
	case o.config.TLSCert != "" || o.config.TLSKey != "":
		return usagef("--tls and --tls-cert cannot be used together")
	case o.config.Listen == "":
		return usagef("--tls needs --listen")
	}
	return nil
}

// certify gives the server a certificate from this user's own authority, with --tls auto.
func (o *serveOptions) certify(log *slog.Logger) error {
	if o.tls == "" {
		return nil
	}
	state, err := config.StateFolder()
	if err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		log.Warn("this machine's name", "error", err)
	}
	authority, err := localca.Open(filepath.Join(state, "tls"), host)
	if err != nil {
		return err
	}
	for _, name := range o.config.Hosts {
		if !authority.Permits(name) {
			return usagef("--allow-host %s: a local authority can't certify public names: use --tls-cert and --tls-key", name)
		}
	}
	certificate, err := authority.Server(append(o.config.Hosts, host, host+".local"), localca.Addresses, log)
	if err != nil {
		return err
	}
	o.authority, o.config.Certificate, o.config.Trust = authority, certificate, authority.Handler()
	return nil
}

// showTrust says how another device comes to trust the server. at is the server's URL.
func (o *serveOptions) showTrust(stderr io.Writer, at string, log *slog.Logger) {
	if o.authority == nil {
		return
	}
	url := at + localca.Path
	fmt.Fprintf(stderr, "turnwire: other devices must trust this server once: open %s there\n", url)
	fmt.Fprintf(stderr, "turnwire: the certificate has the SHA-256 fingerprint\n  %s\n", o.authority.Fingerprint())
	if !o.qr {
		return
	}
	code, err := qrcode.Draw(url)
	if err != nil {
		log.Error("the QR code cannot be shown", "error", err)
		return
	}
	fmt.Fprintf(stderr, "\nFirst, once for each device: trust the server.\n\n%s\n%s\n\nThen open the page.\n", code, url)
}

// ownAddress returns an address by which other machines of a private network reach this
// one, or "".
func ownAddress() string {
	for _, ip := range localca.Addresses() {
		if !ip.IsLoopback() {
			return ip.String()
		}
	}
	return ""
}
