-- Neovim in the pictures of the README.

vim.o.termguicolors = true
vim.o.background = vim.env.TURNWIRE_PICTURE
vim.o.number = true
vim.o.laststatus = 3
vim.o.showmode = false
vim.o.ruler = false
vim.opt.shortmess:append("I")
vim.env.PATH = vim.env.TURNWIRE_FOLDER .. ":" .. vim.env.PATH
