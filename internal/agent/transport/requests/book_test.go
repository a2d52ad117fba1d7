package requests_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
)

// A server records the answers that it gets.
type server struct {
	requests.Book
	got []string
	err error // what each answer fails with
}

func (s *server) send(_ context.Context, a requests.Answer) error {
	what := "refuse"
	if a.Allows() {
		what = "allow"
	}
	s.got = append(s.got, what+" "+a.ID)
	return s.err
}

func (s *server) confirm(id string, d agent.Decision) error {
	return s.Confirm(context.Background(), agent.ConfirmationResponse{ConfirmationID: id, ToolCallID: "c", Decision: d}, s.send)
}

var (
	one      = requests.Request{ID: "1", Call: "c"}
	two      = requests.Request{ID: "2", Call: "c"}
	question = requests.Request{ID: "1", Question: true}
	errLost  = errors.New("the connection broke")
)

// waitsFor returns a server that waits for these requests.
func waitsFor(list ...requests.Request) *server {
	s := new(server)
	for _, q := range list {
		s.Add(q)
	}
	return s
}

func TestARequestIsAnsweredOnce(t *testing.T) {
	s := waitsFor(two, one, question)
	require.False(t, s.Add(one), "it is known")
	for range 2 {
		require.NoError(t, s.confirm("1", agent.AllowOnce))
		require.NoError(t, s.Answer(t.Context(), agent.QuestionResponse{QuestionID: "1"}, s.send))
		require.NoError(t, s.confirm("unknown", agent.AllowOnce))
	}
	require.NoError(t, s.RefuseAll(t.Context(), s.send))
	require.Equal(t, []string{"allow 1", "allow 1", "refuse 2"}, s.got)
	require.False(t, s.Add(one), "it stays known")
}

func TestARequestThatIsSettledElsewhereIsNotAnswered(t *testing.T) {
	s := waitsFor(one, question)
	s.Settle(question)
	require.True(t, s.Knows(question))
	require.NoError(t, s.Answer(t.Context(), agent.QuestionResponse{QuestionID: "1"}, s.send))
	require.NoError(t, s.Refuse(t.Context(), question, "", s.send))
	require.NoError(t, s.Refuse(t.Context(), one, "", s.send))
	require.Equal(t, []string{"refuse 1"}, s.got)
}

func TestOneDecisionAboutTwoRequestsPermitsNone(t *testing.T) {
	s := waitsFor(one, two)
	require.NoError(t, s.confirm("", agent.AllowAlways))
	require.Equal(t, []string{"refuse 1", "refuse 2"}, s.got)
	s = waitsFor(one, two)
	s.Settle(one)
	require.NoError(t, s.confirm("", agent.AllowAlways))
	require.Equal(t, []string{"allow 2"}, s.got)
}

func TestOnlyARefusalFollowsAnAnswerThatFailed(t *testing.T) {
	for _, first := range []agent.Decision{agent.AllowOnce, agent.RejectOnce} {
		s := waitsFor(one)
		s.err = errLost
		require.ErrorIs(t, s.confirm("1", first), errLost)
		s.err, s.got = nil, nil
		require.NoError(t, s.confirm("1", agent.AllowOnce))
		require.NoError(t, s.confirm("1", agent.RejectOnce))
		require.NoError(t, s.RefuseAll(t.Context(), s.send))
		require.Equal(t, []string{"refuse 1"}, s.got)
	}
}

func TestDeferredAnswersAreReleasedInOrder(t *testing.T) {
	s := waitsFor(one, two, question)
	s.Defer(true)
	require.NoError(t, s.confirm("2", agent.AllowOnce))
	require.NoError(t, s.confirm("1", agent.RejectOnce))
	require.NoError(t, s.Answer(t.Context(), agent.QuestionResponse{QuestionID: "1"}, s.send))
	require.NoError(t, s.confirm("2", agent.RejectOnce), "it is decided")
	s.Settle(one)
	require.Empty(t, s.got)
	require.NoError(t, s.Release(t.Context(), s.send))
	require.Equal(t, []string{"allow 2", "allow 1"}, s.got)
	s.Add(requests.Request{ID: "3"})
	require.NoError(t, s.confirm("3", agent.AllowOnce))
	require.Len(t, s.got, 3, "answers are no longer deferred")
}

func TestAReleaseEndsWhereTheServerAcceptsNothing(t *testing.T) {
	s := waitsFor(one, two)
	s.Defer(true)
	require.NoError(t, s.confirm("1", agent.AllowOnce))
	require.NoError(t, s.confirm("2", agent.AllowOnce))
	s.err = requests.ErrLater
	require.NoError(t, s.Release(t.Context(), s.send))
	require.Equal(t, []string{"allow 1"}, s.got)
	s.err, s.got = nil, nil
	require.NoError(t, s.Release(t.Context(), s.send))
	require.Equal(t, []string{"allow 2", "allow 1"}, s.got)
}

func TestARefusalOfAllWithdrawsDeferredAnswers(t *testing.T) {
	s := waitsFor(one, two)
	s.Defer(true)
	require.NoError(t, s.confirm("1", agent.AllowOnce))
	require.NoError(t, s.RefuseAll(t.Context(), s.send))
	require.NoError(t, s.Release(t.Context(), s.send))
	require.Equal(t, []string{"refuse 1", "refuse 2"}, s.got)
}

func TestAnswersThatTheServerDoesNotAcceptYetAreDeferred(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := waitsFor(one, two)
		s.err = fmt.Errorf("the run is suspended: %w", requests.ErrLater)
		var got []requests.Answer
		go func() { got, _ = s.Await(t.Context(), 2) }()
		require.NoError(t, s.confirm("1", agent.AllowOnce))
		synctest.Wait()
		require.Empty(t, got, "one is missing")
		require.NoError(t, s.confirm("2", agent.RejectOnce))
		synctest.Wait()
		require.Equal(t, []requests.Request{one, two}, []requests.Request{got[0].Request, got[1].Request})
		require.NoError(t, s.RefuseAll(t.Context(), s.send), "the caller delivers them")
		require.Len(t, s.got, 2)

		ctx, stop := context.WithCancel(t.Context())
		stop()
		_, err := s.Await(ctx, 0)
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestSettledRequestsAreForgottenEventually(t *testing.T) {
	s := waitsFor(one, two)
	s.Settle(one)
	for i := range 2000 {
		q := requests.Request{ID: fmt.Sprint("q", i), Question: true}
		s.Add(q)
		s.Settle(q)
	}
	require.False(t, s.Knows(one))
	require.True(t, s.Knows(two), "it is open")
}

func TestConcurrentCallsAnswerEachRequestOnce(t *testing.T) {
	var book requests.Book
	book.Defer(true)
	const n = 100
	var mu sync.Mutex
	answers := make(map[string]int)
	send := func(_ context.Context, a requests.Answer) error {
		mu.Lock()
		defer mu.Unlock()
		answers[a.ID]++
		return nil
	}
	var work sync.WaitGroup
	for i := range n {
		q := requests.Request{ID: strconv.Itoa(i)}
		work.Go(func() {
			book.Add(q)
			assert.NoError(t, book.Confirm(t.Context(), agent.ConfirmationResponse{ConfirmationID: q.ID, Decision: agent.AllowOnce}, send))
		})
		switch i % 10 {
		case 0:
			work.Go(func() { assert.NoError(t, book.RefuseAll(t.Context(), send)) })
		case 1:
			work.Go(func() { assert.NoError(t, book.Release(t.Context(), send)) })
		}
	}
	work.Wait()
	require.NoError(t, book.Release(t.Context(), send))
	require.Len(t, answers, n)
	for id, count := range answers {
		require.Equal(t, 1, count, id)
	}
}
