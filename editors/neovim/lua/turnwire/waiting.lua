--- Shows queued prompts, as lines above the prompt and as a menu.

local text = require("turnwire.text")
local turn = require("turnwire.turn")

local M = {}

--- Most prompts shown above the prompt; the menu has all.
local most = 5

--- Returns the lines that show the queued prompts.
---@param prompts turnwire.Prompts
---@param width integer width in cells
---@return table[][] lines of virtual text
function M.lines(prompts, width)
  local out, count = {}, #prompts.list
  if count == 0 then
    return out
  end
  local how = prompts.paused and ("queued, paused: %s"):format(prompts.paused) or "queued"
  table.insert(out, { { text.fit(("%d %s · gQ"):format(count, how), width), prompts.paused and "TurnwireAsk" or "TurnwireStatus" } })
  for i, item in ipairs(prompts.list) do
    if i > most then
      table.insert(out, { { ("  … %d more"):format(count - most), "TurnwireHint" } })
      break
    end
    local edited = prompts.edited and prompts.edited.item == item
    local sign = edited and "✎ " or item.sending and "→ not read yet: " or "⋯ "
    table.insert(out, { { text.fit(sign .. text.line(item.text, 400), width), "TurnwireStatus" } })
  end
  return out
end

---@param chat turnwire.Chat
---@param item turnwire.Waiting
local function edit(chat, item)
  if chat.prompts.edited then
    turn.submit(chat)
  end
  if not vim.list_contains(chat.prompts.list, item) then
    vim.notify("Turnwire: this prompt is no longer queued", vim.log.levels.WARN)
    return
  end
  require("turnwire.window").show(chat)
  chat.prompts:edit(item, chat.prompt:get())
  chat.prompt:set(vim.split(item.text, "\n", { plain = true }))
  chat.prompt:focus(0)
end

---@param chat turnwire.Chat
---@param item turnwire.Waiting
local function choose_action(chat, item)
  if chat.prompts.edited and chat.prompts.edited.item == item then
    vim.notify("Turnwire: this prompt is being edited; <CR> puts it back", vim.log.levels.WARN)
    return
  end
  if item.sending then
    vim.notify("Turnwire: the agent has this prompt, but has not read it yet", vim.log.levels.WARN)
    return
  end
  local now = not chat:is_busy() and "Send now" or turn.can_steer(chat) and "Send now, during the turn" or "Cancel the turn and send now"
  vim.ui.select({ "Edit", now, "Remove" }, { prompt = text.line(item.text, 60), kind = "turnwire" }, function(action)
    if action == "Edit" then
      edit(chat, item)
    elseif action == now then
      turn.send_now(chat, item)
    elseif action == "Remove" then
      chat.prompts:remove(item)
    end
  end)
end

--- Lets the person choose a queued prompt and an action.
---@param chat turnwire.Chat
function M.choose(chat)
  local prompts = chat.prompts
  if #prompts.list == 0 then
    vim.notify("Turnwire: no prompts are queued")
    return
  end
  local items, go_on = vim.list_slice(prompts.list), {}
  if prompts.paused then
    table.insert(items, 1, go_on)
  end
  vim.ui.select(items, {
    prompt = "Queued prompts:",
    kind = "turnwire",
    format_item = function(item)
      return item == go_on and "Send all" or text.line(item.text, 200)
    end,
  }, function(item)
    if item == go_on then
      turn.go_on(chat)
    elseif item then
      choose_action(chat, item)
    end
  end)
end

return M
