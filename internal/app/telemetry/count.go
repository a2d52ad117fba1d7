package telemetry

import "io"

// Count counts the bytes that an agent's client sends and receives. A nil Telemetry
// returns both streams unchanged.
func (t *Telemetry) Count(agent string, in io.Reader, out io.WriteCloser) (io.Reader, io.WriteCloser) {
	if t == nil {
		return in, out
	}
	all := t.metrics.totals.of(agent)
	return &countedReader{in, all}, &countedWriter{out, all}
}

type countedReader struct {
	io.Reader

	totals *totals
}

// Read implements [io.Reader].
func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.totals.toAgent.Add(int64(n))
	return n, err
}

type countedWriter struct {
	io.WriteCloser

	totals *totals
}

// Write implements [io.Writer].
func (w *countedWriter) Write(p []byte) (int, error) {
	n, err := w.WriteCloser.Write(p)
	w.totals.toClient.Add(int64(n))
	return n, err
}
