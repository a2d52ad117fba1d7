module github.com/turnwire/turnwire

go 1.26.0
