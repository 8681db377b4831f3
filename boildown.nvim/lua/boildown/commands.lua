-- `:Boildown`: its subcommands, and their completion.

local client = require("boildown.client")

local M = {}

local INPUTS = { "literal", "block", "selection", "alone", "document" }
local FORMS = { "text", "pytest", "hypothesis", "pattern" }

-- Returns the range of a command, or of the cursor where it has none.
local function range_of(buffer, command, encoding)
  if not command or command.range == 0 then
    local cursor = vim.lsp.util.make_position_params(0, encoding).position
    return { start = cursor, ["end"] = cursor }
  end
  local first, last = { command.line1, 0 }, { command.line2, vim.v.maxcol or 2147483647 }
  local marks = { vim.api.nvim_buf_get_mark(buffer, "<"), vim.api.nvim_buf_get_mark(buffer, ">") }
  local is_visual = marks[1][1] == command.line1 and marks[2][1] == command.line2
  if is_visual and vim.fn.visualmode() ~= "V" then
    first, last = unpack(marks)
  end
  return vim.lsp.util.make_given_range_params(first, last, buffer, encoding).range
end

-- Calls `action` with the argument that says where the cursor or the selection of a command is.
local function at(buffer, command, action)
  client.with(buffer, function(found)
    action({ uri = vim.uri_from_bufnr(buffer), range = range_of(buffer, command, found.offset_encoding) })
  end)
end

-- Opens a text in a window of its own.
local function show(text, filetype)
  vim.cmd("new")
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = "nofile", "wipe", false
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, "\n", { plain = true }))
  vim.bo.filetype, vim.bo.modifiable = filetype, false
end

local function configure(buffer, argument, words)
  local function send(typed)
    if typed and typed ~= "" then
      client.execute(buffer, "configure", vim.tbl_extend("force", argument, { command = typed }))
    end
  end
  if #words > 0 then
    return send(table.concat(words, " "))
  end
  vim.ui.input({ prompt = "Test command ({file} is the failing input): " }, send)
end

-- Runs a command of the server on an input; where all that is missing is a test command, asks for one. Then calls
-- `on_done`, if there is one and the user is still there.
local function run_job(name, on_done)
  return function(buffer, argument, words)
    argument.input, argument.wait = words[1] or argument.input, on_done ~= nil
    client.execute(buffer, name, argument, function(answer)
      if answer.needs == "command" then
        configure(buffer, argument, {})
      elseif on_done and answer.state == "done" and vim.api.nvim_get_current_buf() == buffer then
        on_done()
      end
    end)
  end
end

local function in_one_line(text)
  return vim.fn.strtrans(vim.fn.strcharpart(text:gsub("%s+", " "), 0, 40))
end

-- Finds the inputs that a failing test may fail on, lets the user choose where there are several, and reduces one.
function M.reduce_test(buffer, argument)
  client.execute(buffer, "candidates", argument, function(answer)
    local likely = vim.tbl_filter(function(each)
      return each.likely
    end, answer.candidates or {})
    local function reduce(chosen)
      if chosen then
        client.execute(buffer, "reduce", { uri = chosen.uri, candidate = chosen.candidate })
      end
    end
    if #likely == 1 then
      return reduce(likely[1])
    end
    local found = answer.candidates or {}
    if #found == 0 then
      return
    end
    vim.ui.select(found, {
      prompt = answer.message .. " Which input is to be reduced?",
      kind = "boildown",
      format_item = function(each)
        return ("%s (%d bytes of %s)"):format(each.label, #each.text, each.language)
      end,
    }, reduce)
  end)
end

local function history(buffer, argument)
  client.execute(buffer, "history", argument, function(answer)
    vim.ui.select(answer.steps or {}, {
      prompt = "Which step is to be restored?",
      kind = "boildown",
      format_item = function(step)
        local when = step.run == 0 and "the original" or ("after run %d"):format(step.run)
        local now = step.isCurrent and ", now here" or ""
        return ("%d bytes, %s%s: %s"):format(step.bytes, when, now, in_one_line(step.text))
      end,
    }, function(chosen, index)
      if chosen and not chosen.isCurrent then
        client.execute(buffer, "history", vim.tbl_extend("force", argument, { step = index - 1 }))
      end
    end)
  end)
end

-- Runs a command of the server about an input that shows by itself what comes of it.
local function execute(name)
  return function(buffer, argument)
    client.execute(buffer, name, argument)
  end
end

-- Says why nothing more of an input can go, where the user is.
M.explain = run_job("explain", vim.lsp.buf.hover)

local function shown(name, key, filetype)
  return function(buffer, argument)
    client.execute(buffer, name, argument, function(answer)
      if type(answer[key]) == "string" then
        show(answer[key], filetype)
      end
    end)
  end
end

-- Each is called with the buffer, the argument for the server, and the words after its name.
local SUBCOMMANDS = {
  reduce = { run = run_job("reduce"), words = INPUTS },
  generalize = { run = run_job("generalize"), words = INPUTS },
  apply = { run = execute("apply") },
  undo = { run = execute("undo") },
  discard = { run = execute("discard") },
  explain = { run = M.explain, words = INPUTS },
  why = { run = run_job("why"), words = INPUTS },
  check = { run = run_job("check"), words = INPUTS },
  reduce_test = { run = M.reduce_test },
  reduce_project = { run = run_job("reduceProject") },
  reduce_folder = {
    run = function(buffer, _, words)
      local command = #words > 0 and table.concat(words, " ") or nil
      client.execute(buffer, "reduceFolder", { uri = vim.uri_from_fname(vim.fn.getcwd()), command = command })
    end,
  },
  instantiate = {
    run = function(buffer, argument, words)
      client.execute(buffer, "instantiate", vim.tbl_extend("force", argument, { form = words[1] }))
    end,
    words = FORMS,
  },
  hole = {
    run = function()
      if not require("boildown.pattern").hover() then
        client.notify("there is no hole of a pattern under the cursor.")
      end
    end,
  },
  history = { run = history },
  tree = { run = shown("tree", "text", "") },
  report = { run = shown("report", "markdown", "markdown") },
  set_test_command = { run = configure },
  cancel = { run = execute("cancel") },
}

-- Runs what was typed after `:Boildown`; lets the user choose where that is nothing.
function M.run(command)
  local buffer, words = vim.api.nvim_get_current_buf(), vim.list_slice(command.fargs, 2)
  local function go_on(name)
    local found = SUBCOMMANDS[name]
    if found then
      at(buffer, command, function(argument)
        found.run(buffer, argument, words)
      end)
    elseif name then
      client.notify(("there is no `:Boildown %s`."):format(name), vim.log.levels.ERROR)
    end
  end
  if command.fargs[1] then
    return go_on(command.fargs[1])
  end
  vim.ui.select(M.complete("", "Boildown "), { prompt = "Boildown:", kind = "boildown" }, go_on)
end

-- Returns what may stand at the end of a line that begins with `Boildown`.
function M.complete(lead, line)
  local before = vim.split(line:sub(1, #line - #lead):gsub("^.*Boildown", ""), "%s+", { trimempty = true })
  local found = {}
  if #before == 0 then
    found = vim.tbl_keys(SUBCOMMANDS)
    table.sort(found)
  elseif #before == 1 and SUBCOMMANDS[before[1]] then
    found = SUBCOMMANDS[before[1]].words or {}
  end
  return vim.tbl_filter(function(each)
    return vim.startswith(each, lead)
  end, found)
end

return M
