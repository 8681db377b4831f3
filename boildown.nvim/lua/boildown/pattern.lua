-- The pattern of a failing input in its buffer: each hole is an extmark, and says what it may hold where the cursor is.

local M = {}

local namespace = vim.api.nvim_create_namespace("boildown_pattern")
local group = vim.api.nvim_create_augroup("boildown_pattern", {})
local holes = {} -- By the buffers, the holes by the ids of their extmarks.

vim.api.nvim_set_hl(0, "BoildownHole", { default = true, link = "DiffChange" })
vim.api.nvim_set_hl(0, "BoildownGap", { default = true, link = "NonText" })

-- Newlines are those of a buffer, in a text of the server.
local function normal(text)
  return (text:gsub("\r\n?", "\n"))
end

-- Returns the text of a buffer between two positions of the protocol, and the row and column where it begins.
local function between(buffer, first, last, encoding)
  local lines = vim.api.nvim_buf_get_lines(buffer, first.line, last.line + 1, false)
  local function byte(line, character)
    if line == nil or encoding == "utf-8" then
      return character
    end
    local points, units = vim.str_utfindex(line)
    local is_utf16 = encoding ~= "utf-32"
    return vim.str_byteindex(line, math.min(character, is_utf16 and units or points), is_utf16)
  end
  -- The end may be in the line after the last one of the buffer.
  local at_end = last.line - first.line + 1
  if lines[at_end] then
    lines[at_end] = lines[at_end]:sub(1, byte(lines[at_end], last.character))
  elseif #lines > 0 then
    table.insert(lines, "")
  end
  local column = byte(lines[1], first.character)
  if lines[1] then
    lines[1] = lines[1]:sub(column + 1)
  end
  return table.concat(lines, "\n"), first.line, column
end

-- Returns the row and the column of what a text that begins at a place leads to.
local function after(text, row, column)
  local lines = vim.split(text, "\n", { plain = true })
  local last = #lines[#lines]
  return row + #lines - 1, #lines == 1 and column + last or last
end

local function clear(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  vim.api.nvim_clear_autocmds({ group = group, buffer = buffer })
  holes[buffer] = nil
end

-- Marks the holes where the buffer holds the pattern's text letter by letter, which a literal with escapes does not.
local function mark(buffer, params, encoding)
  local pattern = params.pattern
  local text, row, column = between(buffer, params.start, params["end"], encoding)
  local at = text:find(normal(pattern.text), 1, true)
  if not at then
    return
  end
  local function place(offset)
    local before = pattern.text:sub(1, vim.str_byteindex(pattern.text, offset))
    return after(text:sub(1, at - 1) .. normal(before), row, column)
  end
  holes[buffer] = {}
  for _, hole in ipairs(pattern.holes) do
    local start_row, start_column = place(hole.start)
    local options = { hl_group = "BoildownHole" }
    options.end_row, options.end_col = place(hole["end"])
    if hole.start == hole["end"] then
      options.virt_text = { { hole.shown, "BoildownGap" } }
      options.virt_text_pos = vim.fn.has("nvim-0.10") == 1 and "inline" or "eol"
    end
    local id = vim.api.nvim_buf_set_extmark(buffer, namespace, start_row, start_column, options)
    holes[buffer][id] = hole
  end
  vim.api.nvim_create_autocmd("CursorHold", { group = group, buffer = buffer, callback = M.hover })
end

function M.on_pattern(_, params, context)
  local buffer = vim.uri_to_bufnr(params.uri)
  if not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  clear(buffer)
  if type(params.pattern) == "table" then
    local client = vim.lsp.get_client_by_id(context.client_id)
    mark(buffer, params, client and client.offset_encoding)
  end
end

-- Returns the hole under the cursor; nil if there is none.
local function under_cursor()
  local buffer = vim.api.nvim_get_current_buf()
  local cursor = vim.api.nvim_win_get_cursor(0)
  local row, column = cursor[1] - 1, cursor[2]
  for _, found in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })) do
    local id, start_row, start_column, details = unpack(found)
    local begins = start_row < row or (start_row == row and start_column <= column)
    local ends = details.end_row > row or (details.end_row == row and details.end_col > column)
    local is_gap = start_row == row and start_column == column and details.end_row == row and details.end_col == column
    if (begins and ends) or is_gap then
      return holes[buffer] and holes[buffer][id]
    end
  end
end

-- Says what the hole under the cursor may hold, and how many runs tell so. Returns whether there is one.
function M.hover()
  local hole = under_cursor()
  if not hole then
    return false
  end
  local lines = {
    ("May be any %s"):format(hole.shown),
    ("%d of %d random texts failed alike"):format(hole.reproduced, hole.trials),
    ("so at least %.1f %% of all do (95 %% confidence)"):format(100 * hole.lower_bound),
  }
  if type(hole.counterexample) == "string" then
    table.insert(lines, ("It passes with %s"):format(vim.fn.strtrans(hole.counterexample)))
  end
  local closing = { "CursorMoved", "CursorMovedI", "InsertEnter", "BufHidden" }
  vim.lsp.util.open_floating_preview(lines, "plaintext", { focusable = false, close_events = closing })
  return true
end

return M
