package main

import (
	"bytes"
	"fmt"
	"strings"
)

const head = `# Compatibility

What was seen when real agents and clients ran with Turnwire. ` + "`make compatibility`" + ` writes this page; don't edit it.

- **yes**: it worked. **no**: it isn't offered, or isn't the same. **failed**: it is offered, and didn't work. **not run**: see the notes.
- Nothing on this page is taken from documentation. The date and Turnwire's commit are those of the run.
- The newest version of each agent and SDK was installed from its registry. For editors, the version is that of the
  editor that the tests run.

[Agents](agents.md) describes how to use each agent, and [ACP support](acp.md) lists the protocol's methods.
`

const agentsHead = `
## Agents

Each agent ran behind ` + "`turnwire acp`" + `, with the official TypeScript SDK as the client. A scripted stand-in answered
instead of a real model, so the quality of answers, real logins and real API keys were not tested. Agents with a
[name](agents.md#common-agents) were started by it.

`

const clientsHead = `
## Clients

The official SDKs and ` + "`turnwire run`" + ` ran turns as above, with Claude Code as the agent. For the others, each cell is
the result of a test of the repository, which runs the real client with the real binary and a stand-in for the agent.

`

// page returns docs/compatibility.md.
func page(results map[string]result) []byte {
	var out bytes.Buffer
	out.WriteString(head)
	out.WriteString(agentsHead)
	var rows []row
	for _, a := range agents {
		rows = append(rows, row{a.title, a.install.String(), results[a.name]})
	}
	table(&out, agentColumns, rows)
	out.WriteString(clientsHead)
	rows = nil
	for _, c := range clients {
		rows = append(rows, row{c.title, c.source, results[c.name]})
	}
	table(&out, clientColumns, rows)
	return out.Bytes()
}

// A row is a row of a table, with its name and where the program comes from.
type row struct {
	title, source string
	result        result
}

func table(out *bytes.Buffer, columns []column, rows []row) {
	for _, c := range columns {
		fmt.Fprintf(out, "- **%s**: %s.\n", c.title, c.meaning)
	}
	titles := []string{"name", "version"}
	for _, c := range columns {
		titles = append(titles, c.title)
	}
	titles = append(titles, "date", "commit")
	out.WriteString("\n")
	line(out, titles)
	out.WriteString(strings.Repeat("|---", len(titles)) + "|\n")
	for _, r := range rows {
		cells := []string{r.title, dash(r.result.Version)}
		for _, c := range columns {
			cells = append(cells, r.result.cell(c.name).Seen)
		}
		line(out, append(cells, dash(r.result.Date), dash(r.result.Turnwire)))
	}
	out.WriteString("\nNotes:\n\n")
	for _, r := range rows {
		r.notes(out, columns)
	}
}

// notes writes what isn't obvious in a row. Cells with the same note share a line.
func (r row) notes(out *bytes.Buffer, columns []column) {
	if r.source != "" {
		fmt.Fprintf(out, "- %s: %s.\n", r.title, r.source)
	}
	titles := map[string][]string{}
	var order []string
	for _, c := range columns {
		note := r.result.cell(c.name).Note
		if note == "" {
			continue
		}
		if titles[note] == nil {
			order = append(order, note)
		}
		titles[note] = append(titles[note], c.title)
	}
	for _, note := range order {
		fmt.Fprintf(out, "- %s, %s: %s.\n", r.title, strings.Join(titles[note], ", "), plain(note))
	}
	switch {
	case r.result.Why != "":
		fmt.Fprintf(out, "- %s was not run: %s.\n", r.title, plain(r.result.Why))
	case r.result.Date == "":
		fmt.Fprintf(out, "- %s was not run: it was left out.\n", r.title)
	}
}

func line(out *bytes.Buffer, cells []string) {
	fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
}

func dash(text string) string {
	if text == "" {
		return "–"
	}
	return plain(text)
}

const longest = 160 // of a note, in characters

// plain returns a program's text as one line of Markdown in which nothing is markup.
func plain(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest]) + "…"
	}
	text = strings.NewReplacer(`\`, `\\`, "`", "'", "|", `\|`, "<", "&lt;", "[", `\[`, "*", `\*`, "_", `\_`).Replace(text)
	return strings.TrimRight(text, ". ")
}
