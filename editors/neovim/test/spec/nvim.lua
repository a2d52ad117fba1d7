local h = require("helper")

--- Writes a script in the folder that records its calls in a file.
local function script(path, text)
  vim.fn.mkdir(vim.fs.dirname(path), "p")
  h.write(path, "#!/bin/sh\n" .. text)
  assert(vim.uv.fs_chmod(path, 448)) -- owner only
end

return {
  {
    "nvim.sh does not call itself if nvim in PATH leads to it",
    function()
      local folder = h.folder()
      -- The sixth call fails, so that a bug here can't recurse without end.
      script(
        folder .. "/bin/nvim",
        [[
        echo called >> "$FOLDER/calls"
        DEPTH=$((${DEPTH:-0} + 1))
        [ "$DEPTH" -le 5 ] || exit 1
        export DEPTH
        exec "$TURNWIRE_TEST/nvim.sh" "$@"
        ]]
      )
      -- The unpacked copy runs through its own loader.
      script(folder .. "/root/usr/bin/nvim", "exit 1\n")
      script(folder .. "/root/lib64/ld-linux-test.so.2", 'echo "NVIM v0.11.0"\n')
      local said = vim
        .system({ folder .. "/bin/nvim", "--version" }, {
          text = true,
          env = { FOLDER = folder, TURNWIRE_NVIM = folder, PATH = folder .. "/bin:" .. vim.env.PATH },
        })
        :wait(60000)
      h.equal("NVIM v0.11.0\n", said.stdout)
      -- Called by this test, and when nvim.sh checks which nvim this is.
      h.equal("called\ncalled\n", h.read(folder .. "/calls"))
    end,
  },
}
