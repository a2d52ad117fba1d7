-- Updates of a tool call.

local h = require("helper")
local tool = require("turnwire.block.tool")

local function merged(...)
  local block = tool.new("c", 0, "/")
  for _, update in ipairs({ ... }) do
    local _, message = require("turnwire.rpc").decode('{"params":{"update":' .. update .. "}}")
    block:update(message.params.update)
  end
  return block.call
end

return {
  {
    "an update replaces its members",
    function()
      h.equal(
        { title = "b", name = "n", kind = "edit", status = "completed", content = {}, locations = { { path = "/a" } }, rawOutput = 3, meta = {} },
        merged(
          '{"title":"a","name":"n","kind":"read","content":[{"type":"content"}]}',
          '{"title":"b","kind":"edit","status":"completed","content":[],"locations":[{"path":"/a"}],"rawOutput":3}'
        )
      )
    end,
  },
  {
    "null, empty and mistyped members change nothing",
    function()
      local call = '{"title":"a","status":"completed","content":[{"type":"content"}],"rawInput":{"x":1},"_meta":{"k":1}}'
      h.equal(merged(call), merged(call, '{"title":null,"content":null,"rawInput":null,"_meta":null}'))
      h.equal(merged(call), merged(call, '{"title":"","status":"","kind":"","content":"x","locations":7,"_meta":"m"}'))
    end,
  },
  {
    "_meta is merged key by key",
    function()
      local call = merged('{"_meta":{"a":{"x":1},"b":2}}', '{"_meta":{"a":{"y":1},"c":3}}')
      h.equal({ a = { y = 1 }, b = 2, c = 3 }, call.meta)
    end,
  },
  {
    "a null key of _meta removes that key",
    function()
      local call = merged('{"_meta":{"a":1,"b":2,"c":{"d":null,"e":1}}}', '{"title":null,"_meta":{"a":null,"x":null}}')
      h.equal({ b = 2, c = { e = 1 } }, call.meta)
    end,
  },
}
