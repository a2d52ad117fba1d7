package notify

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// The headers of a signed webhook. The timestamp is in seconds since 1970. It is part of
// the signed text, so that a receiver can refuse an old request that somebody repeats.
const (
	signatureHeader = "Turnwire-Signature"
	timestampHeader = "Turnwire-Timestamp"
)

// A webhook receives notifications as JSON.
type webhook struct {
	client *http.Client
	url    string
	secret string // signs the requests; "" if they aren't signed
}

func (w webhook) send(ctx context.Context, m Message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	header := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"turnwire"}}
	if w.secret != "" {
		timestamp := strconv.FormatInt(time.Now().Unix(), 10)
		header.Set(timestampHeader, timestamp)
		header.Set(signatureHeader, "sha256="+sign(w.secret, timestamp+"."+string(body)))
	}
	return post(ctx, w.client, w.url, string(body), header)
}

func sign(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text)) // never returns an error
	return hex.EncodeToString(mac.Sum(nil))
}
