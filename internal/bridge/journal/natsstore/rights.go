package natsstore

import (
	"context"
	"fmt"
	"math"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// rightsKey is no key of a session, and of no message.
const rightsKey = "rights"

// checkRights returns an error if this user may not write what it has to: NATS itself
// answers nothing then, as if it was not there. It writes nothing: what it sends
// follows on messages that are not there.
func checkRights(ctx context.Context, js jetstream.JetStream, owners, questions jetstream.KeyValue) error {
	const never = math.MaxInt64
	_, err := js.PublishMsg(ctx, nats.NewMsg(recordsPrefix+rightsKey), jetstream.WithExpectLastSequencePerSubject(never), jetstream.WithRetryAttempts(0))
	if err != nil && !isConflict(err) {
		return fmt.Errorf("its user may not write to %s>: %w", recordsPrefix, err)
	}
	for _, bucket := range []jetstream.KeyValue{owners, questions} {
		if _, err := bucket.Update(ctx, rightsKey, nil, never); err != nil && !isConflict(err) {
			return fmt.Errorf("its user may not write to the bucket %s: %w", bucket.Bucket(), err)
		}
	}
	return nil
}
