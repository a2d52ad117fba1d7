-- The child process: its lines, its exit, and too much output.

local h = require("helper")
local process = require("turnwire.process")

--- Runs a shell script; the result grows while it runs.
local function run(script, more)
  local result = { lines = {}, stderr = {} }
  result.process = assert(process.start(vim.tbl_extend("force", {
    command = { "sh", "-c", script },
    cwd = h.folder(),
    env = {},
    on_line = function(line)
      table.insert(result.lines, line)
    end,
    on_stderr = function(line)
      table.insert(result.stderr, line)
    end,
    on_exit = function(code, signal)
      result.exit = { code, signal, #result.lines }
    end,
  }, more or {})))
  return result
end

local function ended(result)
  h.wait("it has ended", function()
    return result.exit
  end)
end

return {
  {
    "its lines come in order, even an unterminated last one, before its exit",
    function()
      local result = run("seq 1 100000; printf end; echo why >&2; exit 3")
      ended(result)
      h.equal({ 3, 0, 100001 }, result.exit)
      h.equal("100000", result.lines[100000])
      h.equal("end", result.lines[100001])
      h.equal({ "why" }, result.stderr)
    end,
  },
  {
    "while the editor is busy nothing more is read, and nothing is lost",
    function()
      local folder, result = h.folder(), nil
      local seen, finished = 0, nil
      result = run(("seq 1 300000; : > %s/finished"):format(folder), {
        on_line = function()
          seen = seen + 1
          if seen == 1 then
            h.wait("reading pauses", function()
              return result and result.process.paused
            end)
            finished = vim.uv.fs_stat(folder .. "/finished")
          end
        end,
      })
      ended(result)
      h.equal(nil, finished)
      h.equal(300000, seen)
    end,
  },
  {
    "its end does not wait for a descendant that holds its output",
    function()
      local result = run("sleep 3600 & echo $!; exit 4")
      ended(result)
      local pid = tonumber(result.lines[1])
      h.equal(0, vim.uv.kill(pid, "sigkill"))
      h.equal(4, result.exit[1])
    end,
  },
  {
    "it cannot reach the editor, and gets what the configuration adds",
    function()
      vim.env.NVIM_LISTEN_ADDRESS = "x"
      local result = run('echo "${NVIM-none} ${NVIM_LISTEN_ADDRESS-none} $MORE ${HOME:+home}"', { env = { MORE = "more" } })
      vim.env.NVIM_LISTEN_ADDRESS = nil
      ended(result)
      h.equal({ "none none more home" }, result.lines)
    end,
  },
  {
    "a process that ignores the stop is killed",
    function()
      local result = run("trap '' TERM; echo ready; while :; do sleep 0.1; done")
      h.wait("it runs", function()
        return #result.lines == 1
      end)
      result.process:stop()
      h.equal(false, result.process:write("x"))
      ended(result)
      h.equal(9, result.exit[2])
    end,
  },
}
