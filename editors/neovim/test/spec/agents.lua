-- The menu of agents.

local h = require("helper")

--- Uses a stand-in for Turnwire that knows three agents, and is the real one otherwise.
---@return string record the file with the commands that it was given
local function known()
  local folder = h.folder()
  local script, record = folder .. "/turnwire", folder .. "/record"
  vim.fn.writefile({
    "#!/bin/sh",
    'echo "$*" >> ' .. record,
    'case "$1 $2" in',
    '"agents --json") echo \'[{"name":"codex","title":"Codex","reachable":false,"addable":true},'
      .. '{"name":"workspace","title":"","reachable":true},{"name":"gemini","title":"Gemini CLI","reachable":true}]\' ;;',
    '"agents add") echo "codex-acp 1.0 runs npx" ;;',
    '*) exec "$TURNWIRE" acp --no-journal ;;',
    "esac",
  }, script)
  vim.fn.setfperm(script, "rwx------")
  require("turnwire").setup({ command = { script, "acp" }, confirm_delay = 0 })
  return record
end

--- Answers vim.fn.confirm, and returns the texts that it has shown.
local function confirming(answer)
  local shown = {}
  vim.fn.confirm = function(text)
    table.insert(shown, text)
    return answer
  end
  return shown
end

local function given(record, part)
  return (h.read(record) or ""):find(part, 1, true) ~= nil
end

return {
  {
    "agents are chosen in a menu, the installed ones first",
    function()
      local record = known()
      local seen = h.choose("Gemini CLI (gemini)")
      vim.cmd("TurnwireAgents")
      h.wait("it is asked", function()
        return #seen == 1
      end)
      h.equal({ "Gemini CLI (gemini)", "workspace", "Codex (codex), not installed" }, seen[1].labels)
      h.wait("it is started", function()
        return given(record, "acp --agent gemini")
      end)
    end,
  },
  {
    "Neovim stays usable while Turnwire looks for agents",
    function()
      local folder = h.folder()
      local script, go = folder .. "/turnwire", folder .. "/go"
      vim.fn.writefile({
        "#!/bin/sh",
        "until [ -e " .. go .. " ]; do sleep 0.01; done",
        'echo \'[{"name":"workspace","title":"","reachable":true}]\'',
      }, script)
      vim.fn.setfperm(script, "rwx------")
      require("turnwire").setup({ command = { script, "acp" } })
      local seen = h.choose(false)
      vim.cmd("TurnwireAgents")
      h.write(go, "") -- runs while the program does
      h.wait("it is asked", function()
        return #seen == 1
      end)
      h.equal({ "workspace" }, seen[1].labels)
    end,
  },
  {
    "the menu tells why there are no agents",
    function()
      local script = h.folder() .. "/turnwire"
      local function answering(line, message)
        vim.fn.writefile({ "#!/bin/sh", line }, script)
        vim.fn.setfperm(script, "rwx------")
        require("turnwire").setup({ command = { script, "acp" } })
        vim.cmd("TurnwireAgents")
        h.wait("it says " .. message, function()
          return vim.list_contains(h.notes, "Turnwire: " .. message)
        end)
      end
      answering("echo 'turnwire: a bad configuration' >&2; exit 1", "a bad configuration")
      answering("echo no JSON", "turnwire agents does not list any")
      answering("echo '[]'", "turnwire agents lists none")
    end,
  },
  {
    "an agent that is not installed is added after a yes",
    function()
      local record = known()
      local shown = confirming(2)
      h.choose("Codex (codex), not installed", "Codex (codex), not installed")
      vim.cmd("TurnwireAgents")
      h.wait("it is asked", function()
        return #shown == 1
      end)
      h.contains(shown[1], "codex-acp 1.0 runs npx")
      h.equal(false, given(record, "--yes"))
      shown = confirming(1)
      vim.cmd("TurnwireAgents")
      h.wait("it is started", function()
        return given(record, "acp --agent codex")
      end)
      h.equal(true, given(record, "agents add codex --yes"))
      vim.fn.confirm = nil
    end,
  },
  {
    "names of agents that are not installed are not completed",
    function()
      known()
      h.equal({ "workspace", "gemini" }, require("turnwire.completion").chat("", "Turnwire --agent ", #"Turnwire --agent "))
    end,
  },
}
