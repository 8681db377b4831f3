-- The client of the server: one for each project, with what is Boildown's own in the protocol.

local M = {}

local MARKERS = { "boildown.toml", "pyproject.toml", "package.json", "go.mod", ".git" }

local clients = {} -- For Neovim 0.7, the ids of the clients by the folders of their projects.
local attached = {} -- The ids by the buffers.
local waiting = {} -- By the buffers, what is to be done as soon as the server knows them.

function M.notify(message, level)
  vim.notify("Boildown: " .. message, level or vim.log.levels.INFO)
end

function M.is_installed()
  return vim.fn.executable(require("boildown").options.cmd[1]) == 1
end

-- Returns the file of this name in the nearest folder above a file; nil if there is none.
local function above(file, name)
  local folder = vim.fn.fnamemodify(file, ":p")
  repeat
    local last = folder
    folder = vim.fn.fnamemodify(folder, ":h")
    local found = (folder == "/" and "" or folder) .. "/" .. name
    if (vim.uv or vim.loop).fs_stat(found) then
      return found
    end
  until folder == last
end

-- Returns the configuration that is for a file; nil if there is none.
function M.configuration(file)
  local own, shared = above(file, "boildown.toml"), above(file, "pyproject.toml")
  if own == nil and shared ~= nil then
    for _, line in ipairs(vim.fn.readfile(shared)) do
      if line:find("^%s*%[%[? *tool%.boildown") then
        return shared
      end
    end
  end
  return own
end

-- Returns the folder of the project that a file belongs to.
function M.root(file)
  for _, marker in ipairs(MARKERS) do
    local found = above(file, marker)
    if found then
      return vim.fn.fnamemodify(found, ":h")
    end
  end
  return vim.fn.fnamemodify(file, ":p:h")
end

-- The holes of a pattern are shown by extmarks, so the hints that fade them are left out.
local function without_hints(problem, params, context, config)
  params.diagnostics = vim.tbl_filter(function(each)
    return each.severity ~= vim.diagnostic.severity.HINT
  end, params.diagnostics)
  return vim.lsp.handlers["textDocument/publishDiagnostics"](problem, params, context, config)
end

local function on_attach(client, buffer)
  attached[buffer] = client.id
  for _, action in ipairs(waiting[buffer] or {}) do
    action(client)
  end
  waiting[buffer] = nil
end

local function on_exit(_, _, id)
  for _, ids in ipairs({ clients, attached }) do
    for key, each in pairs(ids) do
      ids[key] = each ~= id and each or nil
    end
  end
  vim.schedule(require("boildown.progress").close)
end

-- Returns the client for the project in a folder, as it is to be started.
local function described(root)
  local options = require("boildown").options
  return {
    name = "boildown",
    cmd = options.cmd,
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    init_options = options.init_options,
    on_attach = on_attach,
    on_exit = on_exit,
    handlers = {
      ["$/progress"] = require("boildown.progress").on_progress,
      ["boildown/progress"] = require("boildown.progress").on_text,
      ["boildown/pattern"] = require("boildown.pattern").on_pattern,
      ["textDocument/publishDiagnostics"] = without_hints,
    },
    commands = {
      -- Of code lenses and code actions; the server itself would ask by a question that blocks the editor.
      ["boildown.reduceTest"] = function(command, context)
        require("boildown.commands").reduce_test(context.bufnr, command.arguments[1])
      end,
      ["boildown.explain"] = function(command, context)
        require("boildown.commands").explain(context.bufnr, command.arguments[1], {})
      end,
    },
  }
end

-- Starts the server of a buffer's project, if it does not run yet, and attaches the buffer to it.
function M.start(buffer)
  local root = M.root(vim.api.nvim_buf_get_name(buffer))
  if vim.lsp.start then
    vim.lsp.start(described(root), { bufnr = buffer })
  else -- Neovim 0.7
    clients[root] = clients[root] or vim.lsp.start_client(described(root))
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
end

-- Returns the client of a buffer; nil if it has none.
function M.of(buffer)
  local id = attached[buffer]
  return id and vim.lsp.buf_is_attached(buffer, id) and vim.lsp.get_client_by_id(id) or nil
end

-- Calls `action` with the client of a buffer, which is started first where there is none.
function M.with(buffer, action)
  local client = M.of(buffer)
  if client then
    return action(client)
  end
  if vim.api.nvim_buf_get_name(buffer) == "" then
    return M.notify("save this buffer to a file first.", vim.log.levels.WARN)
  end
  if not M.is_installed() then
    local command = require("boildown").options.cmd[1]
    return M.notify(("there is no `%s` here; :checkhealth boildown says more."):format(command), vim.log.levels.ERROR)
  end
  waiting[buffer] = waiting[buffer] or {}
  table.insert(waiting[buffer], action)
  M.start(buffer)
end

-- Sends a command of the server, with its argument, and calls `on_answer` with the answer if it is no refusal. The
-- server itself tells the user why it refuses, and what came of a job.
function M.execute(buffer, name, argument, on_answer)
  M.with(buffer, function(client)
    local function on_end(problem, answer)
      if problem then
        M.notify(problem.message, vim.log.levels.ERROR)
      elseif type(answer) == "table" and on_answer and (answer.state ~= "refused" or answer.needs) then
        on_answer(answer)
      end
    end
    local params = { command = "boildown." .. name, arguments = { argument } }
    local request = client.request
    if vim.fn.has("nvim-0.11") == 1 then
      request(client, "workspace/executeCommand", params, on_end, buffer)
    else
      request("workspace/executeCommand", params, on_end, buffer)
    end
  end)
end

return M
