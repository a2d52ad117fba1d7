package memnats

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A client is a connection to the server. The server's lock guards its subscriptions.
type client struct {
	server        *Server
	conn          *conn
	subscriptions []*subscription // in the order in which they were made
}

// A subscription is a client's interest in subjects.
type subscription struct {
	id, pattern string
	left        int // how many messages it still gets; negative means any number
}

// serve serves a connection until it ends.
func (s *Server) serve(to *conn) {
	c := &client{server: s, conn: to}
	s.mu.Lock()
	s.clients = append(s.clients, c)
	s.mu.Unlock()
	c.write(fmt.Sprintf(`INFO {"server_id":"model","server_name":"model","version":"2.12.0","proto":1,"headers":true,"jetstream":true,"max_payload":%d}`+"\r\n", s.maxPayload))
	go func() {
		c.read()
		s.mu.Lock()
		s.clients = slices.DeleteFunc(s.clients, func(one *client) bool { return one == c })
		s.mu.Unlock()
		_ = to.Close() // never fails
	}()
}

// read handles commands until the connection ends, or until one is malformed.
func (c *client) read() {
	for lines := bufio.NewReader(c.conn); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch name, args := strings.ToUpper(words[0]), words[1:]; name {
		case "PING":
			c.write("PONG\r\n")
		case "SUB", "UNSUB":
			c.server.mu.Lock()
			c.subscribe(name, args)
			c.server.mu.Unlock()
		case "PUB", "HPUB":
			m, err := readMessage(lines, args, name == "HPUB")
			if err != nil {
				return
			}
			c.server.mu.Lock()
			c.server.publish(m)
			c.server.mu.Unlock()
		}
	}
}

// subscribe adds, limits or removes a subscription.
func (c *client) subscribe(command string, args []string) {
	if len(args) == 0 {
		return
	}
	if command == "SUB" {
		c.subscriptions = append(c.subscriptions, &subscription{id: args[len(args)-1], pattern: args[0], left: -1})
		return
	}
	for i, one := range c.subscriptions {
		if one.id != args[0] {
			continue
		}
		if len(args) > 1 {
			one.left, _ = strconv.Atoi(args[1]) // 0 if it is not a number
			return
		}
		c.subscriptions = append(c.subscriptions[:i:i], c.subscriptions[i+1:]...)
		return
	}
}

// readMessage reads the rest of a message. The sizes are the last arguments.
func readMessage(from *bufio.Reader, args []string, hasHeader bool) (m message, err error) {
	sizes := 1
	if hasHeader {
		sizes = 2
	}
	if len(args) < 1+sizes {
		return m, fmt.Errorf("malformed command: %q", args)
	}
	m.subject = args[0]
	if len(args) == 2+sizes {
		m.reply = args[1]
	}
	size, err := strconv.Atoi(args[len(args)-1])
	if err != nil {
		return m, err
	}
	head := 0
	if hasHeader {
		if head, err = strconv.Atoi(args[len(args)-2]); err != nil {
			return m, err
		}
	}
	text := make([]byte, size+len("\r\n"))
	if _, err := io.ReadFull(from, text); err != nil {
		return m, err
	}
	m.header, m.data = text[:head:head], text[head:size:size]
	return m, nil
}

// deliver passes a message to the client's subscriptions to a subject, and reports whether one takes it.
func (c *client) deliver(to string, m message) (taken bool) {
	for _, one := range c.subscriptions {
		if one.left == 0 || !matches(one.pattern, to) {
			continue
		}
		if one.left > 0 {
			one.left--
		}
		taken = true
		command, sizes := "MSG", number(len(m.data))
		if len(m.header) > 0 {
			command, sizes = "HMSG", number(len(m.header))+" "+number(len(m.header)+len(m.data))
		}
		words := []string{command, m.subject, one.id}
		if m.reply != "" {
			words = append(words, m.reply)
		}
		text := strings.Join(append(words, sizes), " ") + "\r\n"
		c.write(text + string(m.header) + string(m.data) + "\r\n")
	}
	return taken
}

func (c *client) write(text string) { _, _ = io.WriteString(c.conn, text) } // fails once the connection has ended
