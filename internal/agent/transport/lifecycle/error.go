package lifecycle

// NewError returns a [Coded] error whose text says what went wrong and what to do. cause
// may be nil.
func NewError(code, text string, cause error) error { return &codedError{code, text, cause} }

type codedError struct {
	code, text string
	cause      error
}

// Error implements error.
func (e *codedError) Error() string { return e.text }

// Code implements [Coded].
func (e *codedError) Code() string { return e.code }

// Unwrap returns the cause.
func (e *codedError) Unwrap() error { return e.cause }
