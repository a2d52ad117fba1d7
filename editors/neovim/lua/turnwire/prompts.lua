--- Prompts that wait for their turn.
---
--- They are sent in their order, each when the turn before it has ended well. After
--- a cancel or an error they are held, for what they were meant to follow did not
--- happen; the person says when they go on.

local M = {}

---@class turnwire.Waiting
---@field said string

---@class turnwire.Prompts
---@field list turnwire.Waiting[]
---@field held string? why they are held
---@field edited { item: turnwire.Waiting, draft: string }? the one that is in the prompt, and what was there
local Prompts = {}
Prompts.__index = Prompts

---@param changed fun()
---@return turnwire.Prompts
function M.new(changed)
  return setmetatable({ list = {}, changed = changed }, Prompts)
end

---@param said string
function Prompts:add(said)
  table.insert(self.list, { said = said })
  self.changed()
end

--- Takes the next one that may be sent. One that is being edited is waited for.
---@return string?
function Prompts:take()
  local first = self.list[1]
  if not first or self.held or (self.edited and self.edited.item == first) then
    return nil
  end
  table.remove(self.list, 1)
  self.changed()
  return first.said
end

--- Takes one out of its order.
---@param item turnwire.Waiting
---@return string? said nil if it does not wait any more
function Prompts:remove(item)
  for i, other in ipairs(self.list) do
    if other == item then
      table.remove(self.list, i)
      if #self.list == 0 then
        self.held = nil
      end
      self.changed()
      return item.said
    end
  end
end

---@param item turnwire.Waiting
---@param draft string
function Prompts:edit(item, draft)
  self.edited = { item = item, draft = draft }
  self.changed()
end

--- Ends the editing. Nothing said means that it is not to be sent.
---@param said string
---@return string draft what was in the prompt before
function Prompts:edit_done(said)
  local edited = self.edited
  self.edited = nil
  edited.item.said = said
  if not said:find("%S") then
    self:remove(edited.item)
  end
  self.changed()
  return edited.draft
end

---@param why string
function Prompts:hold(why)
  if #self.list > 0 then
    self.held = why
    self.changed()
  end
end

function Prompts:release()
  self.held = nil
  self.changed()
end

return M
