-- Defines the command `:Boildown` and starts the server for the buffers that it is for; the rest is loaded when needed.

if vim.g.loaded_boildown then
  return
end
vim.g.loaded_boildown = true

vim.api.nvim_create_user_command("Boildown", function(command)
  require("boildown.commands").run(command)
end, {
  nargs = "*",
  range = true,
  desc = "Reduce or generalize a failing input",
  complete = function(lead, line)
    return require("boildown.commands").complete(lead, line)
  end,
})

vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "FileType" }, {
  group = vim.api.nvim_create_augroup("boildown", {}),
  callback = function(event)
    require("boildown").attach(event.buf)
  end,
})
