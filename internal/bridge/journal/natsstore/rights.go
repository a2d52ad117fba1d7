package natsstore

import (
	"context"
	"fmt"
	"math"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// rightsKey is neither the key nor the subject of any session.
const rightsKey = "rights"

// checkRights returns an error if this user lacks write permission. Without this check,
// forbidden writes would look like an unreachable server, because NATS does not answer
// them. checkRights writes nothing, because it expects a last sequence number that does
// not exist.
func checkRights(ctx context.Context, js jetstream.JetStream, owners, questions jetstream.KeyValue) error {
	const never = math.MaxInt64
	_, err := js.PublishMsg(ctx, nats.NewMsg(recordsPrefix+rightsKey), jetstream.WithExpectLastSequencePerSubject(never), jetstream.WithRetryAttempts(0))
	if err != nil && !isConflict(err) {
		return fmt.Errorf("the NATS user may not write to %s>: %w", recordsPrefix, err)
	}
	for _, bucket := range []jetstream.KeyValue{owners, questions} {
		if _, err := bucket.Update(ctx, rightsKey, nil, never); err != nil && !isConflict(err) {
			return fmt.Errorf("the NATS user may not write to the bucket %s: %w", bucket.Bucket(), err)
		}
	}
	return nil
}
