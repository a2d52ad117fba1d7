-- An agent's settings: modes and config options.

local h = require("helper")

---@return turnwire.Chat
---@return fun(part: string) told waits until the agent received a part
local function opened()
  local folder = h.folder()
  h.speak("modes.sh", folder .. "/record")
  local chat = h.open(folder)
  return chat, function(part)
    h.wait("it is told " .. part, function()
      return (h.read(folder .. "/record") or ""):gsub("\\/", "/"):find(part, 1, true)
    end)
  end
end

local function rule(chat)
  return table.concat(vim.tbl_map(function(chunk)
    return chunk[1]
  end, chat.prompt.rule))
end

return {
  {
    "modes and options are above the prompt, and are chosen in menus",
    function()
      local chat, told = opened()
      h.equal("ready · Ask first · Small · Web search · X", rule(chat))
      local seen = h.choose("Mode", "  Go ahead")
      vim.cmd("TurnwireSet")
      h.equal({ "Mode", "Model", "Web search" }, seen[1].labels)
      h.equal({ "● Ask first · Changes nothing unasked", "  Go ahead" }, seen[2].labels)
      told('"session/set_mode"')
      told('"modeId":"go"')
      h.wait("the mode is shown", function()
        return rule(chat) == "ready · Go ahead · Small · Web search · X"
      end)
    end,
  },
  {
    "a mode that the agent changes is shown",
    function()
      local chat = opened()
      h.choose("  Go ahead")
      vim.cmd("TurnwireSet mode")
      h.wait("the mode is shown", function()
        return rule(chat):find("Go ahead", 1, true)
      end)
      h.send(chat, "go back")
      h.done(chat)
      h.contains(rule(chat), "Ask first")
    end,
  },
  {
    "a refused choice changes nothing and is reported",
    function()
      local chat, told = opened()
      vim.cmd("TurnwireSet model Large")
      told('"value":"m2"')
      h.wait("it says so", function()
        return (h.notes[#h.notes] or ""):find("Model was not changed: it cannot be chosen", 1, true)
      end)
      h.contains(rule(chat), "Small")
      vim.cmd("TurnwireSet web false")
      told('"value":false')
      told('"type":"boolean"')
    end,
  },
  {
    "a missing option is named, and nothing is sent",
    function()
      local chat = opened()
      vim.cmd("TurnwireSet mood")
      h.contains(h.notes[#h.notes], 'unknown setting "mood"')
      vim.cmd("TurnwireSet mode mad")
      h.contains(h.notes[#h.notes], 'Mode has no value "mad"')
      h.lacks(h.read(chat.cwd .. "/record"), "set_")
    end,
  },
  {
    "settings and values are completed",
    function()
      opened()
      h.equal({ "mode", "model" }, vim.fn.getcompletion("TurnwireSet mo", "cmdline"))
      h.equal({ "m1", "m2" }, vim.fn.getcompletion("TurnwireSet model ", "cmdline"))
      h.equal({ "true", "false" }, vim.fn.getcompletion("TurnwireSet web ", "cmdline"))
      h.equal({}, vim.fn.getcompletion("TurnwireSet model m1 ", "cmdline"))
    end,
  },
  {
    "a read-only workspace agent neither asks nor writes",
    function()
      local chat = h.open(h.folder({ ["notes.txt"] = "one\n" }))
      vim.cmd("TurnwireSet mode read-only")
      h.wait("the mode is shown", function()
        return rule(chat) == "ready · Read only"
      end)
      h.send(chat, "/append notes.txt two")
      h.done(chat)
      h.equal("one\n", h.read(chat.cwd .. "/notes.txt"))
    end,
  },
  {
    "an agent without settings says so",
    function()
      local folder = h.folder()
      h.speak("acp.sh", folder .. "/lines", folder .. "/record")
      h.open(folder)
      vim.cmd("TurnwireSet")
      h.contains(h.notes[#h.notes], "no settings")
    end,
  },
}
