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
	github.com/aymanbagabas/go-udiff v0.4.1 // indirect
	github.com/evanphx/json-patch/v5 v5.9.11 // indirect
	github.com/sourcegraph/jsonrpc2 v0.2.3 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/turnwire/turnwire => ../
