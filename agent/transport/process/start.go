package process

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/transport/child"
)

// ready waits until the child is started, and returns nil where there is none.
func (r *run) ready() *child.Child {
	<-r.started
	return r.child
}

// isStarted reports whether there is a child.
func (r *run) isStarted() bool {
	select {
	case <-r.started:
		return r.child != nil
	default:
		return false
	}
}

// start starts the child and all that serves it, unless nobody waits for it any
// more.
func (r *run) start() error {
	defer close(r.started)
	if r.isUnwanted() {
		r.end()
		return nil
	}
	s := r.session
	c, err := child.Start(child.Spec{
		Args:  s.config.Args,
		Dir:   s.options.Cwd,
		Env:   s.config.Env,
		Stdin: true,
		Log:   s.options.Log,
	})
	if err != nil {
		return err
	}
	r.child = c
	s.runs.Go(r.serve)
	s.runs.Go(func() {
		defer close(r.written)
		if err := r.commands.writeTo(c.Stdin()); err != nil {
			s.options.Log.Debug("the agent's stdin is closed", "error", err)
		}
	})
	return nil
}

// silence drops all that comes from now on, unseen.
func (r *run) silence() {
	r.silenced.Do(func() { close(r.silent) })
	r.gate.shut()
}

// replace makes place for another run, and returns when nothing is left of the
// child.
func (r *run) replace() {
	r.silence()
	if c := r.ready(); c != nil {
		c.Kill()
		c.Wait()
	}
}

// isUnwanted reports whether the run was silenced or its turn abandoned.
func (r *run) isUnwanted() bool {
	select {
	case <-r.silent:
		return true
	default:
	}
	_, abandoned := r.abandonedTurn()
	return abandoned
}

// fail says that there is no child.
func (r *run) fail(err error) {
	r.end()
	r.commands.drop()
	r.mu.Lock()
	turn := r.turn
	r.mu.Unlock()
	r.gate.pass(agent.One{Event: &agent.Error{Error: err.Error(), Code: CodeNotStarted, Base: agent.Base{TurnID: turn}}}, r.session.events)
}
