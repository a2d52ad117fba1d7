package dialect

import "sync"

// buffers are the buffers of a size that no stream needs just now.
type buffers struct {
	size int
	pool sync.Pool // of *[]byte
}

var (
	small = buffers{size: smallBuffer}
	wide  = buffers{size: largeBuffer}
)

// get returns an empty buffer.
func (b *buffers) get() []byte {
	if buf, ok := b.pool.Get().(*[]byte); ok {
		return *buf
	}
	return make([]byte, 0, b.size)
}

// put takes a buffer of that size back; any other is let go.
func (b *buffers) put(buf []byte) {
	if cap(buf) == b.size {
		buf = buf[:0]
		b.pool.Put(&buf)
	}
}
