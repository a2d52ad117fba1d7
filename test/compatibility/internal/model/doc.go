// Package model is a scripted stand-in for a language model. It speaks the APIs that
// coding agents use: OpenAI's chat completions and responses, Anthropic's messages and
// Google's generateContent, streamed or not.
//
// The user's prompt decides what the model does. A prompt contains one of the words
// that [Hello], [Run], [Wait], [Image] and [Recall] name, in brackets. Requests without
// such a word, and requests that offer no tools (for a title, say), get a short text.
package model
