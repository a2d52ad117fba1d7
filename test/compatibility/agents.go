package main

import "time"

// An agent is one that a row of the table is about. In its command, variables and files,
// $URL is the model's URL, $MODEL its name, $HOME the home folder of the run, and $ROOT
// the checkout.
type agent struct {
	name    string // of its folders, and for -only
	title   string
	install install
	// The arguments of "turnwire acp". The first word of a command after "--" is looked
	// up among the installed programs.
	args  []string
	env   []string
	files map[string]string // below the home folder; the project is its folder "project"
	login string            // the login to choose, if one is required
	mode  string            // a mode in which it asks before it runs a command
	pause time.Duration     // before a session is reopened
	why   string            // why it can't be run; the rest is empty then
}

const noKey = "not-a-key"

var agents = []agent{
	{
		name: "claude", title: "Claude Code", install: npm("@agentclientprotocol/claude-agent-acp"),
		args: byName("claude"),
		env: []string{
			"ANTHROPIC_BASE_URL=$URL", "ANTHROPIC_API_KEY=" + noKey,
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
		},
		files: map[string]string{".claude/settings.json": `{"permissions": {"defaultMode": "default"}}`},
	},
	{
		name: "codex", title: "Codex", install: npm("@agentclientprotocol/codex-acp"),
		args: byName("codex"), mode: "read-only", // by default, its own reviewer answers instead of the user
		files: map[string]string{".codex/config.toml": `model = "$MODEL"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "$URL/v1"
wire_api = "responses"
`},
	},
	{
		name: "gemini", title: "Gemini CLI", install: npm("@google/gemini-cli"),
		args: byName("gemini"), pause: time.Minute, // within the minute, it overwrites the conversation
		env: []string{"GEMINI_API_KEY=" + noKey, "GOOGLE_GEMINI_BASE_URL=$URL", "GEMINI_MODEL=$MODEL"},
		// Its clean-up of old sessions also deletes the one that is reopened.
		files: map[string]string{".gemini/settings.json": `{
  "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false, "sessionRetention": {"enabled": false}}
}`},
	},
	{
		name: "opencode", title: "OpenCode", install: npm("opencode-ai"),
		args: byName("opencode"),
		env:  []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"},
		files: map[string]string{"project/opencode.json": `{
  "model": "scripted/$MODEL",
  "small_model": "scripted/$MODEL",
  "permission": {"bash": "ask"},
  "provider": {"scripted": {
    "npm": "@ai-sdk/openai-compatible",
    "options": {"baseURL": "$URL/v1", "apiKey": "` + noKey + `"},
    "models": {"$MODEL": {"attachment": true, "modalities": {"input": ["text", "image"], "output": ["text"]}}}
  }}
}`},
	},
	{
		name: "qwen", title: "Qwen Code", install: npm("@qwen-code/qwen-code"),
		args: byName("qwen"),
		env:  []string{"OPENAI_API_KEY=" + noKey, "OPENAI_BASE_URL=$URL/v1", "OPENAI_MODEL=$MODEL"},
		files: map[string]string{".qwen/settings.json": `{
  "model": {"name": "$MODEL"},
  "modelProviders": {"openai": [{
    "id": "$MODEL", "name": "$MODEL", "envKey": "OPENAI_API_KEY", "baseUrl": "$URL/v1",
    "generationConfig": {"modalities": {"image": true}}
  }]},
  "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": false}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false}
}`},
	},
	{
		name: "copilot", title: "GitHub Copilot CLI", install: npm("@github/copilot"),
		args: byName("copilot"),
		env: []string{
			"COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_BASE_URL=$URL/v1", "COPILOT_PROVIDER_API_KEY=" + noKey,
			"COPILOT_MODEL=$MODEL", "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false",
		},
	},
	{
		name: "vibe", title: "Mistral Vibe", install: pypi("mistral-vibe"),
		args: byName("vibe"),
		env:  []string{"MISTRAL_API_KEY=" + noKey},
		files: map[string]string{".vibe/config.toml": `active_model = "$MODEL"
enable_telemetry = false
enable_update_checks = false

[[providers]]
name = "scripted"
api_base = "$URL/v1"
api_key_env_var = "MISTRAL_API_KEY"
api_style = "openai"
backend = "generic"

[[models]]
name = "$MODEL"
provider = "scripted"
alias = "$MODEL"
supports_images = true
`},
	},
	{name: "goose", title: "goose", why: "no package of it was found on npm or PyPI"},
	{name: "cline", title: "Cline", why: "its ACP mode accepts only a login with Cline or ChatGPT"},
	{name: "cursor", title: "Cursor", why: "no package of it was found on npm or PyPI"},
	{name: "auggie", title: "Auggie", why: "it requires a login with Augment"},
	{name: "droid", title: "Factory Droid", why: "it requires a login or key of Factory"},
	{name: "kilo", title: "Kilo Code", why: "its newest package could not be installed: a part of it was not on npm yet"},
	{name: "kiro", title: "Kiro", why: "no package of it was found on npm or PyPI"},
	{name: "junie", title: "Junie", why: "its npm package doesn't contain the program"},
	{name: "qoder", title: "Qoder", why: "it requires a login with Qoder"},
	{name: "amp", title: "Amp", why: "its adapter could not be found on npm"},
	{
		// It needs a newer Node.js than most systems have.
		name: "kimi", title: "Kimi Code", install: npm("@moonshot-ai/kimi-code", "node@22"),
		args: byName("kimi"),
		files: map[string]string{".kimi-code/config.toml": `default_model = "$MODEL"

[providers.scripted]
type = "openai"
base_url = "$URL/v1"
api_key = "` + noKey + `"

[models.$MODEL]
provider = "scripted"
model = "$MODEL"
max_context_size = 100000
capabilities = ["image_in", "tool_use"]
`},
	},
	{
		// By its name alone, it has no tool to run commands, which the test needs.
		name: "fast-agent", title: "fast-agent --shell", install: pypi("fast-agent-mcp"),
		args: acpAgent("fast-agent-acp", "--shell"),
		// The scripted model's name has to be one that fast-agent knows to read images.
		files: map[string]string{"project/fastagent.config.yaml": `default_model: openai.gpt-4.1
openai:
  api_key: ` + noKey + `
  base_url: $URL/v1
`},
	},
	{
		name: "agentao", title: "Agentao", install: pypi("agentao"),
		args: []string{"--agent", "agentao", "--", "python3"},
		env:  []string{"OPENAI_API_KEY=" + noKey, "OPENAI_BASE_URL=$URL/v1", "OPENAI_MODEL=$MODEL"},
	},
	{name: "agentb", title: "AgentB", why: "no package of it was found on npm or PyPI"},
	{name: "awaken", title: "Awaken", why: "it is a library: a server has to be written first"},
	{name: "ethos", title: "Ethos", why: "no package of it was found on npm or PyPI"},
	{name: "glue", title: "Glue", why: "no package of it was found on npm or PyPI"},
	{
		name: "ollama", title: "examples/ollama.py", install: checkout(),
		args: []string{"--", "python3", "$ROOT/examples/ollama.py"},
		env:  []string{"OPENAI_API_KEY=" + noKey, "OPENAI_BASE_URL=$URL/v1", "OPENAI_MODEL=$MODEL"},
	},
}

// byName returns the arguments for an agent that Turnwire knows, and finds in PATH.
func byName(name string) []string { return []string{"--agent", name} }

// acpAgent returns the arguments for another agent that speaks ACP.
func acpAgent(command ...string) []string {
	return append([]string{"--agent", "acp", "--"}, command...)
}
