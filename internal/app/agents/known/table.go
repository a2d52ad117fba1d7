package known

// adapters and installers are what users type to install an agent.
const (
	npm = "npm install -g "
	uv  = "uv tool install "
)

// compared is the date of the run that docs/compatibility.md shows.
const compared = "2026-11-27"

// all lists the agents in the order in which they are shown: the most common ones first.
// To add an agent, add a row, and run go test ./internal/app/agents/known -update.
var all = []Agent{
	{
		Name: "claude", Title: "Claude Code", Registry: "claude-acp",
		Commands: []Command{
			{Args: []string{"claude-agent-acp"}},
			{Type: "claude", Args: []string{"claude"}},
		},
		Install: npm + "@agentclientprotocol/claude-agent-acp",
		Tested:  Tested{"0.101.0", compared},
	},
	{
		Name: "codex", Title: "Codex", Own: "codex", Registry: "codex-acp",
		Commands: []Command{{Args: []string{"codex-acp"}}},
		Install:  npm + "@agentclientprotocol/codex-acp",
		Tested:   Tested{"2.6.0", compared},
	},
	{
		Name: "gemini", Title: "Gemini CLI", Registry: "gemini",
		Commands: []Command{{Args: []string{"gemini", "--acp"}}}, // --experimental-acp is deprecated
		Install:  npm + "@google/gemini-cli",
		Tested:   Tested{"0.61.0", compared},
	},
	{
		Name: "opencode", Title: "OpenCode", Registry: "opencode",
		Commands: []Command{{Args: []string{"opencode", "acp"}}},
		Install:  npm + "opencode-ai",
		Tested:   Tested{"1.18.33", compared},
	},
	{
		Name: "copilot", Title: "GitHub Copilot CLI", Registry: "github-copilot-cli",
		Commands: []Command{{Args: []string{"copilot", "--acp"}}},
		Install:  npm + "@github/copilot",
		Tested:   Tested{"1.0.102", compared},
	},
	{
		Name: "cursor", Title: "Cursor", Registry: "cursor",
		Commands: []Command{{Args: []string{"cursor-agent", "acp"}}},
		Install:  "see https://cursor.com/cli",
	},
	{
		Name: "qwen", Title: "Qwen Code", Registry: "qwen-code",
		Commands: []Command{{Args: []string{"qwen", "--acp"}}},
		Install:  npm + "@qwen-code/qwen-code",
		Tested:   Tested{"0.24.4", compared},
	},
	{
		Name: "kimi", Title: "Kimi Code", Registry: "kimi",
		Commands: []Command{{Args: []string{"kimi", "acp"}}},
		Install:  npm + "@moonshot-ai/kimi-code",
		Tested:   Tested{"2.1.0", compared},
	},
	{
		Name: "vibe", Title: "Mistral Vibe", Registry: "mistral-vibe",
		Commands: []Command{{Args: []string{"vibe-acp"}}},
		Install:  uv + "mistral-vibe",
		Tested:   Tested{"3.0.2", compared},
	},
	{
		Name: "goose", Title: "goose", Registry: "goose",
		Commands: []Command{{Args: []string{"goose", "acp"}}},
		Install:  "see https://block.github.io/goose",
	},
	{
		Name: "cline", Title: "Cline", Registry: "cline",
		Commands: []Command{{Args: []string{"cline", "--acp"}}},
		Install:  npm + "cline",
	},
	{
		Name: "auggie", Title: "Auggie", Registry: "auggie",
		Commands: []Command{{Args: []string{"auggie", "--acp"}}},
		Install:  npm + "@augmentcode/auggie",
	},
	{
		Name: "droid", Title: "Factory Droid", Registry: "factory-droid",
		Commands: []Command{{Args: []string{"droid", "exec", "--output-format", "acp"}}},
		Install:  npm + "droid",
	},
	{
		Name: "kilo", Title: "Kilo Code", Registry: "kilo",
		Commands: []Command{{Args: []string{"kilo", "acp"}}},
		Install:  npm + "@kilocode/cli",
	},
	{
		Name: "kiro", Title: "Kiro",
		Commands: []Command{{Args: []string{"kiro-cli", "acp"}}},
		Install:  "see https://kiro.dev/cli",
	},
	{
		Name: "junie", Title: "Junie", Registry: "junie",
		Commands: []Command{{Args: []string{"junie", "--acp=true"}}},
		Install:  "see https://junie.jetbrains.com",
	},
	{
		Name: "qoder", Title: "Qoder", Registry: "qoder",
		Commands: []Command{{Args: []string{"qodercli", "--acp"}}},
		Install:  npm + "@qoder-ai/qodercli",
	},
	{
		Name: "amp", Title: "Amp", Own: "amp", Registry: "amp-acp",
		Commands: []Command{{Args: []string{"amp-acp"}}},
		Install:  npm + "amp-acp",
	},
	{
		Name: "pi", Title: "pi", Own: "pi", Registry: "pi-acp",
		Commands: []Command{{Args: []string{"pi-acp"}}},
		Install:  npm + "pi-acp",
	},
	{
		Name: "fast-agent", Title: "fast-agent", Registry: "fast-agent",
		Commands: []Command{{Args: []string{"fast-agent-acp"}}},
		Install:  uv + "fast-agent-mcp",
	},
}
