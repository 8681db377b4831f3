-- The options, and which buffers the server is started for.

local M = {}

M.options = {
  -- The command that starts the server.
  cmd = { "boildown", "lsp" },
  -- The server is started for files of these types, whose strings may be failing inputs, and for all files of a project
  -- with a configuration. In other buffers the first `:Boildown …` starts it.
  filetypes = { "go", "javascript", "javascriptreact", "python", "typescript", "typescriptreact" },
  -- The options of the server, as its protocol lists them.
  init_options = { applyResult = "edit", liveProgress = true },
  -- Whether a window shows the progress of jobs.
  progress = true,
}

function M.setup(options)
  M.options = vim.tbl_deep_extend("force", M.options, options or {})
end

-- Starts the server for a buffer if it is for such buffers, and says nothing where it is not installed.
function M.attach(buffer)
  local client = require("boildown.client")
  local file = vim.api.nvim_buf_get_name(buffer)
  if vim.bo[buffer].buftype ~= "" or file == "" or not client.is_installed() then
    return
  end
  if vim.tbl_contains(M.options.filetypes, vim.bo[buffer].filetype) or client.configuration(file) then
    client.start(buffer)
  end
end

return M
