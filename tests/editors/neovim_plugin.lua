-- Does in Neovim with the plugin what a user does: commands, the window of progress, pickers, the holes of a pattern.
-- The first failure ends the editor with status 1.

local function say(...)
  io.stdout:write(table.concat(vim.tbl_map(tostring, { ... }), " "), "\n")
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then
    error("never came: " .. what .. "; the buffer holds: " .. text())
  end
  say("ok", what)
end

local function same(what, found, wanted)
  assert(vim.deep_equal(found, wanted), what .. ": " .. vim.inspect(found))
  say("ok", what)
end

local client = require("boildown.client")

local said = {}
vim.lsp.handlers["window/showMessage"] = function(_, params)
  table.insert(said, params.message)
end
local noted = {}
vim.notify = function(message)
  table.insert(noted, message)
end

-- Returns the window that floats over the others, and what it shows.
local function floating()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return window, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
    end
  end
end

-- Chooses, in the next questions, the item whose line holds a text; returns a table of what is offered.
local function choose(...)
  local offered, wanted = {}, { ... }
  vim.ui.select = function(items, options, on_choice)
    local text_wanted = table.remove(wanted, 1)
    for index, item in ipairs(items) do
      local line = (options.format_item or tostring)(item)
      table.insert(offered, line)
      if text_wanted and line:find(text_wanted, 1, true) then
        on_choice(item, index)
      end
    end
  end
  return offered
end

local function write(file, line)
  local opened = assert(io.open(file, "w"))
  opened:write(line)
  opened:close()
end

local function holes()
  local namespace = vim.api.nvim_get_namespaces().boildown_pattern
  return vim.tbl_map(function(mark)
    return { mark[2], mark[3], mark[4].end_row, mark[4].end_col }
  end, vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true }))
end

local function test_completion()
  same("completion of subcommands", vim.fn.getcompletion("Boildown re", "cmdline"), {
    "reduce",
    "reduce_folder",
    "reduce_project",
    "reduce_test",
    "report",
  })
  same("completion of inputs", vim.fn.getcompletion("Boildown reduce l", "cmdline"), { "literal" })
  same("no completion of a third word", vim.fn.getcompletion("Boildown reduce literal ", "cmdline"), {})
  same("completion after a range", vim.fn.getcompletion("1,2Boildown instantiate ", "cmdline"), {
    "text",
    "pytest",
    "hypothesis",
    "pattern",
  })
  vim.cmd("Boildown nonsense")
  same("what there is not", noted, { "Boildown: there is no `:Boildown nonsense`." })
  local offered = choose("tree")
  vim.cmd("Boildown")
  wait("tree by the menu", function()
    return text():find('word "filler"', 1, true)
  end)
  assert(vim.tbl_contains(offered, "set_test_command"), vim.inspect(offered))
  vim.cmd("close")
end

local original = text()

local function test_progress()
  local window = vim.api.nvim_get_current_win()
  write("hang", "4")
  vim.cmd("Boildown reduce")
  wait("job that hangs", function()
    return io.open("hanging")
  end)
  local shown, lines
  wait("progress with the best text", function()
    shown, lines = floating()
    return shown and #lines > 2 and not lines[2]:find("463 → 463", 1, true)
  end)
  same("title of the progress", lines[1], "reducing the document of crash.txt")
  local before, after, runs, step = lines[2]:match("^(%d+) → (%d+) bytes?, (%d+) runs, %d+/s, (.+)$")
  assert(tonumber(before) == #original + 1, lines[2])
  assert(tonumber(after) < #original and tonumber(runs) >= 1 and step ~= "", lines[2])
  assert(#lines[3] > 2, lines[3])
  same("focus", vim.api.nvim_get_current_win(), window)
  assert(not vim.api.nvim_win_get_config(shown).focusable, "nobody can go there by accident")
  -- What was found is run once more.
  os.remove("hang")
  vim.cmd("Boildown cancel")
  wait("end of the progress", function()
    return not floating()
  end)
  wait("best so far", function()
    return #text() < #original and text():find("x") and #said == 1
  end)
end

local function test_history()
  -- The steps are kept a moment after the result is told.
  local offered = choose("the original")
  for _ = 1, 20 do
    vim.cmd("Boildown history")
    if vim.wait(5000, function() return #offered > 0 end, 20) then
      break
    end
  end
  wait("original", function()
    return text() == original
  end)
  same("first step", offered[1], "463 bytes, the original: " .. ("filler "):rep(6):sub(1, 40))
  vim.fn.setpos("'<", { 0, 2, 6, 0 })
  vim.fn.setpos("'>", { 0, 2, 10, 0 })
  vim.cmd("'<,'>Boildown reduce alone")
  wait("reduced selection", function()
    return vim.fn.getline(2) == "five x"
  end)
  wait("its message", function()
    return said[#said]:find("5 → 1 byte", 1, true)
  end)
  vim.cmd("1Boildown reduce alone")
  wait("reduced line", function()
    return vim.fn.getline(1) == "x"
  end)
end

-- Waits for the explanation, which comes where the cursor is.
local function explained(how)
  local window, lines
  wait("explanation by " .. how, function()
    window, lines = floating()
    return window and table.concat(lines):find("left out", 1, true)
  end)
  vim.api.nvim_win_close(window, true)
end

local function test_explanation()
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd("Boildown explain")
  explained("a command")
end

local function test_pattern()
  vim.cmd("silent edit! pairs.json")
  vim.cmd("Boildown generalize")
  wait("holes", function()
    return #holes() == 3
  end)
  same("places of the holes", holes(), { { 0, 1, 0, 2 }, { 0, 3, 0, 4 }, { 0, 4, 0, 4 } })
  same("no hints beside", vim.diagnostic.get(0), {})
  wait("end of its progress", function()
    return not floating()
  end)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd("doautocmd CursorHold")
  assert(not floating(), "there is no hole at the bracket")
  vim.api.nvim_win_set_cursor(0, { 1, 3 })
  vim.cmd("doautocmd CursorHold")
  local window, lines = floating()
  same("what the hole may hold", lines, {
    "May be any <value>",
    "100 of 100 random texts failed alike",
    "so at least 97.0 % of all do (95 % confidence)",
  })
  vim.api.nvim_win_close(window, true)
  vim.api.nvim_buf_set_text(0, 0, 1, 0, 2, { "7" })
  wait("forgotten pattern", function()
    return #holes() == 0
  end)
  vim.cmd("silent write")
end

local function test_failing_test()
  vim.cmd("silent edit! test_shop.py")
  vim.fn.search("test_two")
  local offered = choose()
  vim.cmd("Boildown reduce_test")
  wait("candidates", function()
    return #offered == 2
  end)
  same("their lines", offered, {
    "String in line 4: [1, 2, 3] (9 bytes of json)",
    "String in line 5: [4] (3 bytes of json)",
  })
  choose("test_two", "[1, 2, 3]")
  vim.lsp.buf.code_action({ context = { diagnostics = {} } })
  wait("reduced literal", function()
    return text():find('é = "[0,0]"', 1, true)
  end)
  wait("its message", function()
    return said[#said]:find("9 → 5 bytes", 1, true)
  end)
  vim.fn.search("0,0", "w")
  vim.cmd("Boildown generalize literal")
  wait("holes in the literal", function()
    return #holes() == 3
  end)
  -- In bytes, of which the é has two.
  same("their places", holes(), { { 3, 11, 3, 12 }, { 3, 13, 3, 14 }, { 3, 14, 3, 14 } })
end

-- In a failed test two keys reduce its input, wherever that stands. What the test command of the file says is not asked.
local function test_keys()
  local keys = vim.fn.json_decode(vim.fn.readfile("keys.json"))
  local pressed = vim.api.nvim_replace_termcodes("<Leader>b", true, true, true)
  same("keys", vim.fn.strchars(pressed), 2)
  choose()
  for _, each in ipairs(keys) do
    local test, place, file, expected = unpack(each)
    vim.cmd("silent edit! test_kinds.py")
    wait("server", function()
      return client.of(vim.api.nvim_get_current_buf())
    end)
    vim.fn.search("def " .. test, "w")
    vim.fn.search("\\V" .. place)
    local before = #said
    vim.api.nvim_feedkeys(pressed, "mx", false)
    wait("message of " .. test, function()
      return #said > before
    end)
    wait("reduced input of " .. test, function()
      local lines = vim.api.nvim_buf_get_lines(vim.fn.bufnr(file), 0, -1, false)
      return table.concat(lines, "\n"):find(expected, 1, true)
    end)
    vim.cmd("silent edit!")
  end
  vim.cmd("silent bdelete! sign.txt")
end

local function test_test_command()
  vim.cmd("silent edit! crash.log")
  vim.ui.input = function(options, on_confirm)
    same("question", options.prompt, "Test command ({file} is the failing input): ")
    on_confirm("python3 -I -S repro.py {file}")
  end
  vim.cmd("Boildown reduce")
  wait("reduced after the command was given", function()
    return text() == "x"
  end)
end

local function test_result()
  local original = "a line\nand x"
  for _, step in ipairs({ { "undo", original }, { "apply", "x" }, { "undo", original } }) do
    vim.cmd("Boildown " .. step[1])
    wait(step[1], function()
      return text() == step[2]
    end)
  end
  vim.cmd("Boildown discard")
  vim.cmd("Boildown apply")
  wait("no result any more", function()
    return said[#said]:find("There is no result for this document", 1, true)
  end)
end

local function test_health()
  vim.cmd("checkhealth boildown")
  for _, line in ipairs({ "boildown 0", "the server runs for crash.log", "boildown.toml" }) do
    assert(text():find(line, 1, true), text())
  end
  assert(not text():find("ERROR"), text())
  require("boildown").setup({ cmd = { "nowhere" } })
  vim.cmd("checkhealth boildown")
  assert(text():find("ERROR:? there is no `nowhere`"), text())
  say("ok health")
end

local function main()
  wait("server", function()
    return client.of(vim.api.nvim_get_current_buf())
  end)
  test_completion()
  test_progress()
  test_history()
  test_explanation()
  test_pattern()
  test_failing_test()
  test_keys()
  test_test_command()
  test_result()
  test_health()
  vim.cmd("helptags boildown.nvim/doc")
  vim.cmd("silent help boildown-holes")
  assert(vim.api.nvim_buf_get_name(0):find("boildown.nvim/doc/boildown.txt", 1, true))
  say("PASSED")
end

local ok, problem = xpcall(main, debug.traceback)
if not ok then
  say(problem)
  say(vim.inspect(said), vim.inspect(noted))
  vim.cmd("cquit 1")
end
vim.cmd("qall!")
