//go:build external

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Stand-ins for the plugins: each stores the options that its setup receives,
// merged with its own. The real ones treat these options the same way.
const (
	codecompanionPlugin = `
local config = require("codecompanion.config")
return {
  setup = function(options)
    local presets = { goose = "goose" }
    local acp = (options.adapters or {}).acp or {}
    if (acp.opts or {}).show_presets == false then presets = {} end
    config.adapters = { acp = vim.tbl_extend("force", presets, acp) }
  end,
}`
	codecompanionAdapters = `
return {
  extend = function(base, options)
    assert(base.type == "acp", "the base must be a table: its name may be unknown")
    return vim.tbl_deep_extend("force", {}, base, options)
  end,
}`
	avantePlugin = `
local config = require("avante.config")
return {
  setup = function(options)
    local defaults = { acp_providers = { goose = { command = "goose" } } }
    for key, value in pairs(vim.tbl_deep_extend("force", defaults, options)) do
      config[key] = value
    end
    assert(config.acp_providers[config.provider], "there is no such provider")
  end,
}`
)

// The user's own configuration of the plugins.
const ownSetup = `
function Setup(provider)
  require("codecompanion").setup({ adapters = { acp = {
    mine = "mine", ["turnwire-glue"] = "my own", opts = { show_presets = false },
  } } })
  require("avante").setup({ provider = provider, acp_providers = { ["turnwire-glue"] = { command = "my own" } } })
  require("turnwire").setup({ position = "left" })
end
`

// Writes the agents that the plugins know as JSON to the file that REPORT
// names.
const report = `
local function report()
  local acp = require("codecompanion.config").adapters.acp
  local adapter = type(acp.turnwire) == "function" and acp.turnwire() or {}
  local avante = require("avante.config")
  local ours = avante.acp_providers.turnwire or { env = {} }
  local turnwire = require("turnwire.config")
  local keys = vim.tbl_keys(acp)
  table.sort(keys)
  local file = assert(io.open(vim.env.REPORT, "w"))
  file:write(vim.json.encode({
    loaded = Loaded, adapters = keys, name = adapter.formatted_name, command = adapter.commands,
    provider = avante.provider, run = { ours.command, ours.args },
    home = ours.env.HOME == vim.env.HOME, editor = ours.env.NVIM == nil,
    own = { acp["turnwire-glue"], avante.acp_providers["turnwire-glue"].command },
    turnwire = turnwire.command, position = turnwire.position,
  }))
  file:close()
end
local ok, problem = pcall(report)
if not ok then io.stderr:write(problem .. "\n") end
`

// The plugins get the agents whether they are set up before our file runs or
// after it, and the user's own settings win.
func TestSetupOfNeovimReachesThePlugins(t *testing.T) {
	t.Parallel()
	plugin, err := filepath.Abs("../../editors/neovim")
	require.NoError(t, err)
	for name, c := range map[string]struct{ init, later, provider string }{
		"before": {"Setup('goose')", "Loaded = vim.NIL", "goose"},
		"after":  {"Loaded = vim.NIL", "Loaded = package.loaded.codecompanion ~= nil or package.loaded.avante ~= nil; Setup('turnwire')", "turnwire"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newUser(t)
			p.has("plugins/lua/codecompanion/init.lua", codecompanionPlugin)
			p.has("plugins/lua/codecompanion/config.lua", "return {}")
			p.has("plugins/lua/codecompanion/adapters/init.lua", codecompanionAdapters)
			p.has("plugins/lua/codecompanion/adapters/acp/opencode.lua", `return { type = "acp", name = "opencode" }`)
			p.has("plugins/lua/avante/init.lua", avantePlugin)
			p.has("plugins/lua/avante/config.lua", "return {}")
			p.has(".config/nvim/init.lua", "vim.opt.runtimepath:append({ vim.env.HOME .. '/plugins', "+quoteLua(plugin)+" })\n"+ownSetup+c.init)
			p.has("later.lua", c.later+"\n"+report)
			for _, agent := range []string{"glue", "workspace"} {
				require.Zero(t, p.run("setup", "neovim", "--agent", agent, "--yes").code)
			}
			require.Zero(t, p.run("setup", "neovim", "--yes").code)

			out := nvim(t, p, "-c", "luafile "+filepath.Join(p.home, "later.lua"))
			require.Empty(t, out)
			loaded := map[string]string{"before": "null", "after": "false"}[name]
			require.JSONEq(t, `{
  "loaded": `+loaded+`,
  "adapters": ["mine", "opts", "turnwire", "turnwire-glue", "turnwire-workspace"],
  "name": "Turnwire", "command": { "default": ["$HOME/bin/turnwire", "acp"] },
  "provider": "`+c.provider+`", "run": ["$HOME/bin/turnwire", ["acp"]], "home": true, "editor": true,
  "own": ["my own", "my own"],
  "turnwire": ["$HOME/bin/turnwire", "acp"], "position": "left"
}`, p.shown(strings.ReplaceAll(p.file("report"), `\/`, "/")))
		})
	}
}

// A plugin that isn't installed is neither required nor faked, and can be
// installed later.
func TestSetupOfNeovimBeforeAnyPlugin(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has(".config/nvim/init.lua", "")
	require.Zero(t, p.run("setup", "neovim", "--yes").code)
	const try = `lua for _, name in ipairs({ "codecompanion", "avante", "turnwire.config" }) do
		for _ = 1, 2 do
			local ok, problem = pcall(require, name)
			assert(not ok and problem:find("module '" .. name .. "' not found", 1, true), problem)
		end
	end`
	p.has("plugins/lua/turnwire/config.lua", "return { command = { 'turnwire', 'acp' }, set = true }")
	const come = `lua vim.opt.runtimepath:append(vim.env.HOME .. "/plugins")
		assert(require("turnwire.config").command[1] == vim.env.HOME .. "/bin/turnwire")`
	require.Empty(t, nvim(t, p, "-c", try, "-c", come))
}

func quoteLua(s string) string { return "[==[" + s + "]==]" }

// nvim runs Neovim in a user's home directory, and returns its output.
func nvim(t *testing.T, p *user, args ...string) string {
	t.Helper()
	script, err := filepath.Abs("../../editors/neovim/test/nvim.sh")
	require.NoError(t, err)
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	folder := os.Getenv("TURNWIRE_NVIM")
	if folder == "" {
		folder = filepath.Join(cache, "turnwire", "nvim")
	}
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{script, "--headless"}, append(args, "-c", "qa!")...)...)
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "TURNWIRE_NVIM=" + folder, "REPORT=" + filepath.Join(p.home, "report"), "NVIM=/outer"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}
