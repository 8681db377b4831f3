-- Does in Neovim what a user does: code actions, progress, cancel, hover, undo.
-- The first failure ends the editor with status 1.

local function say(...)
  io.stdout:write(table.concat(vim.tbl_map(tostring, { ... }), " "), "\n")
end

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    error("never came: " .. what .. "; the buffer holds: " .. vim.inspect(vim.api.nvim_buf_get_lines(0, 0, -1, false)))
  end
  say("ok", what)
end

local seen = { begin = 0, report = 0, ["end"] = 0 }
local token
local shown = vim.lsp.handlers["$/progress"]
vim.lsp.handlers["$/progress"] = function(problem, params, context, config)
  seen[params.value.kind] = seen[params.value.kind] + 1
  token = params.token
  return shown and shown(problem, params, context, config)
end

local said = 0
local printed
local message = vim.lsp.handlers["window/showMessage"]
vim.lsp.handlers["window/showMessage"] = function(...)
  said = said + 1
  return message(...)
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function client()
  return (vim.lsp.get_clients or vim.lsp.get_active_clients)()[1]
end

-- Chooses the action whose title begins so from what the editor offers.
local function choose(title)
  local chosen = false
  vim.ui.select = function(items, options, on_choice)
    for _, item in ipairs(items) do
      local line = options.format_item and options.format_item(item) or ""
      if line:find(title, 1, true) then
        chosen = true
        return on_choice(item)
      end
    end
    error("no such action: " .. title)
  end
  return function()
    return chosen
  end
end

local function act(title)
  local chosen = choose(title)
  vim.lsp.buf.code_action({ context = { diagnostics = {} } })
  wait("action " .. title, chosen)
end

local function act_on(title, first, last)
  local chosen = choose(title)
  if vim.lsp.buf.range_code_action then
    vim.lsp.buf.range_code_action({ diagnostics = {} }, first, last)
  else
    vim.lsp.buf.code_action({ context = { diagnostics = {} }, range = { start = first, ["end"] = last } })
  end
  wait("action " .. title, chosen)
end

local function hover()
  vim.lsp.buf.hover()
  local found
  wait("hover", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
        found = table.concat(lines, "\n")
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
  end)
  return found
end

local function hang_after(runs)
  local file = io.open("hang", "w")
  file:write(runs)
  file:close()
end

local function main()
  wait("server", function()
    return client() and client().server_capabilities and client().server_capabilities.codeActionProvider
  end)
  local original = text()

  act("Boildown: reduce with ")
  wait("reduced document", function()
    return text() == "x"
  end)
  wait("end of progress and a message", function()
    return seen["end"] == 1 and said == 1
  end)
  assert(seen.begin == 1 and seen.report >= 1, vim.inspect(seen))
  assert(hover():find("1 byte, ", 1, true), "the hover tells of the reduction")
  vim.cmd("silent undo")
  assert(text() == original, "one undo brings the original back: " .. text())

  act_on("Boildown: reduce the selection alone", { 2, 0 }, { 2, 9 })
  wait("reduced selection", function()
    return text() == original:gsub("five x six", "x")
  end)
  wait("second message", function()
    return said == 2
  end)
  vim.cmd("silent undo")

  hang_after(4)
  act("Boildown: reduce with ")
  wait("job that hangs", function()
    return io.open("hanging")
  end)
  assert(hover():find("reducing the document", 1, true), "the hover tells of the job")
  -- What was found is run once more.
  os.remove("hang")
  act("Boildown: cancel the reduction")
  wait("end of the cancelled job", function()
    return seen["end"] == 3
  end)
  wait("best so far", function()
    return #text() < #original and text():find("x") and said == 3
  end)

  os.remove("hanging")
  hang_after(0)
  vim.cmd("silent undo")
  act("Boildown: reduce with ")
  wait("second job that hangs", function()
    return io.open("hanging")
  end)
  client().notify("window/workDoneProgress/cancel", { token = token })
  wait("end of progress that was cancelled", function()
    return seen["end"] == 4
  end)
  assert(text() == original, "nothing was found, nothing is changed")

  print = function(line)
    printed = line
  end
  vim.cmd("silent edit! pairs.json")
  wait("server for the second document", function()
    return vim.lsp.buf_is_attached == nil or #vim.lsp.buf_get_clients(0) == 1
  end)
  vim.cmd("Boildown check")
  wait("what would run", function()
    return printed and printed:find("It fails: ", 1, true) and printed:find("grep", 1, true)
  end)
  vim.cmd("Boildown tree")
  wait("the tree", function()
    return printed:find('NUMBER "0"', 1, true)
  end)
  act("Boildown: generalize with grep")
  wait("faded parts", function()
    return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.HINT }) == 2
  end)
  local pattern = hover()
  assert(pattern:find("[⟨value⟩¹, ⟨value⟩², …³]", 1, true), "the hover shows the pattern: " .. pattern)
  say(pattern)
  act("Boildown: write a regression test (pytest)")
  wait("regression test", function()
    return vim.fn.bufname():find("test_pairs_inputs.py", 1, true) or io.open("test_pairs_inputs.py")
  end)
  say("PASSED")
end

local ok, problem = xpcall(main, debug.traceback)
if not ok then
  say(problem)
  vim.cmd("cquit 1")
end
vim.cmd("qall!")
