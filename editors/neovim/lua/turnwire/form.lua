--- Questions: a form from the agent (`elicitation/create`), asked field by
--- field.

local text = require("turnwire.text")

local M = {}

--- Formats a question as an input's prompt.
---@param question string
---@return string
function M.ask(question)
  return question .. (question:find("[?!.:]$") and " " or ": ")
end

--- Returns the fields in the agent's order.
---@param schema table
---@param names string[] the field names in that order
---@return { name: string, field: table, required: boolean }[]
local function fields(schema, names)
  local out, properties = {}, type(schema.properties) == "table" and schema.properties or {}
  local required = type(schema.required) == "table" and schema.required or {}
  local rank = {}
  for i, name in ipairs(names) do
    rank[name] = rank[name] or i
  end
  for name, field in pairs(properties) do
    if type(name) == "string" and type(field) == "table" then
      table.insert(out, { name = name, field = field, required = vim.list_contains(required, name) })
    end
  end
  table.sort(out, function(a, b)
    local x, y = rank[a.name] or math.huge, rank[b.name] or math.huge
    if x ~= y then
      return x < y
    end
    return a.name < b.name
  end)
  return out
end

--- Returns a field's choices: their values and labels.
---@param field table
---@return { value: string, label: string }[]
local function options(field)
  local out = {}
  local labelled = field.oneOf or field.anyOf
  if type(labelled) == "table" then
    for _, o in ipairs(labelled) do
      if type(o) == "table" and type(o.const) == "string" then
        table.insert(out, { value = o.const, label = text.line(o.title or o.const) })
      end
    end
  elseif type(field.enum) == "table" then
    for _, v in ipairs(field.enum) do
      if type(v) == "string" then
        table.insert(out, { value = v, label = text.line(v) })
      end
    end
  end
  return out
end

local function label(item)
  return item.label
end

--- Reports whether Turnwire marked a string as secret. Secrets are never shown
--- or stored. The protocol has no member for them.
---@param field table
---@return boolean
local function is_secret(field)
  return field.type == "string" and type(field._meta) == "table" and field._meta["turnwire.dev/secret"] == true
end

--- Shown instead of a secret. It also hides the secret's length.
local mask = "••••••"

--- Asks without showing the typed text. Defaults are ignored, because they
--- would be shown.
local function hidden(prompt, done)
  local ok, typed = pcall(vim.fn.inputsecret, { prompt = prompt, cancelreturn = vim.NIL })
  done(ok and typed ~= vim.NIL and typed or nil)
end

--- Asks until the person is satisfied; `done` gets a list, or nil.
local function several(prompt, items, chosen, done)
  local list = { { label = "Done" } }
  for _, item in ipairs(items) do
    table.insert(list, { label = (chosen[item.value] and "[x] " or "[ ] ") .. item.label, value = item.value })
  end
  vim.ui.select(list, { prompt = prompt, kind = "turnwire", format_item = label }, function(item)
    if not item then
      done(nil)
    elseif item.value then
      chosen[item.value] = not chosen[item.value] or nil
      several(prompt, items, chosen, done)
    else
      done(vim.iter(items)
        :filter(function(i)
          return chosen[i.value]
        end)
        :map(function(i)
          return i.value
        end)
        :totable())
    end
  end)
end

--- Asks until the answer is a number.
local function number(prompt, field, default, done)
  vim.ui.input({ prompt = prompt, default = default }, function(typed)
    if typed == nil or typed == "" then
      done(typed)
      return
    end
    local n = tonumber(typed)
    if not n or n ~= n or math.abs(n) == math.huge or (field.type == "integer" and n % 1 ~= 0) then
      vim.notify("Turnwire: not a valid " .. field.type, vim.log.levels.WARN)
      number(prompt, field, typed, done)
      return
    end
    done(n)
  end)
end

--- Asks for one field; `done` gets the value, "" if empty, or nil if cancelled.
---@param entry { name: string, field: table, required: boolean }
---@param question string
---@param done fun(value: any)
---@param typed any the initial value; overrides the default
local function ask(entry, question, done, typed)
  local field = entry.field
  local parts = { question }
  for _, part in ipairs({ text.line(field.title), text.line(field.description) }) do
    if part ~= "" then
      table.insert(parts, part)
    end
  end
  local prompt = M.ask(table.concat(parts, " · ") .. (entry.required and "" or " (optional)"))
  if field.type == "array" then
    local chosen = {}
    for _, v in ipairs(type(field.default) == "table" and field.default or {}) do
      chosen[v] = true
    end
    several(prompt, options(type(field.items) == "table" and field.items or {}), chosen, done)
    return
  end
  local items = options(field)
  if field.type == "boolean" then
    items = { { label = "Yes", value = true }, { label = "No", value = false } }
  end
  if #items > 0 then
    vim.ui.select(items, { prompt = prompt, kind = "turnwire", format_item = label }, function(item)
      if item then
        done(item.value)
      else
        done(nil)
      end
    end)
    return
  end
  local default = typed
  if default == nil then
    default = field.default
  end
  default = default ~= nil and text.line(tostring(default)) or nil
  if is_secret(field) then
    hidden(prompt, done)
  elseif field.type == "number" or field.type == "integer" then
    number(prompt, field, default, done)
  else
    vim.ui.input({ prompt = prompt, default = default }, done)
  end
end

--- Answers the request, and reports the answer to `answered`.
---@param params table
---@param request turnwire.Request
---@param answered fun(question: string, answer: string?)
function M.open(params, request, answered)
  local schema = type(params.requestedSchema) == "table" and params.requestedSchema or {}
  local question = text.line(params.message)
  if params.mode ~= "form" then
    request:fail(require("turnwire.rpc").invalid_params, "this client supports forms only")
    return
  end
  local names = require("turnwire.json").order(request.line or "", { "params", "requestedSchema", "properties" })
  local entries, content = fields(schema, names), vim.empty_dict()
  local function finish(action, answer)
    if not request.answered then
      request:reply({ action = action, content = action == "accept" and content or nil })
      answered(question, answer)
    end
  end
  -- The agent withdrew the request, or the turn ended.
  request.on_cancel = function()
    finish("cancel")
  end
  require("turnwire.dialogue").add({
    alive = function()
      return not request.answered
    end,
    run = function(done)
      local values = {}
      local function step(i)
        local entry = entries[i]
        if request.answered or not entry then
          finish("accept", table.concat(values, ", "))
          done()
          return
        end
        local function show(answered, typed)
          ask(entry, question, answered, typed)
        end
        local function answered(value)
          if value == nil then
            finish("cancel")
            done()
            return
          end
          if value == "" and entry.required and entry.field.type ~= "string" then
            step(i)
            return
          end
          if value ~= "" or entry.required then
            content[entry.name] = value
            value = is_secret(entry.field) and mask or value
            table.insert(values, type(value) == "table" and table.concat(value, ", ") or tostring(value))
          end
          step(i + 1)
        end
        if i == 1 then -- the person who answered one field expects the next
          require("turnwire.dialogue").answer(show, answered)
        else
          show(answered)
        end
      end
      if #entries > 0 then
        step(1)
        return
      end
      -- The form has no fields, but a person still has to accept it.
      local function menu(chosen)
        vim.ui.select({ "OK", "Cancel" }, { prompt = question, kind = "turnwire" }, chosen)
      end
      require("turnwire.dialogue").answer(menu, function(item)
        finish(item == "OK" and "accept" or "cancel", item == "OK" and item or nil)
        done()
      end)
    end,
  })
end

return M
