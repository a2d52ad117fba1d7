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

// Chat runs a full-screen conversation over stream, whose other end is an ACP agent, and
// closes stream. It returns the process's exit code and the error to print, if any. When
// ctx ends, Chat ends too.
func Chat(ctx context.Context, stream jsonrpc2.ObjectStream, opts Options) (int, error) {
	if !opts.Interactive || opts.Dumb {
		_ = stream.Close()
		return ExitError, errors.New("chat needs a terminal; use turnwire run instead")
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
	if err == nil {
		err = m.printed(opts.Stdout)
	}
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
// The agent's output and requests are handled by a turn, with the same state as in [Run].
// The rows come from the same transcript.
type chat struct {
	opts  *Options
	talk  *conversation
	turn  *turn
	log   *transcript
	page  *page
	input input
	state chosen
	menu  *menu    // nil if none is open
	find  *search  // nil if no search is open
	pager *pager   // nil if no cut text is shown whole
	found []string // completion candidates

	width, height int
	back          int // rows below the visible part of the page; 0 follows the output
	ready         bool
	initialized   initializeResult // the agent's, once it is ready
	running       bool
	counted       bool     // the number of other clients' running turns is known
	ticking       bool     // a tick is scheduled
	queue         []string // prompts that wait for the session to open, or for the end of the turn
	steering      []steering
	paused        bool   // the queue waits for Enter, because the turn was cancelled or failed
	ended         *ended // how the last turn ended; nil before the first end
	remark        string // for the status line, until the next key
	blurred       bool   // another window has the keyboard
	switched      bool   // the user left for another session
	endShell      func() // ends the user's command; nil if none runs
	broken        error
	leaving       bool // the next interrupt ends the chat
	escaping      bool // the next Esc opens the menu of earlier messages
	rewinds       rewinds
	cancels       bool // cancel the prompt as soon as it is sent
	waiting       bool // a question was open after the last message
	answering     bool // the draft waits, and the keyboard belongs to the open question
}

func newChat(talk *conversation, opts *Options) *chat {
	m := &chat{opts: opts, talk: talk, width: 80, height: 24}
	st := style{colour: opts.Colour, live: true}
	m.page = newPage(st, func() int { return m.width })
	m.page.answer.rendered = !opts.Plain
	m.log = newTranscript(st, m.page, time.Now, liveRows)
	m.log.follows, m.log.rendered = true, !opts.Plain
	m.turn = &turn{opts: opts, client: talk.client, view: m.log, interactive: true, calls: calls{}, result: report{Denials: []denial{}}}
	m.input = newInput(opts.Chat.Earlier)
	m.input.set(opts.Draft)
	return m
}

// messages are messages from the client, in order.
type messages []message

// listen waits for the next message, and also returns those that arrived with it.
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

// ticked advances the spinner.
type ticked struct{}

func tick() tea.Cmd { return tea.Tick(spinTime, func(time.Time) tea.Msg { return ticked{} }) }

// noWheelKeys stops terminals from sending the wheel as arrow keys, which would recall
// earlier prompts. wheelKeys restores the setting.
const (
	noWheelKeys = "\x1b[?1007s\x1b[?1007l"
	wheelKeys   = "\x1b[?1007r"
)

// Init implements [tea.Model].
func (m *chat) Init() tea.Cmd { return tea.Batch(tea.Raw(noWheelKeys), m.listen, m.input.focus()) }

// Update implements [tea.Model]. It ticks only while a spinner is shown.
func (m *chat) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, tick := msg.(ticked); tick {
		m.log.tick()
		m.ticking = false
	}
	cmd := m.handle(msg)
	asked := len(m.turn.open) > 0
	if asked && !m.waiting {
		cmd = tea.Batch(cmd, m.notify(waitsForAnswer))
	}
	m.waiting = asked
	m.answering = m.answering && asked
	m.turn.focus.draft = m.input.value() != "" && !m.answering
	m.log.ready(m.turn.focus.ready(time.Now()))
	if !m.ticking && (m.works() || m.log.busy() || asked) {
		m.ticking = true
		cmd = tea.Batch(cmd, tick())
	}
	return m, cmd
}

func (m *chat) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case messages:
		var after []tea.Cmd
		for _, one := range msg {
			after = append(after, m.receive(one))
		}
		return tea.Batch(append(after, m.listen)...)
	case ticked:
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.MouseWheelMsg:
		m.scroll(map[tea.MouseButton]int{tea.MouseWheelUp: 3, tea.MouseWheelDown: -3}[msg.Button])
	case tea.FocusMsg:
		m.blurred = false
	case tea.BlurMsg:
		m.blurred = true
	case *edited:
		m.showEdited(msg)
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

// receive handles a message from the client.
func (m *chat) receive(msg message) tea.Cmd {
	switch msg := msg.(type) {
	case *begun:
		m.ready, m.initialized, m.turn.result.SessionID = true, msg.initialized, m.talk.id
		m.state.modes, m.state.options = msg.modes, msg.options
		m.state.noteSteering(metaOf(msg.initialized.Meta))
		m.state.noteSteering(msg.meta)
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
	case *ran:
		m.showRan(msg)
	case *listed:
		m.menu = m.sessionsMenu(msg)
	case *ended:
		return m.turnEnded(msg)
	case *steered:
		return m.steered(msg)
	case *forked:
		return m.goOnFrom(msg)
	case *turnsRunning:
		m.turn.others, m.counted = msg.number, true
	case *updated:
		if msg.update == nil {
			return m.shared(msg.raw)
		}
		m.state.update(msg.update)
		m.rewinds.update(msg.update)
		m.turn.message(msg)
	default:
		m.turn.message(msg)
	}
	return nil
}

func (m *chat) turnEnded(end *ended) tea.Cmd {
	m.running, m.cancels, m.turn.over = false, false, true
	m.turn.result.StopReason = end.stop
	if end.err != nil {
		m.paused = len(m.queue) > 0
		m.log.notice(&v1.Notice{Severity: "error", Title: end.err.Error()})
	}
	_ = m.log.end(&m.turn.result) // writing to a page can't fail
	m.ended = end
	told := m.notify(turnOver)
	if m.turn.others > 0 { // another client's turn follows, which this user did not cancel
		m.turn.cancelled = false
	}
	return tea.Batch(told, m.sendNext())
}

// sendNext sends the oldest queued prompt, if any, unless the queue is paused, a turn runs,
// or the agent may still return an earlier one.
func (m *chat) sendNext() tea.Cmd {
	if len(m.queue) == 0 || m.works() || m.paused || len(m.steering) > 0 {
		return nil
	}
	next := m.queue[0]
	m.queue = m.queue[1:]
	return m.send(next)
}

// send starts a turn.
func (m *chat) send(text string) tea.Cmd {
	attached := files(text, m.opts.Cwd)
	blocks, err := m.blocks(text, attached)
	if err != nil {
		m.log.say(err.Error())
		m.input.set(text)
		return nil
	}
	m.log.spoken(text, within(m.opts.Cwd, attached))
	id := newMessageID()
	m.rewinds.say(id, text)
	m.running, m.back = true, 0
	m.turn.cancelled, m.turn.result = false, report{SessionID: m.talk.id, Denials: []denial{}}
	return func() tea.Msg {
		m.talk.prompt(id, blocks)
		return nil
	}
}

// scroll moves the visible part of the page up by rows.
func (m *chat) scroll(rows int) { m.back = max(0, min(m.back+rows, len(m.page.all())-1)) }
