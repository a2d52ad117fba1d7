-- A chat opens in Insert mode: keys that are typed at once are part of the prompt.

local h = require("helper")

--- Starts another Neovim, whose keys arrive as if typed. It has a chat's commands.
---@param cwd string
---@param config string
---@return fun(keys: string) type
---@return fun(expression: string): any eval evaluates Lua
local function typist(cwd, config)
  local root = vim.env.TURNWIRE_TEST
  local channel = vim.fn.jobstart({ root .. "/nvim.sh", "--embed", "--headless", "--clean" }, { rpc = true, cwd = cwd })
  table.insert(h.jobs, channel)
  local function eval(code)
    return vim.rpcrequest(channel, "nvim_exec_lua", code, { vim.fs.dirname(root), vim.env.TURNWIRE })
  end
  eval([[
    local plugin, program = ...
    vim.opt.runtimepath:prepend(plugin)
    vim.cmd.runtime("plugin/turnwire.lua")
    function chat() return require("turnwire.chats").of(vim.api.nvim_get_current_buf()) end
  ]] .. config)
  return function(keys)
    vim.rpcrequest(channel, "nvim_input", keys)
  end, eval
end

local plain = [[require("turnwire").setup({ command = { program, "acp" }, confirm_delay = 0 })]]

return {
  {
    "what one types before the session is there is the prompt",
    function()
      local folder = h.folder({ ["notes.txt"] = "one\n" })
      local type, eval = typist(folder, plain)
      type(":Turnwire<CR>dd/say 0x dG<CR>")
      h.wait("the prompt is answered", function()
        return eval("return chat() and chat().ready and not chat():is_busy()")
      end)
      h.contains(eval("return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')"), "❯ dd/say 0x dG\n")
      h.equal("n", vim.trim(eval("return vim.api.nvim_get_mode().mode")))
    end,
  },
  {
    "the hint says how to write, and :Turnwire goes back to writing",
    function()
      local type, eval = typist(h.folder(), plain)
      local function says(hint)
        h.wait("it says " .. hint, function()
          return eval("return chat() and chat().prompt:_hint()") == hint
        end)
      end
      type(":Turnwire<CR>")
      says("Ask, /command, @file · <CR> sends")
      type("<Esc>")
      says("i to write · <CR> sends")
      type(":Turnwire<CR>")
      says("Ask, /command, @file · <CR> sends")
    end,
  },
  {
    "what one types while a saved chat is opened is its prompt, and in view",
    function()
      local folder = h.folder({ ["notes.txt"] = "one\n" })
      local chat = h.open(folder)
      h.send(chat, "/read notes.txt")
      h.done(chat)
      chat:close()
      local type, eval = typist(folder, plain)
      type(":TurnwireContinue<CR>dd and then")
      h.wait("the chat is there", function()
        return eval([[
          local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
          return vim.list_contains(lines, "❯ /read notes.txt") and not chat().loading and not next(chat().transcript.dirty)
        ]])
      end)
      h.wait("it is typed", function()
        return eval("return chat().prompt:get()") == "dd and then"
      end)
      h.equal("i", eval("return vim.api.nvim_get_mode().mode"))
      h.equal({ true, true }, eval([[
        vim.cmd.redraw()
        local call = vim.fn.search("✓ Read", "nw")
        return { vim.fn.foldclosed(call) == call, vim.fn.line("w$") == vim.fn.line("$") }
      ]]))
    end,
  },
  {
    "with a pending request, :Turnwire stays in Normal mode",
    function()
      local type, eval = typist(h.folder({ ["notes.txt"] = "one\n" }), plain)
      type(":Turnwire<CR>/append notes.txt two<CR>")
      h.wait("it asks", function()
        return eval("return chat() and #chat().confirmations.list == 1")
      end)
      type(":Turnwire<CR>:let seen = mode()<CR>")
      h.wait("the commands ran", function()
        return eval("return vim.g.seen") == "n"
      end)
    end,
  },
  {
    "a menu opens above an empty prompt, but not above a begun one",
    function()
      local folder = h.folder({ ["notes.txt"] = "one\n" })
      local type, eval = typist(folder, plain .. [[
        vim.ui.select = function(_, options, done) vim.g.asked, vim.g.mode = options.prompt, vim.api.nvim_get_mode().mode done(nil) end
      ]])
      type(":Turnwire<CR>/wait 0.001<CR>")
      h.wait("the turn is over", function()
        return eval("return chat() and chat().ready and not chat():is_busy()")
      end)
      type("ix")
      h.wait("it is typed", function()
        return eval("return chat().prompt:get()") == "x"
      end)
      eval([[
        require("turnwire.dialogue").add({ alive = function() return true end, run = function(done)
          vim.ui.select({}, { prompt = "Which?" }, function() done() end)
        end })
        -- Wait until everything that this scheduled has run.
        local ran = false
        vim.schedule(function() ran = true end)
        vim.wait(60000, function() return ran end)
      ]])
      h.equal(vim.NIL, eval("return vim.g.asked"))
      type("<BS><Esc>i")
      h.wait("it asks", function()
        return eval("return vim.g.asked") == "Which?"
      end)
      h.equal("n", eval("return vim.g.mode"))
    end,
  },
}
