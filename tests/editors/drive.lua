-- What a user of Neovim does with a file that has findings; what came of it goes into the file that $SEEN names.
local seen = {}

local function wait_for(what, done)
  assert(vim.wait(30000, done, 20), "it never came to this: " .. what)
end

local function found()
  return vim.tbl_map(function(one)
    return { code = one.code, line = one.lnum + 1, source = one.source }
  end, vim.diagnostic.get(0))
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n"
end

-- The text of the window that `open` opens.
local function window_of(open)
  local before = vim.api.nvim_list_wins()
  open()
  local new
  wait_for("another window", function()
    new = vim.iter(vim.api.nvim_list_wins()):find(function(one)
      return not vim.list_contains(before, one)
    end)
    return new ~= nil
  end)
  local buffer = vim.api.nvim_win_get_buf(new)
  return {
    text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n"),
    filetype = vim.bo[buffer].filetype,
    split = vim.api.nvim_win_get_config(new).relative == "",
    has_focus = vim.api.nvim_get_current_win() == new,
    window = new,
  }
end

local function explain()
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title == "SEQ221: explain"
    end,
  })
end

local ok, problem = pcall(function()
  wait_for("diagnostics", function()
    return #vim.diagnostic.get(0) > 0
  end)
  seen.found = found()
  seen.before = text()

  local place = vim.iter(vim.diagnostic.get(0)):find(function(one)
    return one.code == "SEQ221"
  end)
  vim.api.nvim_win_set_cursor(0, { place.lnum + 1, place.col })
  seen.message = place.message

  seen.hover = window_of(vim.lsp.buf.hover)
  vim.api.nvim_win_close(seen.hover.window, true)

  local code = vim.api.nvim_get_current_win()
  seen.page = window_of(explain)
  vim.api.nvim_set_current_win(code)
  local windows = #vim.api.nvim_list_wins()
  explain()
  wait_for("the page again", function()
    return vim.api.nvim_get_current_win() == seen.page.window
  end)
  seen.opened_twice = #vim.api.nvim_list_wins() > windows
  vim.api.nvim_win_close(seen.page.window, true)
  vim.api.nvim_set_current_win(code)

  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title:match("^Safe: .*%(SEQ221%)$") ~= nil
    end,
  })
  wait_for("the text of the quick fix", function()
    return text() ~= seen.before
  end)
  seen.quick_fix = text()

  vim.cmd("undo")
  assert(text() == seen.before, "one undo takes a fix back")
  vim.cmd("write")
  seen.written = text()
end)
seen.problem = not ok and problem or nil

local file = assert(io.open(os.getenv("SEEN"), "w"))
file:write(vim.json.encode(seen))
file:close()
vim.cmd("qall!")
