package terminal

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/sourcegraph/jsonrpc2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Chat holds a conversation over stream, whose other end is an ACP agent, on the whole
// screen, and closes stream. It returns the exit code of the process, and the error to
// be printed, if any. When ctx ends it leaves.
func Chat(ctx context.Context, stream jsonrpc2.ObjectStream, opts Options) (int, error) {
	if !opts.Interactive || opts.Dumb {
		_ = stream.Close()
		return ExitError, errors.New("a chat needs a terminal; turnwire run needs none")
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	client := newClient(ctx, stream, opts.Log)
	defer client.close()
	m := newChat(&conversation{client: client}, &opts)
	go m.talk.converse(opts)
	program := tea.NewProgram(m, programOptions(ctx, &opts)...)
	_, err := program.Run()
	switch {
	case m.broken != nil:
		return ExitError, m.broken
	case err != nil && ctx.Err() == nil && !errors.Is(err, tea.ErrInterrupted):
		return ExitError, err
	}
	return ExitDone, nil
}

func programOptions(ctx context.Context, o *Options) []tea.ProgramOption {
	env := os.Environ()
	if !o.Colour {
		env = append(env, "NO_COLOR=1")
	}
	return []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(o.Stdin), tea.WithOutput(o.Stdout), tea.WithEnvironment(env)}
}

// A chat is the state of the screen. Only bubbletea's loop uses it.
//
// What the agent says and asks is a turn's matter: its state is the same as that of
// [Run], and the rows are those of the same transcript.
type chat struct {
	opts  *Options
	talk  *conversation
	turn  *turn
	log   *transcript
	page  *page
	input input
	state chosen
	menu  *menu    // nil where none is open
	find  *search  // nil where nobody searches
	found []string // files to complete

	width, height int
	back          int // rows below the window of the page; 0 follows what is said
	ready         bool
	hello         greeting // of the agent, when it is ready
	running       bool
	ticking       bool     // a tick is on its way
	queue         []string // prompts that wait for the session, or for the end of the turn
	broken        error
	leaving       bool // the next interrupt leaves
	cancels       bool // the prompt is to be cancelled when it is on its way
	aside         bool // the draft waits: the keyboard belongs to the open question
}

func newChat(talk *conversation, opts *Options) *chat {
	m := &chat{opts: opts, talk: talk, width: 80, height: 24}
	st := style{colour: opts.Colour, live: true}
	m.page = newPage(st, func() int { return m.width })
	m.page.answer.rendered = !opts.Plain
	m.log = newTranscript(st, m.page, time.Now, liveRows)
	m.log.follows, m.log.rendered = true, !opts.Plain
	m.turn = &turn{opts: opts, client: talk.client, view: m.log, asks: true, calls: calls{}, result: report{Denials: []denial{}}}
	m.input = newInput()
	return m
}

// messages are what the client has delivered, in its order.
type messages []message

// listen waits for what comes next, and takes what else is there.
func (m *chat) listen() tea.Msg {
	const most = 512
	var all messages
	select {
	case first := <-m.talk.messages:
		all = append(all, first)
	case <-m.talk.ctx.Done():
		return nil
	}
	for len(all) < most {
		select {
		case next := <-m.talk.messages:
			all = append(all, next)
		default:
			return all
		}
	}
	return all
}

// ticked moves the spinner.
type ticked struct{}

func tick() tea.Cmd { return tea.Tick(spinTime, func(time.Time) tea.Msg { return ticked{} }) }

// Init implements [tea.Model].
func (m *chat) Init() tea.Cmd { return tea.Batch(m.listen, m.input.focus()) }

// Update implements [tea.Model]. Nothing ticks while nothing moves.
func (m *chat) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, tick := msg.(ticked); tick {
		m.log.tick()
		m.ticking = false
	}
	cmd := m.take(msg)
	asked := len(m.turn.open) > 0
	m.aside = m.aside && asked
	m.turn.focus.draft = m.input.value() != "" && !m.aside
	m.log.ready(m.turn.focus.ready(time.Now()))
	if !m.ticking && (m.running || m.log.busy() || asked) {
		m.ticking = true
		cmd = tea.Batch(cmd, tick())
	}
	return m, cmd
}

func (m *chat) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case messages:
		var after []tea.Cmd
		for _, one := range msg {
			after = append(after, m.heard(one))
		}
		return tea.Batch(append(after, m.listen)...)
	case ticked:
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.MouseWheelMsg:
		m.scroll(map[tea.MouseButton]int{tea.MouseWheelUp: 3, tea.MouseWheelDown: -3}[msg.Button])
	case tea.KeyPressMsg:
		return m.pressed(msg)
	case tea.PasteMsg:
		if m.pasted(msg.Content) {
			return nil
		}
		return m.input.update(msg)
	default:
		return m.input.update(msg)
	}
	return nil
}

func (m *chat) resize(width, height int) {
	relay := width != m.width
	m.width, m.height = max(width, minWidth), max(height, 8)
	m.input.resize(m.width, m.height)
	if relay {
		m.page.layOut()
	}
}

// heard takes what the client has delivered.
func (m *chat) heard(msg message) tea.Cmd {
	switch msg := msg.(type) {
	case *begun:
		m.ready, m.hello = true, msg.hello
		m.state.modes, m.state.options = msg.modes, msg.options
		if m.opts.Opened != nil {
			m.opts.Opened(m.talk.id)
		}
		if m.opts.Prompt != "" {
			return m.send(m.opts.Prompt)
		}
		return m.sendNext()
	case *failed:
		m.broken = msg.err
		return tea.Quit
	case *sentOff:
		if m.cancels {
			m.cancel()
		}
	case *remarked:
		m.log.say(cleanLine(msg.text))
	case *listed:
		m.menu = m.sessionsMenu(msg)
	case *ended:
		return m.turnEnded(msg)
	case *updated:
		m.state.update(msg.update)
		m.turn.message(msg)
	default:
		m.turn.message(msg)
	}
	return nil
}

func (m *chat) turnEnded(end *ended) tea.Cmd {
	m.running, m.cancels = false, false
	m.turn.result.StopReason = end.stop
	if end.err != nil {
		m.log.notice(&v1.Notice{Severity: "error", Title: end.err.Error()})
	}
	_ = m.log.end(&m.turn.result) // a page does not fail
	return m.sendNext()
}

// sendNext sends the prompt that has waited longest, if any.
func (m *chat) sendNext() tea.Cmd {
	if len(m.queue) == 0 {
		return nil
	}
	next := m.queue[0]
	m.queue = m.queue[1:]
	return m.send(next)
}

// send begins a turn.
func (m *chat) send(text string) tea.Cmd {
	attached := files(text, m.opts.Cwd)
	blocks, err := m.blocks(text, attached)
	if err != nil {
		m.log.say(err.Error())
		m.input.set(text)
		return nil
	}
	m.log.spoken(text, within(m.opts.Cwd, attached))
	m.running, m.back = true, 0
	m.turn.cancelled, m.turn.result = false, report{Denials: []denial{}}
	return func() tea.Msg {
		m.talk.prompt(blocks)
		return nil
	}
}

// scroll moves the window of the page up by so many rows.
func (m *chat) scroll(rows int) { m.back = max(0, min(m.back+rows, len(m.page.all())-1)) }
