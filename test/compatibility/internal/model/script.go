package model

import (
	"regexp"
	"strings"
)

// Words of the script, as prompts contain them.
const (
	Hello  = "[scripted:hello]"  // says Greeting
	Run    = "[scripted:run %s]" // creates the file %s, with a shell command if there is a shell
	Wait   = "[scripted:wait]"   // says Greeting, and doesn't end
	Image  = "[scripted:image]"  // says Seen if the prompt has an image
	Recall = "[scripted:recall]" // says Known if an earlier prompt had Hello
)

// What the model says.
const (
	Greeting = "Hello from the script."
	Seen     = "There is an image."
	Known    = "You greeted me before."
	other    = "Nothing to add."
)

var word = regexp.MustCompile(`\[scripted:(\w+) ?([\w.-]*)\]`)

// A conversation is the relevant part of a request, whatever the API.
type conversation struct {
	items  []item
	tools  []tool
	stream bool
}

// An item is a part of a message.
type item struct {
	text   string // the user's
	image  bool
	result bool // the result of a tool call
}

// A reply is what the model does next: it says text, and calls a tool or doesn't end.
type reply struct {
	id   string
	text string
	call *call
	hold bool
}

// next returns the script's reply to a conversation.
func (c conversation) next() reply {
	var name, argument string
	var greeted, image, result bool
	for _, i := range c.items {
		image = image || i.image
		result = result || i.result
		for _, match := range word.FindAllStringSubmatch(i.text, -1) {
			greeted = greeted || name == "hello"
			name, argument = match[1], match[2]
			result = false
		}
	}
	if len(c.tools) == 0 {
		return reply{text: other}
	}
	switch {
	case name == "hello":
		return reply{text: Greeting}
	case name == "wait":
		return reply{text: Greeting, hold: true}
	case name == "image" && image:
		return reply{text: Seen}
	case name == "recall" && greeted:
		return reply{text: Known}
	case name == "run" && !result:
		if call := create(c.tools, argument); call != nil {
			return reply{call: call}
		}
		return reply{text: "No known tool creates a file: " + names(c.tools)}
	}
	return reply{text: other}
}

func names(tools []tool) string {
	var list []string
	for _, t := range tools {
		list = append(list, t.name)
	}
	return strings.Join(list, ", ")
}
