# `make` alone prints what there is.

GO ?= go
NPM ?= npm
FUZZTIME ?= 20s

CONFORMANCE := test/conformance
VSCODE := editors/vscode
VSCODE_SERVER := $(VSCODE)/test/code-server
VSCODE_CHAT := $(VSCODE)/test/ahp/code
# Folders in which npm ci is all that has to be done.
NPM_FOLDERS := $(CONFORMANCE) sdk/typescript test/codegen
INSTALLED := $(NPM_FOLDERS:%=%/node_modules/.package-lock.json)
PLATFORMS := linux darwin windows
comma := ,
# Tools have a module of their own: what they need is no concern of a user's.
TOOL := $(GO) tool -modfile=tools/go.mod
# GoReleaser takes minutes to compile, once.
GORELEASER := $(GO) tool -modfile=tools/goreleaser/go.mod -n goreleaser

# Debian's Go does not fetch the toolchain of go.mod unasked.
export GOTOOLCHAIN ?= auto
# .ci/install puts there what the system has too old.
export PATH := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/turnwire/bin:$(PATH)

.DEFAULT_GOAL := help

.PHONY: help
help: ## print this
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Nothing needs cgo, and without it the binary starts sooner: no dynamic linker.
.PHONY: build
build: ## build ./turnwire
	CGO_ENABLED=0 $(GO) build -o turnwire .

# What the tests run and nothing here brings along, in the versions that they need.
.PHONY: needed
needed:
	@.ci/needed

# A program with the race detector waits a second for other threads when it exits.
export GORACE ?= atexit_sleep_ms=0
# Go alone runs these. With a C compiler there is the race detector as well.
RACE := $(shell [ "$$($(GO) env CGO_ENABLED)" = 1 ] && echo -race)

.PHONY: test
test: ## run the tests that need nothing but Go
	$(GO) test $(RACE) -shuffle=on ./...

# What a slow machine shows: HARD names the packages, COUNT how often each runs, and
# CPU the values of GOMAXPROCS.
HARD ?= ./agent/... ./bridge/... ./internal/... ./protocol/... ./test/e2e
COUNT ?= 1
CPU ?= 1,4

.PHONY: test-hard
test-hard: ## run Go tests while all processors are busy with something else
	.ci/busy $(GO) test $(RACE) -shuffle=on -timeout 120m -count=$(COUNT) -cpu $(CPU) $(HARD)

# Streams of the real programs lie beside the repository: they are not ours to
# publish. CI has them.
RECORDINGS := $(wildcard ../shared/recordings)
TAGS := external$(if $(RECORDINGS),$(comma)recordings)

.PHONY: test-all
test-all: needed $(INSTALLED) test-neovim test-emacs test-vscode test-release test-sdk test-external ## run every test; says what is missing

# The suites of what most changes leave alone run when their files changed, and on
# each new machine.
.PHONY: test-ci
test-ci: needed $(INSTALLED) test-neovim test-emacs ## run what CI runs
	$(MAKE) test-vscode SUITES="ahp chat page vscode"
	.ci/once view $(VSCODE) -- $(MAKE) test-vscode SUITES=webview
	$(MAKE) test-external
	.ci/once release $(RELEASE_FILES) -- $(MAKE) test-release
	.ci/once sdk sdk schema test/sdk test/codegen examples -- $(MAKE) test-sdk

# What decides how a release is made and what is in it, beside the program itself.
RELEASE_FILES := .goreleaser.yaml tools/release tools/goreleaser go.mod go.sum internal/app/cli/version.go internal/app/cli/manpages \
	sdk editors/registry editors/vscode/package.json editors/vscode/package-lock.json editors/vscode/.vscodeignore

# Packages whose tests run the tools of other languages for minutes.
SDK_TESTS := ./test/sdk ./test/codegen

# Packages that drive the built binary, one after the other. test/e2e builds it with the
# race detector; in the tests themselves it would only slow down how they read its output.
PROGRAM_TESTS := ./test/e2e ./test/conformance

.PHONY: test-sdk
test-sdk: $(INSTALLED)
	$(GO) test -shuffle=on -timeout 20m -tags $(TAGS) $(SDK_TESTS)

.PHONY: test-external
test-external: $(INSTALLED)
	@$(if $(RECORDINGS),:,echo "There is no ../shared/recordings: what needs it is left out.")
	$(GO) test -race -shuffle=on -timeout 20m -tags $(TAGS) $$($(GO) list ./... | grep -v -E '/test/(sdk|codegen|e2e|conformance)$$')
	$(GO) test -p 1 -shuffle=on -timeout 20m -tags $(TAGS) $(PROGRAM_TESTS)
	cd bench && $(GO) test -race -shuffle=on ./...
	cd test/nats && $(GO) test -race -shuffle=on -timeout 15m ./...

# Minutes of many sessions while servers die. TURNWIRE_SESSIONS, TURNWIRE_FRONT_ENDS
# and TURNWIRE_PAUSE set the size.
.PHONY: soak
soak: ## run the load tests of several servers and a NATS cluster
	cd test/nats && $(GO) test -tags soak -v -timeout 60m -run 'TestManySessionsOutliveWhatDies|TestAClusterLosesNothingWithAServer' .

.PHONY: test-emacs
test-emacs: ## run the Emacs package's tests
	editors/emacs/test/run

.PHONY: vscode
vscode: $(VSCODE)/node_modules/.package-lock.json ## build the VS Code extension, editors/vscode/dist/turnwire.vsix
	cd $(VSCODE) && $(NPM) run --silent package

# SUITES names folders of editors/vscode/test. "webview" is the chat's view in a browser,
# without a Turnwire behind it.
.PHONY: test-vscode
test-vscode: $(VSCODE)/node_modules/.package-lock.json $(VSCODE_SERVER)/node_modules/.installed $(VSCODE_CHAT)/node_modules/.installed ## run the VS Code extension's tests, also in a browser and in VS Code
	cd $(VSCODE) && $(NPM) run --silent check && CHROMIUM="$${CHROMIUM:-$$(command -v chromium)}" $(NPM) test --silent -- $(SUITES)

.PHONY: page
page: $(VSCODE)/node_modules/.package-lock.json ## build the page of "turnwire serve" into internal/app/page/files
	cd $(VSCODE) && $(NPM) run --silent page

$(VSCODE)/node_modules/.package-lock.json: $(VSCODE)/package.json $(VSCODE)/package-lock.json
	.ci/modules $(VSCODE) $(NPM) ci --no-fund --no-audit
	@touch $@

$(VSCODE_SERVER)/node_modules/.installed: $(VSCODE_SERVER)/package.json $(VSCODE_SERVER)/package-lock.json $(VSCODE_SERVER)/install.mjs
	.ci/modules $(VSCODE_SERVER) node install.mjs
	@touch $@

$(VSCODE_CHAT)/node_modules/.installed: $(VSCODE_CHAT)/package.json $(VSCODE_CHAT)/package-lock.json $(VSCODE_CHAT)/install.mjs
	.ci/modules $(VSCODE_CHAT) node install.mjs
	@touch $@

.PHONY: test-release
test-release: ## make a release twice, compare the two, and try its packages; takes minutes
	cd tools/release && $(GO) test -shuffle=on -count=1 -timeout 60m ./...

# The official crates of ACP and AHP need a later Rust than systems have,
# and minutes to compile: test-all leaves it out.
.PHONY: test-peers
test-peers: build $(CONFORMANCE)/node_modules/.package-lock.json ## run the tests with the official Rust crates of ACP and AHP; needs Rust 1.88
	cd test/peers/rust && cargo build --quiet --locked
	XDG_STATE_HOME=$$(mktemp -d) XDG_CACHE_HOME=$$(mktemp -d) TURNWIRE_BINARY=$(CURDIR)/turnwire \
	TURNWIRE_PEER=$(CURDIR)/test/peers/rust/target/debug/turnwire-peer node --test test/peers/rust.test.mjs test/peers/ahp.test.mjs test/peers/ahp-host.test.mjs

.PHONY: test-neovim
test-neovim: ## run the Neovim plugin's tests, with a Neovim beside the system if need be
	editors/neovim/test/run

$(INSTALLED): %/node_modules/.package-lock.json: %/package.json %/package-lock.json
	.ci/modules $* $(NPM) ci --no-fund --no-audit
	@touch $@

.PHONY: lint
lint: lint-format lint-vet lint-tidy lint-generate lint-documents lint-rules lint-vulnerabilities ## check everything but behaviour

.PHONY: lint-format
lint-format:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted by gofmt:" $$unformatted >&2; exit 1; fi

# For this system golangci-lint runs vet.
.PHONY: lint-vet
lint-vet:
	@for os in $(filter-out $(shell $(GO) env GOHOSTOS),$(PLATFORMS)); do \
	  echo "$(GO) vet ./... for $$os"; GOOS=$$os $(GO) vet -tags external,recordings ./... || exit 1; \
	done

.PHONY: lint-tidy
lint-tidy:
	$(GO) mod tidy -diff
	cd bench && $(GO) mod tidy -diff
	cd test/nats && $(GO) mod tidy -diff
	cd tools/release && $(GO) mod tidy -diff

# Stale files are compared, not written: checking leaves the work tree alone.
.PHONY: lint-generate
lint-generate:
	$(GO) test -run 'TestCommittedSchemasAreThoseOfTheTypes|TestCommittedTypesOfOtherLanguagesAreThoseOfTheSchemas|TestTheDocumentOfEventsIsWhatTheCodeDoes' ./schema/gen ./test/dialects

.PHONY: lint-documents
lint-documents:
	$(GO) test -run 'TestTheReadmeIsShort|TestLinksInDocumentsHaveTargets|TestGuaranteesNameTheirTests' .

.PHONY: lint-rules
lint-rules:
	$(TOOL) golangci-lint run
	cd bench && $(GO) tool -modfile=../tools/go.mod golangci-lint run
	cd test/nats && $(GO) tool -modfile=../../tools/go.mod golangci-lint run
	cd tools/release && $(GO) tool -modfile=../go.mod golangci-lint run

# The database of vulnerabilities is on the network. Where it cannot be
# reached, nothing can be said; that is told, and is no failure.
.PHONY: lint-vulnerabilities
lint-vulnerabilities:
	@out=$$($(TOOL) govulncheck ./... 2>&1); status=$$?; \
	case "$$out" in \
	*"fetching vulnerabilities"*) echo "govulncheck: its database cannot be reached, so nothing was checked";; \
	*) echo "$$out"; exit $$status;; \
	esac

.PHONY: generate
generate: $(VSCODE)/node_modules/.package-lock.json ## write the generated files (JSON Schemas, the types that follow from them, docs/events.md)
	$(GO) generate ./...
	cd $(VSCODE) && $(NPM) run --silent generate

# What is released is the last commit; what is not committed is not in it.
.PHONY: release
release: ## make the files of a release of HEAD, into dist
	rm -rf dist
	tools/release/make dist

# Two clones and two caches: nothing that the first one built is used again.
.PHONY: release-check
release-check: ## make the release twice, and compare; takes minutes
	@set -e; export GORELEASER="$$($(GORELEASER))"; \
	work=$$(mktemp -d); trap 'chmod -R u+w "$$work"; rm -rf "$$work"' EXIT; \
	for i in one two; do \
	  git clone --quiet . "$$work/$$i"; \
	  (cd "$$work/$$i" && GOCACHE="$$work/cache-$$i" $(MAKE) release); \
	done; \
	diff -r "$$work/one/dist" "$$work/two/dist" && echo "the same, byte by byte"

.PHONY: bench
bench: ## measure against a straightforward bridge; takes minutes
	cd bench && $(GO) run . $(BENCHFLAGS)

.PHONY: bench-serve
bench-serve: ## measure turnwire serve against turnwire acp
	cd bench && $(GO) run . -only latency,first-text,sessions,clients -who joined,served,ahp $(BENCHFLAGS)

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (20s)
	@grep -rHoE --include='*_test.go' --exclude-dir=bench '^func Fuzz[A-Za-z0-9_]+' . | \
	sed -E 's|^(.*)/[^/]+:func (Fuzz.*)|\1 \2|' | sort | \
	while read -r package target; do \
	  echo "$$package $$target"; \
	  $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x "$$package" || exit 1; \
	done

.PHONY: cover
cover: $(INSTALLED) ## measure what the tests cover, into out/cover.html
	@mkdir -p out
	$(GO) test -tags $(TAGS) -coverpkg=./... -coverprofile=out/cover.out ./...
	$(GO) tool cover -html=out/cover.out -o out/cover.html
	@$(GO) tool cover -func=out/cover.out | tail -n 1

.PHONY: clean
clean: ## remove what was built
	rm -rf turnwire out dist $(CONFORMANCE)/node_modules
	rm -rf $(VSCODE)/out $(VSCODE)/dist $(VSCODE)/node_modules $(VSCODE_SERVER)/node_modules $(VSCODE_CHAT)/node_modules
