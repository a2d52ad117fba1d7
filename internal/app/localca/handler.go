package localca

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strings"
)

// Path is the path of the page that explains how to trust the authority.
const Path = "/trust"

// pathFile is the path of the authority's certificate.
const pathFile = Path + "/turnwire-ca.crt"

//go:embed trust.html
var page string

var pageTemplate = template.Must(template.New("trust").Parse(page))

// Handler serves the page at [Path], and the certificate. It is for everyone who can reach
// the server: the certificate is no secret.
func (a *Authority) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Path, func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = pageTemplate.Execute(w, map[string]string{
			"File": pathFile, "Fingerprint": a.Fingerprint(), "Name": a.cert.Subject.CommonName,
		})
	})
	mux.HandleFunc("GET "+pathFile, func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		w.Header().Set("Content-Type", "application/x-x509-ca-cert")
		w.Header().Set("Content-Disposition", `attachment; filename="turnwire-ca.crt"`)
		_, _ = w.Write(a.Certificate())
	})
	return mux
}

func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
}

// policy lets the page use nothing but its own style.
var policy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-" + styleHash() + "'"

func styleHash() string {
	_, rest, _ := strings.Cut(page, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	return base64.StdEncoding.EncodeToString(sum[:])
}
