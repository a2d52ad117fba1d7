# `make` without a target lists the targets.

GO ?= go
NPM ?= npm
FUZZTIME ?= 20s

CONFORMANCE := test/conformance
VSCODE := editors/vscode
VSCODE_SERVER := $(VSCODE)/test/code-server
VSCODE_CHAT := $(VSCODE)/test/ahp/code
# Folders that only need npm ci.
NPM_FOLDERS := $(CONFORMANCE) sdk/typescript test/codegen
INSTALLED := $(NPM_FOLDERS:%=%/node_modules/.package-lock.json)
PLATFORMS := linux darwin windows
comma := ,
# Tools have their own module, because their dependencies don't concern users.
TOOL := $(GO) tool -modfile=tools/go.mod
# Compiling GoReleaser takes minutes, but only the first time.
GORELEASER := $(GO) tool -modfile=tools/goreleaser/go.mod -n goreleaser

# Debian's Go doesn't download the toolchain of go.mod by default.
export GOTOOLCHAIN ?= auto
# .ci/install puts newer versions of outdated system programs there.
export PATH := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/turnwire/bin:$(PATH)

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Nothing needs cgo. Without it there is no dynamic linker, so the binary starts sooner.
.PHONY: build
build: ## build ./turnwire
	CGO_ENABLED=0 $(GO) build -o turnwire .

# Checks the programs that the tests need, and their versions.
.PHONY: needed
needed:
	@.ci/needed

# By default, a program with the race detector waits a second at exit.
export GORACE ?= atexit_sleep_ms=0
# These tests only need Go. With a C compiler, they run with the race detector.
RACE := $(shell [ "$$($(GO) env CGO_ENABLED)" = 1 ] && echo -race)

.PHONY: test
test: ## run the tests that only need Go
	$(GO) test $(RACE) -shuffle=on ./...

# Shows what fails on a slow machine. HARD names the packages, COUNT is the number of
# runs, and CPU lists the values of GOMAXPROCS.
HARD ?= ./agent/... ./bridge/... ./internal/... ./protocol/... ./test/e2e
COUNT ?= 1
CPU ?= 1,4

DURATION ?= 1h

.PHONY: sim
sim: ## run simulated worlds with new seeds for DURATION; keeps the plans of those that fail
	cd test/sim && $(GO) test -timeout 0 -run '^TestWorlds$$' -sim.duration $(DURATION) -sim.shrink -sim.found testdata

# The new worlds follow from the committed files, so that a failure can be repeated. Each of the
# two programs uses one processor.
TREE = $(shell git rev-parse HEAD^{tree} 2> /dev/null)

.PHONY: worlds
worlds: ## run 2,000 simulated worlds, and as many that follow from the commit
	$(GO) test -timeout 20m ./test/sim -sim.seeds 2000 & fixed=$$!; failed=0; \
	$(GO) test -timeout 20m ./test/sim -run '^TestWorlds$$' -sim.seeds 0 -sim.new 2000 -sim.source "$(TREE)" || failed=1; \
	wait $$fixed || failed=1; exit $$failed

.PHONY: test-windows
test-windows: ## run the tests of the Windows build under Wine, in WINDOWS=./internal/...
	test/windows/run $(WINDOWS)

.PHONY: mutants
mutants: ## show that simulated worlds find deliberate defects
	$(GO) run ./test/sim/mutations

.PHONY: test-hard
test-hard: ## run Go tests while something else keeps all processors busy
	.ci/busy $(GO) test $(RACE) -shuffle=on -timeout 120m -count=$(COUNT) -cpu $(CPU) $(HARD)

# Recordings of real programs are outside the repository, because we may not publish
# them. CI has them.
RECORDINGS := $(wildcard ../shared/recordings)
TAGS := external$(if $(RECORDINGS),$(comma)recordings)

.PHONY: test-all
test-all: needed $(INSTALLED) test-neovim test-emacs test-vscode test-release test-sdk test-external ## run every test; lists missing programs first

# Suites for rarely changed files run only if those files changed, or on a new
# machine.
.PHONY: test-ci
test-ci: needed $(INSTALLED) test-neovim test-emacs ## run what CI runs
	$(MAKE) test-vscode SUITES="ahp chat page vscode"
	.ci/once view $(VSCODE) -- $(MAKE) test-vscode SUITES=webview
	$(MAKE) test-external
	.ci/once release $(RELEASE_FILES) -- $(MAKE) test-release
	.ci/once sdk sdk schema test/sdk test/codegen examples -- $(MAKE) test-sdk

# The files that determine a release and its contents, besides the program itself.
RELEASE_FILES := .goreleaser.yaml tools/release tools/goreleaser go.mod go.sum internal/app/cli/version.go internal/app/cli/manpages \
	sdk editors/registry editors/vscode/package.json editors/vscode/package-lock.json editors/vscode/.vscodeignore

# Packages whose tests run other languages' tools for minutes.
SDK_TESTS := ./test/sdk ./test/codegen

# Packages that test the built binary; they run one after the other. test/e2e builds it
# with the race detector. In the tests themselves, the detector would only slow down
# reading the output.
PROGRAM_TESTS := ./test/e2e ./test/conformance ./test/soak

.PHONY: test-sdk
test-sdk: $(INSTALLED)
	$(GO) test -shuffle=on -timeout 20m -tags $(TAGS) $(SDK_TESTS)

.PHONY: test-external
test-external: $(INSTALLED)
	@$(if $(RECORDINGS),:,echo "There is no ../shared/recordings: what needs it is left out.")
	$(GO) test -race -shuffle=on -timeout 20m -tags $(TAGS) $$($(GO) list ./... | grep -v -E '/test/(sdk|codegen|e2e|conformance|soak|sim)$$')
	$(MAKE) worlds
	$(GO) test -p 1 -shuffle=on -timeout 20m -tags $(TAGS) $(PROGRAM_TESTS)
	cd bench && $(GO) test -race -shuffle=on ./...
	cd test/nats && $(GO) test -race -shuffle=on -timeout 15m ./...

# Runs many sessions: first with clients on a network that breaks, for DURATION, but at
# least SESSIONS, of which up to 200 at once; then while servers die, for minutes.
# TURNWIRE_SESSIONS, TURNWIRE_CLIENTS and TURNWIRE_PAUSE set the load of the latter.
SESSIONS ?= 200
SOAK := $(GO) test ./test/soak -v -count=1 -timeout 0 -soak.rounds 3

.PHONY: soak
soak: ## run the load tests: clients on a bad network, several servers, a NATS cluster
	$(SOAK) -soak.sessions $(SESSIONS) -soak.duration $(DURATION)
	cd test/nats && $(GO) test -tags soak -v -timeout 60m -run 'TestManySessionsSurviveFailures|TestAClusterLosesNothingIfAServerDies' .

.PHONY: test-emacs
test-emacs: ## run the Emacs package's tests
	editors/emacs/test/run

.PHONY: vscode
vscode: $(VSCODE)/node_modules/.package-lock.json ## build the VS Code extension with Turnwire in it, editors/vscode/dist/turnwire.vsix
	CGO_ENABLED=0 $(GO) build -trimpath -o $(VSCODE)/bin/ .
	cd $(VSCODE) && $(NPM) run --silent package

# SUITES names folders in editors/vscode/test. "webview" tests the chat's view in a
# browser, without Turnwire behind it.
.PHONY: test-vscode
test-vscode: $(VSCODE)/node_modules/.package-lock.json $(VSCODE_SERVER)/node_modules/.installed $(VSCODE_CHAT)/node_modules/.installed ## run the VS Code extension's tests, including those in a browser and in VS Code
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
test-release: ## make a release twice, compare both, and test its packages; takes minutes
	cd tools/release && $(GO) test -shuffle=on -count=1 -timeout 60m ./...

# The official crates of ACP and AHP take minutes to compile, and need a newer Rust than
# most systems have. So test-all leaves them out.
.PHONY: test-peers
test-peers: build $(CONFORMANCE)/node_modules/.package-lock.json ## run the tests with the official Rust crates of ACP and AHP; needs Rust 1.88
	cd test/peers/rust && cargo build --quiet --locked
	XDG_STATE_HOME=$$(mktemp -d) XDG_CACHE_HOME=$$(mktemp -d) TURNWIRE_BINARY=$(CURDIR)/turnwire \
	TURNWIRE_PEER=$(CURDIR)/test/peers/rust/target/debug/turnwire-peer node --test test/peers/rust.test.mjs test/peers/ahp.test.mjs test/peers/ahp-host.test.mjs

.PHONY: test-neovim
test-neovim: ## run the Neovim plugin's tests; unpacks a Neovim if the installed one is too old
	editors/neovim/test/run

$(INSTALLED): %/node_modules/.package-lock.json: %/package.json %/package-lock.json
	.ci/modules $* $(NPM) ci --no-fund --no-audit
	@touch $@

.PHONY: lint
lint: lint-format lint-vet lint-tidy lint-generate lint-documents lint-rules lint-vulnerabilities ## check everything except behaviour

.PHONY: lint-format
lint-format:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted by gofmt:" $$unformatted >&2; exit 1; fi

# golangci-lint runs vet for this system; this covers the others.
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

# Compares generated files without writing them, so the work tree stays unchanged.
.PHONY: lint-generate
lint-generate:
	$(GO) test -run 'TestCommittedSchemasMatchTheTypes|TestCommittedTypesOfOtherLanguagesMatchTheSchemas|TestTheEventsDocumentMatchesTheCode|TestTheDocumentHasTheTable' ./schema/gen ./test/dialects ./internal/app/agents/known

.PHONY: lint-documents
lint-documents:
	$(GO) test -run 'TestTheReadmeIsShort|TestPagesAreShort|TestTheIndexListsEveryPage|TestLinksInDocumentsHaveTargets|TestGuaranteesNameTheirTests|TestDocumentsCommentsAndMessagesAvoidTheVocabulary' .

.PHONY: lint-rules
lint-rules:
	$(TOOL) golangci-lint run
	cd bench && $(GO) tool -modfile=../tools/go.mod golangci-lint run
	cd test/nats && $(GO) tool -modfile=../../tools/go.mod golangci-lint run
	cd tools/release && $(GO) tool -modfile=../go.mod golangci-lint run

# The vulnerability database is on the network. If it can't be reached, this prints a
# message and succeeds.
.PHONY: lint-vulnerabilities
lint-vulnerabilities:
	@out=$$($(TOOL) govulncheck ./... 2>&1); status=$$?; \
	case "$$out" in \
	*"fetching vulnerabilities"*) echo "govulncheck: its database cannot be reached, so nothing was checked";; \
	*) echo "$$out"; exit $$status;; \
	esac

.PHONY: generate
generate: $(VSCODE)/node_modules/.package-lock.json ## write the generated files (JSON Schemas, types generated from them, docs/events.md)
	$(GO) generate ./...
	cd $(VSCODE) && $(NPM) run --silent generate

# Releases contain the last commit, without uncommitted changes.
.PHONY: release
release: ## build a release of HEAD into dist
	rm -rf dist
	tools/release/make dist

# Uses two clones and two caches, so that nothing is reused.
.PHONY: release-check
release-check: ## build the release twice and compare; takes minutes
	@set -e; export GORELEASER="$$($(GORELEASER))"; \
	work=$$(mktemp -d); trap 'chmod -R u+w "$$work"; rm -rf "$$work"' EXIT; \
	for i in one two; do \
	  git clone --quiet . "$$work/$$i"; \
	  (cd "$$work/$$i" && GOCACHE="$$work/cache-$$i" $(MAKE) release); \
	done; \
	diff -r "$$work/one/dist" "$$work/two/dist" && echo "the same, byte by byte"

# Installs agents from npm and PyPI, and runs them. PYTHON names the Python for those of
# PyPI; Mistral Vibe needs 3.12. ONLY names rows to run again.
.PHONY: compatibility
compatibility: $(VSCODE)/node_modules/.package-lock.json $(VSCODE_SERVER)/node_modules/.installed ## run agents and clients, and write docs/compatibility.md; takes 15 minutes
	$(GO) run ./test/compatibility $(if $(ONLY),-only $(ONLY))

.PHONY: pictures
pictures: ## make the README's pictures, docs/pictures, from real runs; needs tmux
	$(MAKE) test-vscode SUITES=pictures

.PHONY: bench
bench: ## compare with a straightforward bridge; takes minutes
	cd bench && $(GO) run . $(BENCHFLAGS)

.PHONY: bench-serve
bench-serve: ## compare turnwire serve with turnwire acp
	cd bench && $(GO) run . -only throughput,latency,first-text,sessions,clients -who joined,served,shared,ahp $(BENCHFLAGS)

# Inputs that reach new code stay in Go's build cache, so each run continues the last one.
# Go may report the end of -fuzztime as a failure (golang/go#75804).
FUZZ_ENDED := grep -q '^    context deadline exceeded$$' out/fuzz && ! grep -q 'Failing input' out/fuzz

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (20s), or share MINUTES among them
	@mkdir -p out
	@grep -rHoE --include='*_test.go' --exclude-dir=bench '^func Fuzz[A-Za-z0-9_]+' . | \
	sed -E 's|^(.*)/[^/]+:func (Fuzz.*)|\1 \2|' | sort > out/fuzz-targets; \
	each=$(FUZZTIME); \
	if [ -n "$(MINUTES)" ]; then each=$$(( $(MINUTES) * 60 / $$(wc -l < out/fuzz-targets) ))s; fi; \
	while read -r package target; do \
	  echo "$$package $$target, $$each"; \
	  { $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime "$$each" -fuzzminimizetime 100x "$$package" || echo failed; } 2>&1 | tee out/fuzz; \
	  if tail -n 1 out/fuzz | grep -qx failed && ! { $(FUZZ_ENDED); }; then failed="$$failed $$target"; fi; \
	done < out/fuzz-targets; \
	if [ -n "$$failed" ]; then echo "failed:$$failed"; exit 1; fi

.PHONY: cover
cover: $(INSTALLED) ## measure test coverage, into out/cover.html
	@mkdir -p out
	$(GO) test -tags $(TAGS) -coverpkg=./... -coverprofile=out/cover.out ./...
	$(GO) tool cover -html=out/cover.out -o out/cover.html
	@$(GO) tool cover -func=out/cover.out | tail -n 1

.PHONY: clean
clean: ## remove build output
	rm -rf turnwire out dist $(CONFORMANCE)/node_modules
	rm -rf $(VSCODE)/out $(VSCODE)/dist $(VSCODE)/node_modules $(VSCODE_SERVER)/node_modules $(VSCODE_CHAT)/node_modules
