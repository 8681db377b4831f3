-- `:checkhealth boildown`: whether the server can be started, and what it is to run for the buffer.

local M = {}

-- Until 0.9 the functions had longer names.
local health = vim.health or require("health")
local start = health.start or health.report_start
local ok, warn = health.ok or health.report_ok, health.warn or health.report_warn
local fail = health.error or health.report_error

-- Returns the buffer that the user was in: `:checkhealth` opens one of its own.
local function buffer()
  local last = vim.fn.bufnr("#")
  return last > 0 and last or vim.api.nvim_get_current_buf()
end

local function check_server(cmd)
  if vim.fn.executable(cmd[1]) == 0 then
    return fail(("there is no `%s`"):format(cmd[1]), {
      "install it: pipx install boildown",
      'or say where it is: require("boildown").setup({ cmd = { "/path/to/boildown", "lsp" } })',
    })
  end
  local said = vim.fn.systemlist({ cmd[1], "--version" })
  if vim.v.shell_error ~= 0 then
    return fail(("`%s --version` fails: %s"):format(cmd[1], table.concat(said, " ")))
  end
  ok(("%s, %s"):format(said[1], vim.fn.exepath(cmd[1])))
end

local function check_buffer(client, file)
  local name = vim.fn.fnamemodify(file, ":t")
  local found = client.of(vim.fn.bufnr(file))
  if found then
    ok(("the server runs for %s, in %s"):format(name, found.config.root_dir))
  else
    warn(("the server does not run for %s"):format(name), { "the first `:Boildown …` in it starts it" })
  end
  local configuration = client.configuration(file)
  if configuration then
    ok(("the test commands are those of %s"):format(configuration))
  else
    warn("no boildown.toml is for it, so only strings in tests can be reduced", {
      "`:Boildown set_test_command` makes one",
    })
  end
end

function M.check()
  start("boildown")
  if vim.fn.has("nvim-0.7") == 0 then
    fail("Neovim 0.7 or later is needed")
  end
  check_server(require("boildown").options.cmd)
  local file = vim.api.nvim_buf_get_name(buffer())
  if file ~= "" then
    check_buffer(require("boildown.client"), file)
  end
end

return M
