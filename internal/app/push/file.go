package push

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	webpush "github.com/SherClockHolmes/webpush-go"
	"github.com/gofrs/flock"

	"github.com/turnwire/turnwire/internal/atomicfile"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxFile is the maximum size of the file, in bytes. It has room for all subscriptions.
const maxFile = 4 << 20

// content is the file's JSON. The keys are those of VAPID, in Base64.
type content struct {
	PrivateKey    string  `json:"privateKey"`
	PublicKey     string  `json:"publicKey"`
	Subscriptions []saved `json:"subscriptions"`
}

// read reads the file. If it doesn't exist, it returns a new key pair. A damaged file is
// an error: with other keys, no browser would accept a message.
func read(path string) (c content, err error) {
	text, err := atomicfile.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		c.PrivateKey, c.PublicKey, err = webpush.GenerateVAPIDKeys()
		return c, err
	}
	if err != nil {
		return c, err
	}
	if err := exactjson.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("%s is damaged: %w", path, err)
	}
	private, err1 := decode(c.PrivateKey)
	public, err2 := decode(c.PublicKey)
	if err1 != nil || err2 != nil || len(private) != 32 || len(public) != 65 {
		return c, fmt.Errorf("%s is damaged: it contains an invalid key", path)
	}
	for _, s := range c.Subscriptions {
		if err := s.check(); err != nil {
			return c, fmt.Errorf("%s is damaged: %w", path, err)
		}
	}
	return c, nil
}

// change changes the file with by, and returns the new content. by reports whether it
// changed anything.
func change(path string, by func(*content) (changed bool, err error)) (c content, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return c, err
	}
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	_, missing := os.Stat(path)
	if c, err = read(path); err != nil {
		return c, err
	}
	changed, err := by(&c)
	if err != nil || !changed && missing == nil {
		return c, err
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return c, err
	}
	return c, atomicfile.WritePrivate(path, append(text, '\n'))
}
