local h = require("helper")
local find = require("turnwire.program").find

--- Returns what is found on a machine that only has these files.
local function found(windows, path, files, command)
  return find(command or "turnwire", {
    windows = windows,
    path = path,
    can_run = function(file)
      assert(file:find(windows and "^%a:\\" or "^/") or file:find("^\\\\"), "only whole paths are looked at: " .. file)
      return vim.list_contains(files, file)
    end,
  })
end

return {
  {
    "on Windows it is the first in PATH, with its whole path",
    function()
      local files = { "C:\\b\\turnwire.exe", "D:\\turnwire.exe", "\\\\host\\share\\other.com" }
      h.equal("C:\\b\\turnwire.exe", found(true, 'C:\\a;"C:\\b";D:\\', files))
      h.equal("D:\\turnwire.exe", found(true, "D:\\;C:\\b", files, "turnwire.exe"))
      h.equal("\\\\host\\share\\other.com", found(true, "C:\\a;\\\\host\\share", files, "other"))
      h.equal(nil, found(true, "C:\\a", files))
    end,
  },
  {
    "on Windows the working directory is no part of PATH",
    function()
      local files = { "turnwire.exe", ".\\turnwire.exe", "bin\\turnwire.exe", "\\turnwire.exe", "C:turnwire.exe" }
      h.equal(nil, found(true, ";.;..;bin;.\\bin;\\;C:;\"\";", files))
    end,
  },
  {
    "elsewhere it is the first in PATH, without the working directory",
    function()
      local files = { "turnwire", "./turnwire", "/b/turnwire", "/c/turnwire" }
      h.equal("/b/turnwire", found(false, ":.:/a:/b:/c", files))
      h.equal(nil, found(false, ":.:bin:", files))
    end,
  },
  {
    "with a folder it is used unchanged",
    function()
      h.equal("./turnwire", found(false, "/a", {}, "./turnwire"))
      h.equal("C:\\x\\turnwire.exe", found(true, "C:\\a", {}, "C:\\x\\turnwire.exe"))
    end,
  },
  {
    "a program in the working directory is not started instead of one in PATH",
    function()
      local folder = h.folder({ trap = "#!/bin/sh\ntouch sprung\n" })
      assert(vim.uv.fs_chmod(folder .. "/trap", 448)) -- owner only
      local path = vim.env.PATH
      vim.env.PATH = ".:" .. path
      local started, problem = require("turnwire.process").start({ command = { "trap" }, cwd = folder, env = {} })
      vim.env.PATH = path
      h.equal(nil, started)
      h.contains(problem, "trap")
    end,
  },
}
