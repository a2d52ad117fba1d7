-- Runs every test in spec/, in order, in one Neovim.

local root = vim.env.TURNWIRE_TEST
vim.opt.runtimepath:prepend(vim.fs.dirname(root))
vim.cmd("runtime plugin/turnwire.lua")
package.path = root .. "/?.lua;" .. package.path
vim.o.columns, vim.o.lines = 120, 60
vim.o.swapfile = false
vim.o.report = 9999 -- hides "4 fewer lines" from the results

-- A busy machine must not change what completion offers.
for _, module in ipairs({ "agents", "completion", "files" }) do
  require("turnwire." .. module).patience = 60000
end

local helper = require("helper")
local passed, failed = 0, 0

local function run(name, test)
  helper.reset()
  local ok, err = xpcall(test, debug.traceback)
  local cleaned, problem = pcall(helper.reset)
  if ok and not cleaned then
    ok, err = false, problem
  end
  if ok then
    passed = passed + 1
    if vim.env.TURNWIRE_VERBOSE then
      io.stdout:write(("PASS %s\n"):format(name))
    end
  else
    failed = failed + 1
    io.stderr:write(("FAIL %s\n%s\n"):format(name, err))
  end
end

local files = vim.fn.glob(root .. "/spec/*.lua", true, true)
table.sort(files)
for _, file in ipairs(files) do
  for _, test in ipairs(dofile(file)) do
    local name = vim.fs.basename(file):gsub("%.lua$", "") .. ": " .. test[1]
    if name:find(vim.env.TURNWIRE_PATTERN or "") then
      run(name, test[2])
    end
  end
end
io.stdout:write(("%d passed, %d failed\n"):format(passed, failed))
vim.cmd(failed == 0 and passed > 0 and "qall!" or "cquit!")
