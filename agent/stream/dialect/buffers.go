package dialect

import "sync"

// buffers is a pool of free buffers of one size.
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

// release returns buf to the pool. Buffers of another size are dropped.
func (b *buffers) release(buf []byte) {
	if cap(buf) == b.size {
		buf = buf[:0]
		b.pool.Put(&buf)
	}
}
