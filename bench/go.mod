module github.com/turnwire/turnwire/bench

go 1.26.0

toolchain go1.26.8

require (
	github.com/coder/acp-go-sdk v0.13.0
	github.com/coder/websocket v1.8.15
	github.com/stretchr/testify v1.12.1
	github.com/turnwire/turnwire v0.0.0
	golang.org/x/sys v0.49.0
)

require (
	github.com/Microsoft/go-winio v0.6.2 // indirect
	github.com/aymanbagabas/go-udiff v0.4.1 // indirect
	github.com/sourcegraph/jsonrpc2 v0.2.3 // indirect
	github.com/tmaxmax/go-sse v0.11.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/turnwire/turnwire => ../
