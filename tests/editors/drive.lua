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
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title:match("^SEQ221.*%(safe%)$") ~= nil
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
