-- Progress of jobs in a floating window: the size, the runs and the step of each, and the best text so far. It never
-- takes the focus, and closes by itself when the last job ends.

local M = {}

local WIDEST = 80
local LINES = 5 -- Of the best text.

local jobs = {} -- By their tokens.
local window, buffer
local is_dismissed = false -- Whether the user closed the window.

local namespace = vim.api.nvim_create_namespace("boildown_progress")

local function is_open()
  return window and vim.api.nvim_win_is_valid(window)
end

local function hide()
  if is_open() then
    vim.api.nvim_win_close(window, true)
  end
  window = nil
end

local function lines()
  local shown, dim = {}, {}
  local tokens = vim.tbl_keys(jobs)
  table.sort(tokens)
  for _, token in ipairs(tokens) do
    local job = jobs[token]
    table.insert(shown, job.title)
    table.insert(shown, job.message)
    for line in job.text:gmatch("[^\r\n]+") do
      if #dim == LINES then
        break
      end
      -- A candidate may hold anything, so what is not printable is shown as Vim shows it.
      table.insert(shown, "  " .. vim.fn.strtrans(vim.fn.strcharpart(line, 0, WIDEST - 2)))
      table.insert(dim, #shown - 1)
    end
  end
  return shown, dim
end

local function draw()
  if not require("boildown").options.progress or vim.tbl_isempty(jobs) then
    is_dismissed = false
    return hide()
  end
  if window and not is_open() then
    is_dismissed = true
  end
  if is_dismissed then
    return
  end
  if window and vim.api.nvim_win_get_tabpage(window) ~= vim.api.nvim_get_current_tabpage() then
    hide()
  end
  local shown, dim = lines()
  local width = 20
  for _, line in ipairs(shown) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  local place = {
    relative = "editor",
    anchor = "NE",
    row = 1,
    col = vim.o.columns,
    width = math.min(width, WIDEST, math.max(vim.o.columns - 4, 1)),
    height = #shown,
  }
  if not buffer or not vim.api.nvim_buf_is_valid(buffer) then
    buffer = vim.api.nvim_create_buf(false, true)
  end
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, shown)
  for _, row in ipairs(dim) do
    vim.api.nvim_buf_set_extmark(buffer, namespace, row, 0, { end_col = #shown[row + 1], hl_group = "Comment" })
  end
  if window then
    vim.api.nvim_win_set_config(window, place)
  else
    local looks = { style = "minimal", border = "rounded", focusable = false, noautocmd = true }
    -- While the command-line window is open, no other can be opened.
    local is_opened, opened = pcall(vim.api.nvim_open_win, buffer, false, vim.tbl_extend("error", place, looks))
    window = is_opened and opened or nil
  end
end

function M.on_progress(problem, params, context, config)
  local value = params.value
  if value.kind == "begin" then
    jobs[params.token] = { title = value.title:gsub("^Boildown: ", ""), message = value.message or "", text = "" }
  elseif value.kind == "end" then
    jobs[params.token] = nil
  elseif jobs[params.token] then
    jobs[params.token].message = value.message or ""
  end
  draw()
  local shown = vim.lsp.handlers["$/progress"]
  return shown and shown(problem, params, context, config)
end

-- Takes the best text so far, which the next report shows.
function M.on_text(_, params)
  if jobs[params.token] then
    jobs[params.token].text = params.text
  end
end

-- Forgets all jobs, for a server that went away without a word.
function M.close()
  jobs = {}
  draw()
end

return M
